import { join } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { isMissing, removeIfThere, replaceFile } from '../disk/durable.js';
import { readSmallFile } from '../disk/file-source.js';
import type { SettlingMarker } from '../format/markers.js';
import { parseSettling, renderSettling } from '../format/markers.js';
import { RECOVERING_MARKER, RESTORING_MARKER, SETTLING_MARKER } from '../format/names.js';

/*
 * While a copy is changed, a note in its directory says what is being done, so that a run which was cut short
 * is known for one, and can be finished or undone. A node ignores such a file.
 */

const NOTE_LIMIT_BYTES = 65536;

/** What a settling that was cut short was doing in a copy; `null` if there was none. */
export function readSettlingNote(disk: Disk, directory: string): SettlingMarker | null {
  const text = readNote(disk, join(directory, SETTLING_MARKER));
  return text === null ? null : parseSettling(text);
}

export function writeSettlingNote(disk: Disk, directory: string, note: SettlingMarker): void {
  replaceFile(disk, join(directory, SETTLING_MARKER), Buffer.from(renderSettling(note)));
}

/** The quarantine entry from which a copy was being restored when that was cut short; else `null`. */
export function readRestoringNote(disk: Disk, directory: string): string | null {
  return readNote(disk, join(directory, RESTORING_MARKER));
}

export function writeRestoringNote(disk: Disk, directory: string, entry: string): void {
  replaceFile(disk, join(directory, RESTORING_MARKER), Buffer.from(entry));
}

/** The quarantine entry of a recovery that was cut short; else `null`. */
export function readRecoveringNote(disk: Disk, directory: string): string | null {
  return readNote(disk, join(directory, RECOVERING_MARKER));
}

export function writeRecoveringNote(disk: Disk, directory: string, entry: string): void {
  replaceFile(disk, join(directory, RECOVERING_MARKER), Buffer.from(entry));
}

/** The work is done. */
export function removeNotes(disk: Disk, directory: string): void {
  const names = [SETTLING_MARKER, RESTORING_MARKER, RECOVERING_MARKER];
  const removed = names.filter((name) => removeIfThere(disk, join(directory, name)));
  if (removed.length > 0) disk.syncDirectory(directory);
}

function readNote(disk: Disk, path: string): string | null {
  try {
    return readSmallFile(disk, path, NOTE_LIMIT_BYTES).toString('utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
