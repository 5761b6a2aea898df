import type { DayMemory } from '../../../rules/dayMemory.ts';
import type { Readiness } from '../../../rules/readiness.ts';

/** What is kept of a stock besides what each scan remembers of it. */
export type Known = {
  readonly number: number;
  readonly code: string;
  readonly days: DayMemory;
  /** How it was at its last look; null before the first, and when all scans must look at it again. */
  readiness: Readiness | null;
};

/** Numbers stocks from 0 in the order in which they come, and keeps the numbers of those that an earlier run knew. */
export function createStocks(grow: (stocks: number) => void) {
  const byCode = new Map<string, Known>();
  let room = 0;

  function add(code: string): Known {
    const known: Known = { number: byCode.size, code, days: { quote: null, prior: null }, readiness: null };
    byCode.set(code, known);
    if (byCode.size > room) {
      room = Math.max(512, room * 2);
      grow(room);
    }
    return known;
  }

  return {
    of: (code: string): Known => byCode.get(code) ?? add(code),
    get: (code: string): Known | undefined => byCode.get(code),
    all: (): Iterable<Known> => byCode.values(),
    codes: (): string[] => [...byCode.keys()],
  };
}
