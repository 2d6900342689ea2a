import { digestOf } from './file-pieces.js';

const PART_BYTES = 80;

/**
 * Names a quarantine entry: `NODE.SEGMENT.FROM-TO.UTC`, of characters that are safe in every file name. A long
 * part is cut short and ends in a digest of the whole; the manifest has it in full.
 */
export function entryName(of: {
  readonly node: string | null;
  readonly segment: string;
  readonly fromByte: number;
  readonly toByte: number;
  readonly now: Date;
}): string {
  const time = of.now.toISOString().replaceAll(/[-:]/g, '');
  const parts = [namePart(of.segment), `${of.fromByte}-${of.toByte}`, time];
  return (of.node === null ? parts : [namePart(of.node), ...parts]).join('.');
}

/** Whether a directory is named as `entryName` does, perhaps with a number behind it. */
export function isEntryName(name: string): boolean {
  return /\.\d+-\d+\.[+-]?\d+T\d{6}\.\d{3}Z(-\d+)?$/.test(name);
}

function namePart(text: string): string {
  const safe = text.replaceAll(/[^A-Za-z0-9@_.-]/g, '_').replace(/^[.-]/, '_');
  if (safe === text && safe.length <= PART_BYTES) return safe;
  return `${safe.slice(0, PART_BYTES)}~${digestOf(Buffer.from(text)).slice(0, 12)}`;
}
