import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { DailySample } from '../../../../src/subjects/calls/rules/dailyResults.ts';
import { rankBounds } from '../../../../src/subjects/calls/rules/rankBounds.ts';

const sample = (days: number, mean: number, spread = 5): DailySample => ({
  days,
  mean,
  variance: spread ** 2,
});
const many = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);

const sampleArb = fc.record({
  days: fc.integer({ min: 0, max: 300 }),
  mean: fc.integer({ min: -100, max: 100 }),
  variance: fc.integer({ min: 0, max: 10_000 }),
});

describe('lower bounds of true means', () => {
  test('need ten days, a provisional one five', () => {
    const bounds = rankBounds([sample(4, 30), sample(5, 30), sample(9, 30), sample(10, 30), sample(0, 0)]);
    expect(bounds.map(({ full }) => full !== null)).toEqual([false, false, false, true, false]);
    expect(bounds.map(({ provisional }) => provisional !== null)).toEqual([false, true, true, true, false]);
  });

  test('by hand: two submitters, means 4 and −4, spread 5, 25 days', () => {
    // The variance of a mean is 25 / 25 = 1, so the prior's is 4² − 1 = 15, and 15/16 of a mean is kept.
    const [up, down] = rankBounds([sample(25, 4), sample(25, -4)]);
    expect(up?.full).toBeCloseTo(3.75 - 1.959964 * Math.sqrt(15 / 16), 5);
    expect(up?.provisional).toBeCloseTo(3.75 - 1.281552 * Math.sqrt(15 / 16), 5);
    expect(down?.full).toBeCloseTo(-3.75 - 1.959964 * Math.sqrt(15 / 16), 5);
  });

  test('are zero for all where chance explains how the means differ', () => {
    const bounds = rankBounds([sample(20, 1), sample(20, -1), sample(20, 0.5), sample(20, 0)]);
    for (const { full } of bounds) expect(full).toBeCloseTo(0, 9);
  });

  test('take a spread below 5 % for 5 %: small gains may hide a large loss that has not come yet', () => {
    const [farmer] = rankBounds([sample(100, 0.9, 0.1), ...many(20, sample(100, 0))]);
    expect(farmer?.full).toBeLessThanOrEqual(0);
  });

  test('shrink a short streak without spread towards the usual spread of the board', () => {
    const others = [...many(10, sample(50, 3, 12)), ...many(10, sample(50, -3, 12))];
    const [streak] = rankBounds([sample(10, 5, 0), ...others]);
    const [alone] = rankBounds([sample(10, 5, 0), ...many(10, sample(50, 3)), ...many(10, sample(50, -3))]);
    expect(streak?.full).toBeLessThan(alone?.full ?? 0);
  });

  test('are not moved by a few lotteries on the board', () => {
    const board = [...many(20, sample(50, 3, 7)), ...many(20, sample(50, -3, 7))];
    const [without] = rankBounds(board);
    const [withThem] = rankBounds([...board, ...many(5, sample(50, 2, 150))]);
    expect(withThem?.full).toBeCloseTo(without?.full ?? 0, 1);
  });

  test('lie below the mean, the full one below the provisional one, whatever the board', () => {
    fc.assert(
      fc.property(fc.array(sampleArb, { maxLength: 30 }), (board) => {
        const bounds = rankBounds(board);
        expect(bounds).toHaveLength(board.length);
        bounds.forEach(({ full, provisional }, index) => {
          const mean = board[index]?.mean ?? 0;
          if (provisional === null) return;
          expect(Number.isFinite(provisional)).toBe(true);
          expect(provisional).toBeLessThanOrEqual(Math.max(0, mean));
          if (full !== null) expect(full).toBeLessThanOrEqual(provisional);
        });
      }),
    );
  });

  test('grow with more days of the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 100 }), fc.integer({ min: 1, max: 20 }), (days, mean) => {
        const others = [...many(10, sample(50, 6)), ...many(10, sample(50, -6))];
        const [less] = rankBounds([sample(days, mean), ...others]);
        const [more] = rankBounds([sample(days * 2, mean), ...others]);
        expect(more?.full).toBeGreaterThan(less?.full ?? 0);
      }),
    );
  });
});
