import { describe, expect, test } from 'bun:test';
import {
  BASE_COLUMNS,
  type BaseColumn,
  defaultColumns,
  furtherColumns,
  toneOf,
} from '#market/scanners/rules/columns.ts';
import { aPreOpenStock, aStock } from '#support/aStock.ts';
import { formatShort } from '#texts/format.ts';
import { cellText } from '#market/scanners/rules/cellText.ts';
import { defaultEntries, fieldEntry, htfEntry, indicatorEntry } from '#market/scanners/rules/columnList.ts';
import { columnOf, shownColumns } from '#subjects/scanners/rules/shownColumns.ts';
import { SCANNER_KEYS, type ScannerKey } from '#market/scanners/rules/scanners.ts';
import { builtInCatalog } from '#market/indicators/rules/metainfo.ts';
import { preOpening } from '#support/preOpening.ts';

const labels = (columns: readonly { label: string }[]) => columns.map(({ label }) => label);
const find = (columns: readonly BaseColumn[], id: string): BaseColumn => {
  const found = columns.find((column) => column.id === id);
  if (!found) throw new Error(`There is no column ${id}.`);
  return found;
};

const INTRADAY = 'Name,Change,Last,Pips,VWAP,P. Close,Open,High,Low,$ Traded,Market Cap,Rel Vol';

test('base columns match the specification, in its order', () => {
  expect(labels(BASE_COLUMNS.preMarket).join()).toBe(
    'Name,Gap %,Match,P. Close,Match Volume,Match Value,Rel Vol,Market Cap,Buy Surplus Vol',
  );
  expect(labels(BASE_COLUMNS.intraDaySmall).join()).toBe(INTRADAY);
  expect(labels(BASE_COLUMNS.intraDayMidLarge).join()).toBe(INTRADAY);
  expect(labels(BASE_COLUMNS.intraDayLargeCap).join()).toBe(INTRADAY);
  expect(labels(BASE_COLUMNS.custom).join()).toBe('Name,Price,Volume,Value');
});

describe('values', () => {
  test('pips count price steps', () => {
    const pips = find(BASE_COLUMNS.intraDaySmall, 'pips');
    expect(pips.value(aStock({ close: 0.5, last: 0.55 }))).toBe(10);
    expect(pips.value(aStock({ close: 0.5, last: 0.49 }))).toBe(-2);
    expect(pips.value(aStock({ last: null }))).toBeNull();
  });

  test('match value is volume times price if the source sent none', () => {
    const column = find(BASE_COLUMNS.preMarket, 'match_value');
    expect(column.value(aPreOpenStock({ match_value: 5 }))).toBe(5);
    expect(column.value(aPreOpenStock({ match_value: null, match_vol: 10, match_price: 0.5 }))).toBe(5);
    expect(column.value(aPreOpenStock({ match_value: null, match_vol: null }))).toBeNull();
  });
});

describe('direction', () => {
  const change = find(BASE_COLUMNS.intraDaySmall, 'change_percent');
  const vwap = find(BASE_COLUMNS.intraDaySmall, 'vwap');

  test('of a signed value follows the displayed value', () => {
    expect([3, -3, 0, 0.04, null].map((value) => toneOf(change, aStock({ change_percent: value })))).toEqual([
      'up',
      'down',
      'flat',
      'flat',
      null,
    ]);
  });

  test('of VWAP compares the last price with it', () => {
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

test('Since Match compares the last price with the match price of the auction', () => {
  const further = furtherColumns('preMarket');
  const since = find(further, 'sinceMatch');
  const opened = (last: number | null, match_price: number | null) =>
    aStock({ last, preOpen: preOpening({ match_price }) });
  expect(since.value(opened(0.55, 0.5))).toBeCloseTo(10, 9);
  expect(since.value(opened(0.45, 0.5))).toBeCloseTo(-10, 9);
  expect([toneOf(since, opened(0.55, 0.5)), toneOf(since, opened(0.45, 0.5))]).toEqual(['up', 'down']);
});

describe('columns of values other than prices', () => {
  const [, , high, low, close] = furtherColumns('intraDaySmall');
  test('the indicative close is the match price of the closing auction, otherwise unknown', () => {
    const at = (status: 'CSPA' | 'Open' | 'Pre Open') => close?.value(aStock({ status, match_price: 1.25 }));
    expect([at('CSPA'), at('Open'), at('Pre Open')]).toEqual([1.25, null, null]);
  });
  test('the 52-week range includes the day, and is unknown if the source has none', () => {
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

const textOf = (table: ScannerKey, saved: unknown, id: string, stock = aStock({})): string => {
  const column = shownColumns(table, saved).find((one) => one.id === id);
  if (!column) throw new Error(`The table does not show ${id}.`);
  return cellText(column, stock);
};

test.each([
  [999.5, '1.0 K'],
  [12_345, '12.3 K'],
  [999_950, '1.0 M'],
  [278_000_000_000, '278.0 B'],
  [2.5e12, '2.5 T'],
  [-1_500_000, '−1.5 M'],
])('%p in short is %s', (value, text) => {
  expect(formatShort(value)).toBe(text);
});

test('a column uses its chosen decimals, otherwise those of the specification', () => {
  const stock = aStock({ last: 0.05, marketCap: 278e9 });
  const saved = (format: object) => [{ id: 'last', type: 'base', ...format }];
  expect(textOf('intraDaySmall', saved({}), 'last', stock)).toBe('0.050');
  expect(textOf('intraDaySmall', saved({ decimals: 5 }), 'last', stock)).toBe('0.05000');
  const candle = htfEntry({ period: '3M', field: 'high' });
  const averaged = aStock({ htf: { '3M': { high: 0.0514 } } });
  expect(textOf('custom', [candle], candle.id, averaged)).toBe('0.05');
  expect(textOf('custom', [{ ...candle, decimals: 'price' }], candle.id, averaged)).toBe('0.051');
});

const rsi = (delay: number) =>
  indicatorEntry(builtInCatalog(), { family: 'rsi', params: { length: '14' }, tf: '60', delay });
const stock = aStock({
  volume: 7,
  indicators: { '60': { rsi_14: { now: 61.234, '1': 59 } } },
  htf: { '3M': { high: 1.5 } },
});
const read = (columns: ReturnType<typeof shownColumns>) =>
  columns.map(({ label, decimals, value }) => [label, decimals, value(stock)]);

describe('a saved layout', () => {
  test('the default columns are always the same object', () => {
    for (const key of SCANNER_KEYS) {
      expect(shownColumns(key, undefined)).toBe(defaultColumns(key));
      expect(shownColumns(key, defaultEntries(key))).toEqual([...defaultColumns(key)]);
    }
  });

  test('columns of every kind read the value where the stream puts it', () => {
    const saved = [rsi(0), htfEntry({ period: '3M', field: 'high' }), fieldEntry('intraDaySmall', 'volume')];
    expect(read(shownColumns('intraDaySmall', saved).slice(0, 3))).toEqual([
      ['RSI(14) 1h', 2, 61.234],
      ['3M high', 2, 1.5],
      ['Volume', 0, 7],
    ]);
    expect(read(shownColumns('intraDaySmall', [rsi(1)]).slice(0, 1))).toEqual([
      ['RSI(14) 1h, 1 bar ago', 2, 59],
    ]);
  });
});

describe('the decimals of an average', () => {
  const column = (family: string, params: Record<string, string>, format = {}) => {
    const entry = indicatorEntry(builtInCatalog(), { family, params, tf: 'D', delay: 0 });
    const found = entry && columnOf('custom', { ...entry, ...format });
    if (!found) throw new Error(`There is no ${family}.`);
    return found;
  };
  const written = (family: string, params: Record<string, string>, value: number, format = {}) => {
    const key = [family.replaceAll('-', '_'), ...Object.values(params)].join('_');
    const own = column(family, params, format);
    return cellText(own, aStock({ indicators: { D: { [key]: { now: value } } } }));
  };
  test('are those of a price under $1, and two from there on', () => {
    expect(written('sma', { length: '20' }, 0.0125)).toBe('0.013');
    expect(written('sma', { length: '20' }, 0.9994)).toBe('0.999');
    expect(written('sma', { length: '20' }, 1)).toBe('1.00');
    expect(written('ema', { length: '50' }, 45.128)).toBe('45.13');
  });
  test('are two for a value that is not a price, or the user’s choice', () => {
    expect(written('rsi', { length: '14' }, 0.5)).toBe('0.50');
    expect(written('sma', { length: '20' }, 0.0125, { decimals: 1 })).toBe('0.0');
  });
});
