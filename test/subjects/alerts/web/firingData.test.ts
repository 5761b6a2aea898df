import { describe, expect, test } from 'bun:test';
import { timeframeFor } from '../../../../src/subjects/alerts/rules/firingSpan.ts';
import type { BarsAnswer } from '../../../../src/market/bars/rules/bars.ts';
import {
  barsWithin,
  dataOfCloses,
  dataWithin,
} from '../../../../src/subjects/alerts/web/watchlist/parts/FiringChart.tsx';

const column = (from: number) => [0, 1, 2, 3, 4].map((index) => from + index);
const bars = {
  time: [10, 20, 30, 40, 50],
  open: column(100),
  high: column(200),
  low: column(50),
  close: column(150),
  volume: column(0),
};
const answer: BarsAnswer = {
  symbol: 'BHP',
  tf: '1',
  bars,
  quote: null,
  note: null,
  knownSince: 5,
  hasMore: true,
  unknown: [
    { from: 0, until: 20 },
    { from: 22, until: 28 },
    { from: 50, until: 90 },
  ],
  partial: [],
  adjustments: [],
};

describe('the bars of a period', () => {
  test('are those that begin in it, every column alike', () =>
    expect(barsWithin(bars, 20, 40)).toEqual({
      time: [20, 30, 40],
      open: [101, 102, 103],
      high: [201, 202, 203],
      low: [51, 52, 53],
      close: [151, 152, 153],
      volume: [1, 2, 3],
    }));
  test('may be none', () => {
    expect(barsWithin(bars, 51, 90).time).toEqual([]);
    expect(barsWithin(bars, 0, 9).time).toEqual([]);
    expect(dataWithin(answer, 51, 90, {})).toBeNull();
  });
  test('come with what is unknown of it', () =>
    expect(dataWithin(answer, 20, 40, {})?.unknown).toEqual([{ from: 22, until: 28 }]));
});

describe('a rehearsal without bars', () => {
  test('is drawn of its closes', () => {
    const data = dataOfCloses({ times: [1, 2], closes: [5, 6] }, 'D', { levels: [] });
    expect(data?.bars).toEqual({
      time: [1, 2],
      open: [5, 6],
      high: [5, 6],
      low: [5, 6],
      close: [5, 6],
      volume: [0, 0],
    });
  });
  test('is not drawn of a single one', () =>
    expect(dataOfCloses({ times: [1], closes: [5] }, 'D', {})).toBeNull());
});

test.each([
  [0, '1'],
  [7, '1'],
  [8, '5'],
  [36, '60'],
  [500, 'D'],
  [4000, 'W'],
  [20_000, 'M'],
] as const)('%d days are shown by bars of %s', (days, tf) =>
  expect(timeframeFor(1e12, 1e12 + days * 86_400_000)).toBe(tf),
);
