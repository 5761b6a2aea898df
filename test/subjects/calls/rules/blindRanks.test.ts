import { describe, expect, test } from 'bun:test';
import { HONEST, outcomesOf, PUPPETS, TRICKS } from '#support/rankBoards.ts';

/** Shares of submitters gaining at least 2 % per call that have a rank, full or provisional, after these days. */
function sharesOfGood(days: number): { ranked: number; withProvisional: number } {
  const good = [...outcomesOf(HONEST, days)].filter(([name]) => Number.parseFloat(name) >= 2);
  const sum = (of: 'accounts' | 'ranked' | 'provisional'): number =>
    good.reduce((total, [, outcome]) => total + outcome[of], 0);
  return {
    ranked: sum('ranked') / sum('accounts'),
    withProvisional: (sum('ranked') + sum('provisional')) / sum('accounts'),
  };
}

describe('ten boards of 200 honest submitters with a spread of 7 % per call', () => {
  test('rank most good submitters after 50 days, and nearly all after 250', () => {
    const { ranked, withProvisional } = sharesOfGood(50);
    expect(ranked).toBeGreaterThan(0.55);
    expect(withProvisional).toBeGreaterThan(0.77);
    expect(sharesOfGood(250).ranked).toBeGreaterThan(0.95);
  });

  test('rank few submitters who gain nothing', () => {
    const nothing = outcomesOf(HONEST, 50).get('0');
    expect(nothing?.ranked).toBeLessThan(0.04 * (nothing?.accounts ?? 0));
  });

  test.each(TRICKS)('$name: none are in the top tenth', (cheat) => {
    for (const days of [50, 100]) {
      const outcome = outcomesOf([...HONEST, cheat], days).get(cheat.name);
      expect(outcome?.inFirstTenth).toBe(0);
      expect(outcome?.ranked).toBeLessThan(0.08 * (outcome?.accounts ?? 0));
    }
  });

  test.each(PUPPETS)('$name: fewer than one in 200 is in the top tenth', (cheat) => {
    for (const days of [50, 100]) {
      const outcome = outcomesOf([...HONEST, cheat], days).get(cheat.name);
      expect(outcome?.inFirstTenth).toBeLessThan(0.005 * (outcome?.accounts ?? 0));
      expect(outcome?.ranked).toBeLessThan(0.05 * (outcome?.accounts ?? 0));
    }
  });
});

test('on a board of only one kind of cheat almost none has a rank', () => {
  for (const cheat of [...TRICKS, ...PUPPETS]) {
    const outcome = outcomesOf([cheat], 50).get(cheat.name);
    expect(outcome?.ranked).toBeLessThan(0.03 * (outcome?.accounts ?? 0));
  }
});
