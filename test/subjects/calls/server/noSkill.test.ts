import { describe, expect, test } from 'bun:test';
import { type Outcome, tradeBlindly } from '../../../support/blindTraders.ts';

/** This many standard errors above zero a mean may lie by chance: one in seven hundred does. */
const BOUND = 3;
const SEEDS = Array.from({ length: 10 }, (_, index) => 101 + index * 7919);
/** Of a market: in this many every strategy has used up its calls, or nearly. */
const STEPS = 150;

/** The mean over the markets, in its own standard errors. */
function scoreOf(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null);
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const variance = known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (known.length - 1);
  return mean / Math.sqrt(variance / known.length);
}

/** By strategy; on a feed that is never late nobody sees a price elsewhere, and that strategy posts nothing. */
const byName = (outcomes: readonly Outcome[]) =>
  [...Map.groupBy(outcomes, ({ name }) => name)].filter(([, own]) =>
    own.some(({ verified }) => verified !== null),
  );

/**
 * On a fair random walk nobody who does not know the future can have a mean result above zero. The same calls by the
 * rule as it was before show that the test would notice.
 */
for (const [delayMinutes, former] of [
  [0, ['cancels when down, closes when up', 'closes winners, leaves losers open']],
  [20, ['posts when the price elsewhere is ahead']],
] as const) {
  describe(`on a feed ${delayMinutes} minutes late`, () => {
    const outcomes = SEEDS.flatMap((seed) => tradeBlindly(seed, delayMinutes, STEPS));
    for (const [name, own] of byName(outcomes)) {
      test(`"${name}" gains nothing`, () => {
        const scores = own.map(({ verified }) => verified);
        expect(scores.filter((score) => score !== null).length).toBeGreaterThan(SEEDS.length / 2);
        expect(scoreOf(scores)).toBeLessThan(BOUND);
      });
    }

    test('by the rule as it was before some of them win', () => {
      const winners = byName(outcomes).filter(([, own]) => scoreOf(own.map(({ before }) => before)) > BOUND);
      expect(winners.map(([name]) => name)).toEqual(expect.arrayContaining([...former]));
    });
  });
}
