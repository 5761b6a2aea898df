import type { Stopwatch } from './clock.ts';
import { nextTurn } from './nextTurn.ts';

/** After so long work lets others have their turn, ms. */
const SLICE_MS = 4;

/**
 * Runs steps to their end, with a turn of the event loop for others after each slice. It begins at once, so that what the
 * first steps read is of now.
 * @param steps each much shorter than a slice
 * @throws what a step throws
 */
export async function inSlices<T>(
  clock: Stopwatch,
  steps: Generator<unknown, T>,
  sliceMs = SLICE_MS,
): Promise<T> {
  for (let until = clock.monotonic() + sliceMs; ; ) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (clock.monotonic() < until) continue;
    await nextTurn();
    until = clock.monotonic() + sliceMs;
  }
}
