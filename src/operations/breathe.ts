const BREATH_MS = 20;
let lastBreath = performance.now();

/** One turn of the event loop: whatever waits, such as a signal, is heard. */
export async function turn(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Lets signals and the terminal have their turn, if the last one was a while ago. */
export async function breathe(): Promise<void> {
  const now = performance.now();
  if (now - lastBreath < BREATH_MS) return;
  await turn();
  lastBreath = performance.now();
}

/**
 * Runs stepwise work to its end and breathes in between.
 *
 * @param onPosition hears each position that the work yields.
 */
export async function runBreathing<T>(
  steps: Generator<number, T>,
  onPosition?: (position: number) => void,
): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    onPosition?.(step.value);
    await breathe();
  }
}
