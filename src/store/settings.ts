import type { Disk } from '../disk/disk.js';
import { nodeDisk } from '../disk/node-disk.js';
import type { FrameKernel } from '../format/frame-kernel.js';
import { createKernel } from '../format/frame-kernel.js';
import { DEFAULT_INDEX_INTERVAL } from '../format/sidecar.js';
import { DEFAULT_FLUSH_BYTES, DEFAULT_FLUSH_COUNT } from './defaults.js';

export interface SegmentStoreOptions {
  readonly disk?: Disk;
  /** Size in bytes that a file is extended to before it is written; 0, the default: none. */
  readonly preallocBytes?: number;
  /** Least distance in bytes between two index entries, at least 1. Default 4096. */
  readonly indexInterval?: number;
  /** Buffered bytes that make an append sync, at least 1. Default 10485760. */
  readonly flushBytes?: number;
  /** Buffered records that make an append sync, at least 1. Default 20000. */
  readonly flushCount?: number;
  /** Memory to scan with, to be shared by scans that run one after the other. Default: a new one a scan. */
  readonly kernel?: FrameKernel;
}

export interface StoreSettings {
  readonly disk: Disk;
  readonly preallocBytes: number;
  readonly indexInterval: number;
  readonly flushBytes: number;
  readonly flushCount: number;
  readonly kernel: () => FrameKernel;
}

/** @throws RangeError if a number is out of its range. */
export function storeSettings(options: SegmentStoreOptions = {}): StoreSettings {
  const { kernel } = options;
  return {
    disk: options.disk ?? nodeDisk,
    preallocBytes: atLeast(0, 'preallocBytes', options.preallocBytes ?? 0),
    indexInterval: atLeast(1, 'indexInterval', options.indexInterval ?? DEFAULT_INDEX_INTERVAL),
    flushBytes: atLeast(1, 'flushBytes', options.flushBytes ?? DEFAULT_FLUSH_BYTES),
    flushCount: atLeast(1, 'flushCount', options.flushCount ?? DEFAULT_FLUSH_COUNT),
    kernel: kernel ? () => kernel : createKernel,
  };
}

/** @throws RangeError */
export function atLeast(least: number, name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new RangeError(`${name} must be a whole number of at least ${least}, found ${value}`);
}
