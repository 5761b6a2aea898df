import type { Stopwatch } from './clock.ts';
import type { Log } from './log.ts';

export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const SLICE_MS = 4;

/**
 * Runs steps to the end, and yields to the event loop after each slice. It starts synchronously, so the first
 * steps read the current state.
 * @param steps each much shorter than a slice
 * @throws the error of a step
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

type InTurnsOptions<T> = {
  each(one: T): void;
  atOnce: number;
  later(run: () => void): void;
  log: Log;
  failure: string;
};

export function createInTurns<T>({ each, atOnce, later, log, failure }: InTurnsOptions<T>) {
  let waiting: T[] = [];

  function goOn(): void {
    const errors: unknown[] = [];
    for (const one of waiting.splice(0, atOnce)) {
      try {
        each(one);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) log.error(failure, { failed: errors.length, error: errors[0] });
    if (waiting.length > 0) later(goOn);
  }

  return {
    add(some: readonly T[]): void {
      const isUnderWay = waiting.length > 0;
      waiting = [...waiting, ...some];
      if (!isUnderWay) goOn();
    },
    clear(): void {
      waiting = [];
    },
  };
}
