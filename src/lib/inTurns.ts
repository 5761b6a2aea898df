import type { Log } from './log.ts';

export type InTurnsOptions<T> = {
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
