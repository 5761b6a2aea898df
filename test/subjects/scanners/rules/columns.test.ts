import { describe, expect, test } from 'bun:test';
import {
  BASE_COLUMNS,
  type BaseColumn,
  furtherColumns,
  toneOf,
} from '../../../../src/subjects/scanners/rules/columns.ts';
import { aPreOpenStock, aStock } from '../../../support/aStock.ts';

const labels = (columns: readonly { label: string }[]) => columns.map(({ label }) => label);
const find = (columns: readonly BaseColumn[], id: string): BaseColumn => {
  const found = columns.find((column) => column.id === id);
  if (!found) throw new Error(`There is no column ${id}.`);
  return found;
};

const INTRADAY = 'Name,Change,Last,Pips,VWAP,P. Close,Open,High,Low,$ Traded,Market Cap,Rel Vol';

describe('base columns', () => {
  test('are those of the spec, in its order', () => {
    expect(labels(BASE_COLUMNS.preMarket).join()).toBe(
      'Name,Gap %,Match,P. Close,Match Volume,Match Value,Rel Vol,Market Cap,Buy Surplus Vol',
    );
    expect(labels(BASE_COLUMNS.intraDaySmall).join()).toBe(INTRADAY);
    expect(labels(BASE_COLUMNS.intraDayMidLarge).join()).toBe(INTRADAY);
    expect(labels(BASE_COLUMNS.intraDayLargeCap).join()).toBe(INTRADAY);
    expect(labels(BASE_COLUMNS.custom).join()).toBe('Name,Price,Volume,Value');
  });
});

describe('values', () => {
  test('pips are counted in price steps', () => {
    const pips = find(BASE_COLUMNS.intraDaySmall, 'pips');
    expect(pips.value(aStock({ close: 0.5, last: 0.55 }))).toBe(10);
    expect(pips.value(aStock({ close: 0.5, last: 0.49 }))).toBe(-2);
    expect(pips.value(aStock({ last: null }))).toBeNull();
  });

  test('match value is volume times price when the source gave none', () => {
    const column = find(BASE_COLUMNS.preMarket, 'match_value');
    expect(column.value(aPreOpenStock({ match_value: 5 }))).toBe(5);
    expect(column.value(aPreOpenStock({ match_value: null, match_vol: 10, match_price: 0.5 }))).toBe(5);
    expect(column.value(aPreOpenStock({ match_value: null, match_vol: null }))).toBeNull();
  });
});

describe('direction', () => {
  const change = find(BASE_COLUMNS.intraDaySmall, 'change_percent');
  const vwap = find(BASE_COLUMNS.intraDaySmall, 'vwap');

  test('of a signed value is that of what is shown', () => {
    expect([3, -3, 0, 0.04, null].map((value) => toneOf(change, aStock({ change_percent: value })))).toEqual([
      'up',
      'down',
      'flat',
      'flat',
      null,
    ]);
  });

  test('of VWAP is where the last price stands against it', () => {
    const tone = (last: number | null, average: number | null) =>
      toneOf(vwap, aStock({ last, vwap: average }));
    expect([tone(0.55, 0.5), tone(0.45, 0.5), tone(0.5, 0.5), tone(null, 0.5), tone(0.5, null)]).toEqual([
      'up',
      'down',
      'flat',
      null,
      null,
    ]);
  });
});

describe('columns that the snapshot offers besides', () => {
  const further = furtherColumns('preMarket');
  const since = find(further, 'sinceMatch');
  const opened = (last: number | null, match_price: number | null) =>
    aStock({
      last,
      preOpen: {
        snapshot: {
          capturedAt: '2026-11-19T22:59:45.000Z',
          indicativeChangePercent: 4,
          match_price,
          match_vol: 1000,
          match_value: 1000,
          buy_surplus: 0,
        },
      },
    });

  test('Since Match says how the last price stands against the match price of the auction', () => {
    expect(since.value(opened(0.55, 0.5))).toBeCloseTo(10, 9);
    expect(since.value(opened(0.45, 0.5))).toBeCloseTo(-10, 9);
    expect([toneOf(since, opened(0.55, 0.5)), toneOf(since, opened(0.45, 0.5))]).toEqual(['up', 'down']);
  });

  test('it is unknown in the pre-open, without a trade and without a match', () => {
    expect(since.value(aPreOpenStock())).toBeNull();
    for (const stock of [opened(null, 0.5), opened(0.5, null), opened(0.5, 0)]) {
      expect(since.value(stock)).toBeNull();
    }
  });
});

describe('columns of what a source states besides prices', () => {
  const [, sector, high, low, close] = furtherColumns('intraDaySmall');
  test('the indicative close is the match price of the closing auction, and unknown at any other time', () => {
    const at = (status: 'CSPA' | 'Open' | 'Pre Open') => close?.value(aStock({ status, match_price: 1.25 }));
    expect([at('CSPA'), at('Open'), at('Pre Open')]).toEqual([1.25, null, null]);
  });
  test('the range of 52 weeks takes in the day, and is unknown where the source has none', () => {
    const range = (stock: Parameters<typeof aStock>[0]) =>
      [high, low].map((one) => one?.value(aStock(stock)));
    const yearRange = { high: 0.9, low: 0.3 };
    expect(range({ yearRange, high: 0.8, low: 0.4 })).toEqual([0.9, 0.3]);
    expect(range({ yearRange, high: 0.95, low: 0.25 })).toEqual([0.95, 0.25]);
    expect(range({ yearRange, high: null, low: null })).toEqual([0.9, 0.3]);
    expect(range({ yearRange: { high: null, low: 0.3 }, high: 0.8, low: 0.4 })).toEqual([null, 0.3]);
    expect(range({ high: 0.8, low: 0.4 })).toEqual([null, null]);
  });
});
