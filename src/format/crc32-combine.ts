/*
 * A CRC-32 is the remainder of a polynomial over GF(2), written with the lowest power in the highest bit.
 * Bytes that follow multiply what came before by x^8 each, so checksums of pieces can be put together and
 * taken apart without another look at the bytes.
 */
const POLYNOMIAL = 0xedb88320;
/** x^0. */
const ONE = 0x8000_0000;

/** Product of two polynomials, modulo the checksum's. */
function multiply(a: number, b: number): number {
  let product = 0;
  let shifted = b;
  for (let bit = 31; bit >= 0; bit--) {
    product ^= shifted & -((a >>> bit) & 1);
    shifted = (shifted >>> 1) ^ (POLYNOMIAL & -(shifted & 1));
  }
  return product >>> 0;
}

/** Row r, column n: x to the power of 8 * n * 256^r, the factor for n * 256^r bytes. */
let powers: Uint32Array | null = null;

function bytePowers(): Uint32Array {
  const table = new Uint32Array(4 * 256);
  let unit = ONE >>> 8;
  for (let row = 0; row < 4; row++) {
    let power = ONE;
    for (let n = 0; n < 256; n++) {
      table[row * 256 + n] = power;
      power = multiply(power, unit);
    }
    unit = power;
  }
  return table;
}

/**
 * Checksum of the last `suffixBytes` bytes (0 to 2^32-1) of a text, from the checksums of the text as a
 * whole and of the part in front of them.
 */
export function crc32OfSuffix(whole: number, prefix: number, suffixBytes: number): number {
  powers ??= bytePowers();
  let shifted = prefix;
  for (let row = 0, rest = suffixBytes; rest > 0; row++, rest = Math.floor(rest / 256)) {
    const digit = rest % 256;
    if (digit > 0) shifted = multiply(powers[row * 256 + digit] ?? 0, shifted);
  }
  return (whole ^ shifted) >>> 0;
}
