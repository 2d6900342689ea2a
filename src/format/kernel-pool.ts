import type { FrameKernel } from './frame-kernel.js';
import { createKernel } from './frame-kernel.js';

const idle: FrameKernel[] = [];

/**
 * Lends a kernel for work in steps. Its window belongs to that work alone until it ends, so work on
 * several files may be interleaved; kernels are kept for the next file.
 */
export function* withKernel<T>(
  use: (kernel: FrameKernel) => Generator<number, T>,
): Generator<number, T> {
  const kernel = idle.pop() ?? createKernel();
  try {
    return yield* use(kernel);
  } finally {
    idle.push(kernel);
  }
}
