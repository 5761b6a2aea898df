import { describe, expect, test } from 'bun:test';
import type { Quote } from '../../../../src/subjects/calls/rules/pricePath.ts';
import { isSplit } from '../../../../src/subjects/calls/rules/splits.ts';
import {
  startWatch,
  trustedPrice,
  type Watch,
  watchQuote,
} from '../../../../src/subjects/calls/rules/watch.ts';

const start = Date.UTC(2026, 10, 20, 0);
const quote: Quote = { date: '2026-11-20', open: 1, high: 1, low: 1, last: 1, volume: 100, close: 1 };
const feed = { days: 'consecutive' as const, delayMs: 0 };
const first = startWatch({ quote, time: start, takenAt: start });

/** A quote this many seconds later. */
const see = (watch: Watch, seconds: number, change: Partial<Quote>, traits = feed) => {
  const time = start + seconds * 1000;
  return watchQuote(watch, { quote: { ...watch.quote, ...change }, time, takenAt: time }, traits);
};

/** Trades at these prices, a minute and a half apart. @returns what was told of each, and the watch after it */
function trade(...prices: number[]) {
  let watch = first;
  const told = prices.map((last, index) => {
    const { high, low, volume } = watch.quote;
    const range = { high: Math.max(high ?? last, last), low: Math.min(low ?? last, last) };
    const observed = see(watch, (index + 1) * 90, { last, ...range, volume: (volume ?? 0) + 10 });
    watch = observed.watch;
    return observed.trades.map((update) => update.last);
  });
  return { told, watch };
}

describe('a step of more than 40 %', () => {
  test('that the next trade undoes is a bad print: nothing is told of it', () => {
    const { told, watch } = trade(1.1, 5, 1.1, 1.2);
    expect(told).toEqual([[1.1], [], [1.1], [1.2]]);
    expect(trustedPrice(watch)).toBe(1.2);
  });
  test('that the third trade undoes is one too', () => {
    expect(trade(1.1, 0.2, 0.2, 0.21, 1.1).told).toEqual([[1.1], [], [], [], [1.1]]);
  });
  test('that three trades confirm is told then, each with its own time', () => {
    const { told, watch } = trade(1.1, 1.6, 1.7, 1.65, 1.6, 1.5);
    expect(told).toEqual([[1.1], [], [], [], [1.6, 1.7, 1.65, 1.6], [1.5]]);
    expect(watch.doubt).toBeNull();
  });
  test('while it is in doubt, the price before it is the one that is trusted', () => {
    expect(trustedPrice(trade(1.1, 5).watch)).toBe(1.1);
  });
  test('a step of 40 % is none', () => expect(trade(1.1, 1.54).told).toEqual([[1.1], [1.54]]));
  test('a doubt is the same after it was stored', () => {
    const { watch } = trade(1.1, 5);
    const stored: Watch = JSON.parse(JSON.stringify(watch));
    expect(see(stored, 400, { last: 1.1, volume: 500 }).trades.map(({ last }) => last)).toEqual([1.1]);
  });
  test('that came and went between two quotes of a minute is left out of the range', () => {
    const { trades } = see(first, 2, { high: 5, last: 1.05, volume: 130 });
    expect(trades).toMatchObject([{ last: 1.05 }]);
    expect(trades[0]?.high).toBeUndefined();
  });
  test('after a longer time the range is believed, as it holds more than one trade', () => {
    const { trades } = see(first, 4000, { high: 5, last: 1.05, volume: 1300 });
    expect(trades).toMatchObject([{ high: 5, last: 1.05 }]);
  });
});

describe('a quote that is older than the last', () => {
  test('changes nothing, and what it moved is not told later', () => {
    const { watch } = see(first, 60, { last: 1.1, high: 1.1, volume: 110 });
    const older = watchQuote(
      watch,
      {
        quote: { ...watch.quote, last: 1.3, high: 1.3, volume: 120 },
        time: start + 1000,
        takenAt: start + 61_000,
      },
      feed,
    );
    expect(older.trades).toEqual([]);
    const after = see(older.watch, 90, { last: 1.15, volume: 130 });
    expect(after.trades).toMatchObject([{ last: 1.15 }]);
    expect(after.trades[0]?.high).toBeUndefined();
  });
  test('unless the last one came from a clock that has been set back since', () => {
    const ahead = startWatch({ quote, time: start + 9e9, takenAt: start });
    expect(see(ahead, 60, { last: 1.1, volume: 110 }).trades).toMatchObject([{ last: 1.1 }]);
  });
});

describe('splits and consolidations', () => {
  const nextDay = { date: '2026-11-23', open: 0.5, high: 0.52, low: 0.5, last: 0.51, volume: 9 };
  const after = (change: Partial<Quote>) => see(first, 250_000, { ...nextDay, ...change });

  for (const [name, close] of [
    ['2:1', 0.5],
    ['3:2', 0.667],
    ['5:4', 0.8],
    ['10:1', 0.1],
    ['1:2', 2],
    ['2:3', 1.5],
    ['4:5', 1.25],
    ['1:10', 10],
  ] as const) {
    test(`${name} at a day's start is one`, () => expect(after({ close }).isAdjusted).toBe(true));
  }
  test('a distance that is no usual ratio is none', () => {
    for (const close of [0.45, 0.57, 0.9, 1.15, 7]) expect(after({ close }).isAdjusted).toBe(false);
  });
  test('within a day it is none, nor when the previous close has not rolled over', () => {
    expect(see(first, 60, { close: 0.5, last: 0.9, volume: 110 }).isAdjusted).toBe(false);
    expect(
      see({ ...first, trade: { price: 2, date: '2026-11-19', close: 1 } }, 60, { volume: 110 }),
    ).toMatchObject({
      isAdjusted: false,
    });
  });
  test('days that do not follow each other prove nothing', () => {
    const { isAdjusted } = see(
      first,
      250_000,
      { ...nextDay, close: 0.5 },
      { ...feed, days: 'independent' as never },
    );
    expect(isAdjusted).toBe(false);
  });
  test('looks between the days, with figures that stand or are cleared, do not hide it', () => {
    const standing = see(first, 60_000, { date: '2026-11-23' }).watch;
    const cleared = see(standing, 70_000, {
      open: null,
      high: null,
      low: null,
      last: null,
      volume: null,
    }).watch;
    expect(see(cleared, 250_000, { ...nextDay, close: 0.5 }).isAdjusted).toBe(true);
  });
  test('the rounding of a price below a cent is allowed for', () => {
    expect(isSplit(0.011, 0.006)).toBe(true);
    expect(isSplit(0.011, 0)).toBe(false);
  });
  test('a price step or two of a share below a cent are trading', () => {
    for (const close of [0.001, 0.002, 0.003, 0.004]) expect(isSplit(0.002, close)).toBe(false);
    expect(isSplit(0.002, 0.02)).toBe(true);
  });
});
