import { referenceCrc32 } from '../../src/format/crc32.js';
import { encodeFrame } from '../../src/format/frame.js';

/** Numbers without a pattern, from 0 to `below` - 1; the same ones for the same seed. */
export type Random = (below: number) => number;

export function randomFrom(seed: number): Random {
  let state = seed * 2 + 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

export function randomBytes(random: Random, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at++) bytes[at] = random(256);
  return bytes;
}

/** Up to five small frames from `baseOffset` on; an offset is out of sequence now and then. */
export function randomSegment(random: Random, baseOffset: bigint): Buffer {
  const frames: Uint8Array[] = [];
  for (let n = random(6); n > 0; n--) {
    const offset = BigInt.asUintN(64, baseOffset + BigInt(frames.length + (random(8) ? 0 : 3)));
    frames.push(
      encodeFrame({
        offset,
        timestamp: BigInt(random(1000)),
        key: random(2) ? randomBytes(random, random(5)) : null,
        value: randomBytes(random, random(60)),
        headers: random(3) ? [] : [{ key: randomBytes(random, 2), value: randomBytes(random, 3) }],
      }),
    );
  }
  return Buffer.concat(frames);
}

/** Changes bytes, cuts, or appends; sometimes nothing. */
export function damage(random: Random, file: Buffer): Buffer {
  const at = random(file.length + 1);
  switch (random(7)) {
    case 0:
      return file.subarray(0, at);
    case 1:
      if (at < file.length) file[at] = (file[at] ?? 0) ^ (1 << random(8));
      return file;
    case 2:
      return file.fill(0, at);
    case 3:
      return Buffer.concat([file, Buffer.alloc(random(80))]);
    case 4:
      return Buffer.concat([file, randomBytes(random, random(60))]);
    case 5:
      return refit(random, file);
    default:
      return file;
  }
}

/** Changes a byte of the first payload and its checksum with it, so that only parsing can tell. */
function refit(random: Random, file: Buffer): Buffer {
  const length = file.length > 39 ? file.readUInt32BE(2) : 0;
  if (length < 29 || 10 + length > file.length) return file;
  const payload = file.subarray(10, 10 + length);
  payload[17 + random(length - 17)] = random(2) ? 0 : random(256);
  file.writeUInt32BE(referenceCrc32(payload), 6);
  return file;
}
