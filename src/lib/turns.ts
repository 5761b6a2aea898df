import type { Stopwatch } from './clock.ts';
import type { Log } from './log.ts';

/** Resolves in the next turn of the event loop, so that others come in between the parts of long work. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

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

type InTurnsOptions<T> = {
  each(one: T): void;
  /** How many at once. */
  atOnce: number;
  /** Runs a function after other work had its turn. */
  later(run: () => void): void;
  log: Log;
  /** The line of the log where some of them failed. */
  failure: string;
};

/** Does something with each of many, in their order: some at once, the rest after other work had its turn. */
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
    /** What comes while others wait waits behind them. */
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
