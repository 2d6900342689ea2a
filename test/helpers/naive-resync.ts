import { referenceCrc32 } from '../../src/format/crc32.js';
import { decodePayload } from '../../src/format/frame.js';

/** What resynchronising finds, by the letter of its definition and without a thought for time. */
export function naiveFrames(file: Buffer, from: number): { position: number; bytes: number }[] {
  const found = [];
  for (let at = from; at + 10 <= file.length;) {
    const length = file.readUInt32BE(at + 2);
    const payload = file.subarray(at + 10, at + 10 + length);
    const holds =
      file.readUInt16BE(at) === 0x4d51 &&
      length >= 29 &&
      payload.length === length &&
      decodePayload(payload) !== null &&
      referenceCrc32(payload) === file.readUInt32BE(at + 6);
    if (holds) found.push({ position: at, bytes: 10 + length });
    at += holds ? 10 + length : 1;
  }
  return found;
}
