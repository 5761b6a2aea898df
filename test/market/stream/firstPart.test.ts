import { describe, expect, test } from 'bun:test';
import type { Stock } from '../../../src/market/rules/stock.ts';
import { beginningOf, byFirstShown } from '../../../src/market/stream/firstPart.ts';
import { aPreOpenStock, aStock } from '../../support/aStock.ts';

const META = { flags: { ignoreStatus: false }, dateToday: '2026-11-20' };
const many = (count: number, prefix: string, make: (index: number) => Partial<Stock>): Stock[] =>
  Array.from({ length: count }, (_, index) => aStock({ code: `${prefix}${100 + index}`, ...make(index) }));
const firstOf = (stocks: readonly Stock[]): Set<string> => {
  const ordered = byFirstShown(stocks, META);
  return new Set(ordered.stocks.slice(0, ordered.first).map(({ code }) => code));
};

/** Risers by percent that no table but the custom one shows, as their traded value is below the usual filter. */
const unshown = many(500, 'U', () => ({ change_percent: 90, last: 0.01, value: 1 }));

describe('what comes first', () => {
  test('holds the rows that each table begins with, though others rose more', () => {
    const small = many(40, 'S', (index) => ({ close: 0.5, last: 0.5 + index / 100, change_percent: 1 }));
    const large = many(40, 'L', (index) => ({ marketCap: 5e9, open: 30, last: 30, change_percent: index }));
    const preOpen = many(40, 'P', (index) => ({
      ...aPreOpenStock({ indicativeChangePercent: 1 + index }),
      code: `P${100 + index}`,
    }));
    const first = firstOf([...unshown, ...small, ...large, ...preOpen]);
    for (const prefix of ['S', 'L', 'P']) {
      for (let index = 139; index > 109; index -= 1) expect(first).toContain(`${prefix}${index}`);
    }
  });

  test('holds the rows of the Pre-Open Snapshot', () => {
    const snapshot = {
      capturedAt: '2026-11-19T22:59:00.000Z',
      indicativeChangePercent: 4,
      match_price: 0.5,
      match_vol: 100_000,
      match_value: 50_000,
      buy_surplus: 0,
    };
    const opened = many(5, 'O', () => ({ change: -1, change_percent: -50, preOpen: { snapshot } }));
    expect(firstOf([...unshown, ...opened])).toContain('O100');
  });

  test('is filled up with those that rose most, and never more than a few screens', () => {
    expect(firstOf(unshown).size).toBe(150);
    expect(firstOf(unshown.slice(0, 20)).size).toBe(20);
    expect(firstOf([]).size).toBe(0);
    const all = many(900, 'M', (index) => ({
      marketCap: index % 2 ? 5e9 : 1e6,
      open: index % 3 ? 0.5 : 5,
      last: index,
    }));
    expect(firstOf(all).size).toBeLessThanOrEqual(180);
  });

  test('loses and doubles no stock', () => {
    const all = [...unshown, ...many(300, 'S', (index) => ({ last: index }))];
    const { stocks } = byFirstShown(all, META);
    expect(stocks.map(({ code }) => code).sort()).toEqual(all.map(({ code }) => code).sort());
  });
});

describe('what one scanner begins with', () => {
  const codesOf = (...given: Parameters<typeof beginningOf>) => beginningOf(...given).map(({ code }) => code);

  test('is the top of its table and nothing of the others', () => {
    const small = many(90, 'S', (index) => ({ close: 0.5, open: 0.5, last: 0.5 + index / 100, change: 1 }));
    const large = many(90, 'L', (index) => ({ marketCap: 5e9, open: 30, last: 30 + index }));
    const codes = codesOf('intraDaySmall', [...unshown, ...small, ...large], META);
    expect(codes.sort()).toEqual(small.slice(30).map(({ code }) => code));
  });

  test('of the pre-market scanner is the top of both its tables', () => {
    const snapshot = {
      capturedAt: '2026-11-19T22:59:00.000Z',
      match_price: 0.5,
      match_vol: 100_000,
      match_value: 50_000,
      buy_surplus: 0,
    };
    const waiting = many(90, 'P', (index) => ({
      ...aPreOpenStock({ indicativeChangePercent: 1 + index }),
      code: `P${100 + index}`,
    }));
    const opened = many(90, 'O', (index) => ({
      preOpen: { snapshot: { ...snapshot, indicativeChangePercent: 1 + index } },
    }));
    const codes = codesOf('preMarket', [...waiting, ...opened], META);
    expect(codes.sort()).toEqual([...opened.slice(60), ...waiting.slice(60)].map(({ code }) => code));
  });

  test('is filled up with members that the usual filters hold back', () => {
    const cheap = many(90, 'C', (index) => ({
      close: 0.5,
      open: 0.5,
      last: 0.5 + index / 100,
      change: 1,
      value: 1,
    }));
    const codes = codesOf('intraDaySmall', cheap, META);
    expect(codes.sort()).toEqual(cheap.slice(30).map(({ code }) => code));
    expect(codesOf('intraDayLargeCap', cheap, META)).toEqual([]);
  });
});
