import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { priceAtStep } from '../../../src/market/rules/priceStep.ts';
import { auctionFlow } from '../../../src/sources/quotes/simulator/auctionFlow.ts';
import { createBook } from '../../../src/sources/quotes/simulator/book.ts';
import { gauss, unit } from '../../../src/sources/quotes/simulator/random.ts';
import { trendOf } from '../../../src/sources/quotes/simulator/stockDay.ts';

describe('the order flow of an auction', () => {
  const goal = fc.record({
    reference: fc.integer({ min: 1, max: 3000 }),
    target: fc.integer({ min: 1, max: 3000 }),
    volume: fc.integer({ min: 0, max: 5_000_000 }),
    surplus: fc.integer({ min: -2_000_000, max: 2_000_000 }),
    from: fc.constant(25_200),
    until: fc.constant(35_940),
    orders: fc.integer({ min: 1, max: 200 }),
  });
  const seed = fc.integer({ min: 0, max: 2 ** 31 });

  test('ends in a book whose auction is the goal, or crosses nothing', () => {
    fc.assert(
      fc.property(goal, seed, fc.integer({ min: 0, max: 100_000 }), (aim, random, usual) => {
        const book = createBook();
        for (const { buy, step, volume } of auctionFlow(aim, usual, random)) book.add(buy, step, volume);
        const expected = { price: priceAtStep(aim.target), volume: aim.volume, surplus: aim.surplus };
        expect(book.match(priceAtStep(aim.reference))).toEqual(aim.volume > 0 ? expected : null);
      }),
      { numRuns: 300 },
    );
  });

  test('comes in order and in time, and never takes out what is not there', () => {
    fc.assert(
      fc.property(goal, seed, (aim, random) => {
        const left = new Map<string, number>();
        let before: number = aim.from;
        for (const { second, buy, step, volume } of auctionFlow(aim, 1000, random)) {
          expect(second).toBeGreaterThanOrEqual(before);
          expect(second).toBeLessThanOrEqual(aim.until);
          before = second;
          const key = `${buy} ${step}`;
          left.set(key, (left.get(key) ?? 0) + volume);
          expect(left.get(key)).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('randomness by index', () => {
  test('is even, centred and the same every time', () => {
    const numbers = Array.from({ length: 20_000 }, (_, index) => unit(77, index));
    const mean = numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.01);
    expect(numbers.every((one) => one >= 0 && one < 1)).toBe(true);
    const normal = Array.from({ length: 20_000 }, (_, index) => gauss(78, index));
    expect(Math.abs(normal.reduce((sum, one) => sum + one, 0) / normal.length)).toBeLessThan(0.03);
    expect(Math.abs(normal.reduce((sum, one) => sum + one * one, 0) / normal.length - 1)).toBeLessThan(0.05);
    expect(unit(77, 5)).toBe(numbers[5] as number);
  });
});

describe('trend', () => {
  const bars = (...closes: [string, number][]) => closes.map(([date, close]) => ({ date, close }));

  test('counts the newest days and weeks in one direction, the running week with its latest close', () => {
    const up = bars(
      ['2026-11-06', 1],
      ['2026-11-13', 2],
      ['2026-11-16', 1.5],
      ['2026-11-17', 2.1],
      ['2026-11-18', 2.2],
    );
    expect(trendOf(up)).toEqual({ daysUp: 2, daysDown: 0, weeksUp: 2, weeksDown: 0 });
    const down = bars(['2026-11-13', 2], ['2026-11-16', 2.5], ['2026-11-17', 1.9]);
    expect(trendOf(down)).toEqual({ daysUp: 0, daysDown: 1, weeksUp: 0, weeksDown: 1 });
  });

  test('is flat after an unchanged close or without history', () => {
    expect(trendOf(bars(['2026-11-16', 1], ['2026-11-17', 2], ['2026-11-18', 2]))).toMatchObject({
      daysUp: 0,
      daysDown: 0,
    });
    expect(trendOf([])).toEqual({ daysUp: 0, daysDown: 0, weeksUp: 0, weeksDown: 0 });
  });
});
