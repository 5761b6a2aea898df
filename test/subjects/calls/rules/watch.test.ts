import { describe, expect, test } from 'bun:test';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';
import type { Quote } from '../../../../src/subjects/calls/rules/pricePath.ts';
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

describe('a session with the figures of the day before', () => {
  const parcel: Quote = { ...quote, open: 0.003, high: 0.003, low: 0.003, last: 0.003, volume: 5000 };
  const monday = startWatch({ quote: parcel, time: start, takenAt: start });
  const time = fromSydney('2026-11-23', 11, 1);
  const next = (statedAt: number | null) =>
    watchQuote(monday, { quote: { ...parcel, date: '2026-11-23' }, time, takenAt: time, statedAt }, feed);

  test('was traded if the quote was made on its date', () => {
    const { trades, watch } = next(fromSydney('2026-11-23', 11, 0));
    expect(trades).toEqual([
      {
        ...{ open: 0.003, high: 0.003, low: 0.003, last: 0.003 },
        ...{ time, since: fromSydney('2026-11-23', 9, 59) },
      },
    ]);
    expect(watch.quote.date).toBe('2026-11-23');
  });
  test.each([
    ['no time', null],
    ['a time of the day before', start],
    ['a time before the open', fromSydney('2026-11-23', 8, 0)],
  ])('was not, as far as is known, with %s', (_, statedAt) => {
    expect(next(statedAt).trades).toEqual([]);
    expect(next(statedAt).watch.quote.date).toBe('2026-11-20');
  });
});

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
