import fc from 'fast-check';
import { encodeFrame } from '../../src/format/frame.js';
import type { SegmentRecord } from '../../src/format/frame.js';

const MAX_U64 = 0xffff_ffff_ffff_ffffn;
const bytes = fc.oneof(
  { weight: 4, arbitrary: fc.uint8Array({ maxLength: 40 }) },
  { weight: 1, arbitrary: fc.constantFrom(new Uint8Array(300), Buffer.from('MQMQMQMQMQMQ')) },
);

/** Any record; its offset too is any. */
export const anyRecord: fc.Arbitrary<SegmentRecord> = fc.record({
  offset: fc.bigInt({ min: 0n, max: MAX_U64 }),
  timestamp: fc.bigInt({ min: 0n, max: MAX_U64 }),
  key: fc.option(bytes),
  value: bytes,
  headers: fc.array(fc.record({ key: bytes, value: bytes }), { maxLength: 3 }),
});

/** Frames of records in sequence from offset 0. */
export const anyFrames: fc.Arbitrary<Buffer> = fc
  .array(anyRecord, { maxLength: 8 })
  .map((records) =>
    Buffer.concat(records.map((record, n) => encodeFrame({ ...record, offset: BigInt(n) }))),
  );

/** A damage: it changes the bytes in place or gives others back. */
type Damage = (file: Buffer) => Buffer;
const anyDamage: fc.Arbitrary<Damage> = fc.oneof<fc.Arbitrary<Damage>[]>(
  fc.nat().map((at) => (file: Buffer) => file.subarray(0, at % (file.length + 1))),
  fc.tuple(fc.nat(), fc.nat(7)).map(([at, bit]) => (file: Buffer) => {
    if (file.length > 0)
      file.writeUInt8(file.readUInt8(at % file.length) ^ (1 << bit), at % file.length);
    return file;
  }),
  fc.tuple(fc.nat(), fc.nat(60)).map(([at, length]) => (file: Buffer) => {
    const start = at % (file.length + 1);
    return file.fill(0, start, Math.min(file.length, start + length));
  }),
  fc.uint8Array({ maxLength: 60 }).map((tail) => (file: Buffer) => Buffer.concat([file, tail])),
  fc.nat(200).map((length) => (file: Buffer) => Buffer.concat([file, Buffer.alloc(length)])),
  anyFrames.map((frames) => (file: Buffer) => Buffer.concat([file, frames])),
);

/** A segment file with up to four damages. */
export const damagedFile: fc.Arbitrary<Buffer> = fc
  .tuple(anyFrames, fc.array(anyDamage, { maxLength: 4 }))
  .map(([frames, damages]) =>
    damages.reduce<Buffer>((file, damage) => damage(file), Buffer.from(frames)),
  );
