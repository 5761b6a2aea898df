import { describe, expect, test } from 'bun:test';
import { HONEST, outcomesOf, PUPPETS, TRICKS } from '#support/rankBoards.ts';

/** Shares of those who gain at least 2 % a call that have a rank, and a rank or a provisional one, after some days. */
function sharesOfGood(days: number): { ranked: number; withProvisional: number } {
  const good = [...outcomesOf(HONEST, days)].filter(([name]) => Number.parseFloat(name) >= 2);
  const sum = (of: 'accounts' | 'ranked' | 'provisional'): number =>
    good.reduce((total, [, outcome]) => total + outcome[of], 0);
  return {
    ranked: sum('ranked') / sum('accounts'),
    withProvisional: (sum('ranked') + sum('provisional')) / sum('accounts'),
  };
}

describe('ten boards of 200 honest submitters, at a spread of 7 % a call', () => {
  test('rank most good ones after 50 days, and nearly all after 250', () => {
    const { ranked, withProvisional } = sharesOfGood(50);
    expect(ranked).toBeGreaterThan(0.55);
    expect(withProvisional).toBeGreaterThan(0.77);
    expect(sharesOfGood(250).ranked).toBeGreaterThan(0.95);
  });

  test('rank few of those who gain nothing', () => {
    const nothing = outcomesOf(HONEST, 50).get('0');
    expect(nothing?.ranked).toBeLessThan(0.04 * (nothing?.accounts ?? 0));
  });

  test.each(TRICKS)('$name: none in the first tenth', (cheat) => {
    for (const days of [50, 100]) {
      const outcome = outcomesOf([...HONEST, cheat], days).get(cheat.name);
      expect(outcome?.inFirstTenth).toBe(0);
      expect(outcome?.ranked).toBeLessThan(0.08 * (outcome?.accounts ?? 0));
    }
  });

  test.each(PUPPETS)('$name: fewer than one in 200 is in the first tenth', (cheat) => {
    for (const days of [50, 100]) {
      const outcome = outcomesOf([...HONEST, cheat], days).get(cheat.name);
      expect(outcome?.inFirstTenth).toBeLessThan(0.005 * (outcome?.accounts ?? 0));
      expect(outcome?.ranked).toBeLessThan(0.05 * (outcome?.accounts ?? 0));
    }
  });
});

test('on a board of nothing but one kind of cheat next to nobody has a rank', () => {
  for (const cheat of [...TRICKS, ...PUPPETS]) {
    const outcome = outcomesOf([cheat], 50).get(cheat.name);
    expect(outcome?.ranked).toBeLessThan(0.03 * (outcome?.accounts ?? 0));
  }
});
