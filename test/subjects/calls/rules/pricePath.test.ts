import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Quote, tradedBetween } from '../../../../src/subjects/calls/rules/pricePath.ts';

const quote: Quote = { date: '2026-11-20', open: 1, high: 1.2, low: 0.9, last: 1.1, volume: 500, close: 1 };

describe('within a session', () => {
  const cases: [string, Partial<Quote>, ReturnType<typeof tradedBetween>][] = [
    ['nothing changed', {}, null],
    ['only the previous close changed', { close: 1.3 }, null],
    ['a new last', { last: 1.05, volume: 600 }, { last: 1.05 }],
    ['another trade at the same price', { volume: 600 }, { last: 1.1 }],
    ['a high between two looks', { high: 1.4, volume: 600 }, { last: 1.1, high: 1.4 }],
    ['a low between two looks', { low: 0.8 }, { low: 0.8 }],
    ['a high while the volume is not told', { high: 1.4, volume: null }, { high: 1.4 }],
    ['a corrected range with the same last', { high: 1.1, volume: 400 }, null],
    ['a corrected range with another last', { high: 1.1, volume: 400, last: 1.05 }, { last: 1.05 }],
    ['a range that was cleared', { open: null, high: null, low: null, last: null, volume: null }, null],
  ];
  for (const [name, change, traded] of cases) {
    test(name, () => expect(tradedBetween(quote, { ...quote, ...change })).toEqual(traded));
  }
  test('the first trade of the day brings the open', () => {
    const empty: Quote = { ...quote, open: null, high: null, low: null, last: null, volume: null };
    expect(tradedBetween(empty, quote)).toEqual({ open: 1, high: 1.2, low: 0.9, last: 1.1 });
  });
});

describe('over the night', () => {
  const next = { ...quote, date: '2026-11-23' };
  test('yesterday left standing is not a trade', () => expect(tradedBetween(quote, next)).toBeNull());
  test('yesterday with its volume cleared is not a trade', () => {
    expect(tradedBetween(quote, { ...next, volume: null })).toBeNull();
    expect(tradedBetween(quote, { ...next, volume: 0 })).toBeNull();
  });
  test('a new day counts with its whole range', () => {
    const opened = { ...next, open: 1.3, high: 1.35, low: 1.28, last: 1.3, volume: 40, close: 1.1 };
    expect(tradedBetween(quote, opened)).toEqual({ open: 1.3, high: 1.35, low: 1.28, last: 1.3 });
  });
  test('of a range that was left standing only the last price was traded today', () => {
    const partial = { ...next, last: 1.15, volume: 40 };
    expect(tradedBetween(quote, partial)).toEqual({ last: 1.15 });
  });
});

test('looking more often never shows a price outside what one look at the end shows', () => {
  const trade = fc.integer({ min: 1, max: 400 }).map((cents) => cents / 100);
  fc.assert(
    fc.property(fc.array(trade, { minLength: 1, maxLength: 30 }), fc.nat(29), (trades, cut) => {
      const at = (count: number): Quote => {
        const done = trades.slice(0, count);
        if (done.length === 0)
          return { ...quote, open: null, high: null, low: null, last: null, volume: null };
        return {
          ...quote,
          open: done[0] ?? null,
          high: Math.max(...done),
          low: Math.min(...done),
          last: done.at(-1) ?? null,
          volume: done.length,
        };
      };
      const middle = Math.min(cut, trades.length);
      const parts = [tradedBetween(at(0), at(middle)), tradedBetween(at(middle), at(trades.length))];
      const prices = parts.flatMap((part) => Object.values(part ?? {}));
      expect(Math.max(...prices)).toBe(Math.max(...trades));
      expect(Math.min(...prices)).toBe(Math.min(...trades));
    }),
  );
});
