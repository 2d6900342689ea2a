import type { FrameKernel } from '../format/frame-kernel.js';
import { createPlainKernel } from '../format/frame-kernel.js';

let kernel: FrameKernel | undefined;

/** The thread's one kernel: its window is large, and no two walks look at it at the same time. */
export function sharedKernel(): FrameKernel {
  kernel ??= createPlainKernel();
  return kernel;
}
