import { describe, expect, test } from 'bun:test';
import { fromSydney } from '#lib/sydneyTime.ts';
import { SCREENER_COLUMNS } from '#sources/quotes/tradingview/columns.ts';
import { previousCloseOf, securityTypeOf, sessionViewAt } from '#sources/quotes/tradingview/row.ts';
import { readScan } from '#sources/quotes/tradingview/scan.ts';

/** Tuesday 20 January 2026, 11:00 in Sydney: continuous trading. */
const open = fromSydney('2026-01-20', 11, 0);
const barOf = (date: string): number => fromSydney(date, 10, 0) / 1000;

const good: Record<string, unknown> = {
  name: 'BHP',
  close: 50.6,
  description: 'BHP Group Ltd',
  type: 'stock',
  typespecs: ['common'],
  open: 49.9,
  high: 50.8,
  low: 49.6,
  volume: 1000,
  change: (50.6 / 49.75 - 1) * 100,
  change_abs: 0.85,
  'Value.Traded': 50_600,
  'VWAP|1': 50.21,
  'VWAP|5': 50.3,
  market_cap_basic: 2.5e11,
  'relative_volume_intraday|5': 1.25,
  relative_volume_10d_calc: 0.4,
  sector: 'Non-Energy Minerals',
  price_52_week_high: 55.2,
  price_52_week_low: 38.1,
  update_mode: 'delayed_streaming_1200',
  time: barOf('2026-01-20'),
  last_bar_update_time: (open - 20 * 60_000) / 1000,
  'time|1': (open - 21 * 60_000) / 1000,
};

type Cells = Record<string, unknown>;

const scanOf = (rows: { s: string; cells: Cells }[], now = open) => {
  const data = rows.map(({ s, cells }) => ({
    s,
    d: SCREENER_COLUMNS.map((column) => {
      const value = { ...good, ...cells }[column];
      return value === undefined ? null : value;
    }),
  }));
  return readScan(JSON.stringify({ totalCount: data.length, data }), SCREENER_COLUMNS, sessionViewAt(now));
};

const one = (cells: Cells, now = open) => {
  const scan = scanOf([{ s: 'ASX:BHP', cells }], now);
  if (scan.kind !== 'batch') throw new Error(scan.reason);
  const [update] = scan.updates;
  if (!update) throw new Error('no update');
  return update;
};

describe('one listing', () => {
  test('maps all columns to their fields', () => {
    expect(one({})).toEqual({
      code: 'BHP',
      name: 'BHP Group Ltd',
      status: 'Open',
      securityType: 'stock',
      sector: 'Non-Energy Minerals',
      yearRange: { high: 55.2, low: 38.1 },
      marketCap: 2.5e11,
      open: 49.9,
      high: 50.8,
      low: 49.6,
      close: 49.75,
      last: 50.6,
      vwap: 50.21,
      volume: 1000,
      value: 50_600,
      relativeVolume: 1.25,
      quoteTime: open - 20 * 60_000,
    });
  });

  test('falls back to five-minute VWAP, ten-day relative volume, price times volume, and code as name', () => {
    const update = one({
      'VWAP|1': null,
      'relative_volume_intraday|5': null,
      'Value.Traded': null,
      description: null,
    });
    expect(update).toMatchObject({ vwap: 50.3, relativeVolume: 0.4, value: 50_600, name: 'BHP' });
  });

  test('accepts null for any number', () => {
    const nulls = Object.fromEntries(Object.keys(good).map((column) => [column, null]));
    const { code, name, status, securityType, ...rest } = one({ ...nulls, time: good['time'] });
    expect([code, name, status, securityType]).toEqual(['BHP', 'BHP', 'Open', 'other']);
    expect(Object.keys(rest)).toHaveLength(12);
    expect(Object.values(rest)).toEqual(Array.from({ length: 12 }, () => null));
  });

  test('ignores a VWAP outside the session range, because it is from another session', () => {
    expect(one({ 'VWAP|1': 47.2, 'VWAP|5': null }).vwap).toBeNull();
  });
});

describe('invalid cells', () => {
  for (const [column, value] of [
    ['close', '50.6'],
    ['close', 0],
    ['close', -1],
    ['open', true],
    ['high', {}],
    ['low', [1]],
    ['volume', 'many'],
  ] as const) {
    test(`${column} ${JSON.stringify(value)} rejects only that stock`, () => {
      const scan = scanOf([
        { s: 'ASX:BHP', cells: { [column]: value } },
        { s: 'ASX:CBA', cells: {} },
      ]);
      expect(scan.kind === 'batch' && scan.updates.map(({ code }) => code)).toEqual(['CBA']);
      expect(scan.kind === 'batch' && scan.refused).toMatchObject({
        count: 1,
        first: expect.stringMatching(new RegExp(`^BHP: ${column} is `)),
      });
    });
  }

  test('an invalid optional cell becomes null and rejects nothing', () => {
    expect(one({ market_cap_basic: 'big', sector: 7, typespecs: 'common', update_mode: 1 })).toMatchObject({
      marketCap: null,
      sector: null,
      last: 50.6,
    });
  });

  test('invalid codes are rejected, other exchanges left out, repeated symbols read once', () => {
    const scan = scanOf([
      { s: 'ASX:BHP', cells: {} },
      { s: 'ASX:BHP', cells: {} },
      { s: 'ASX:TOOLONGCODE', cells: {} },
      { s: 'ASX:a b', cells: {} },
      { s: 'NSX:ABC', cells: {} },
    ]);
    expect(scan).toMatchObject({
      kind: 'batch',
      duplicates: 1,
      foreign: 1,
      refused: { count: 2, first: 'TOOLONGCODE: not an ASX code' },
    });
    expect(scan.kind === 'batch' && scan.updates.map(({ code }) => code)).toEqual(['BHP']);
  });
});

describe('unusable answers', () => {
  const bodies: [string, string, RegExp][] = [
    ['HTML', '<html><body>Too many</body></html>', /data that is not a scan result \("<html>/],
    ['text that is JSON', '"Too Many Requests"', /not a scan result/],
    [
      'an error with data null',
      '{"totalCount":0,"error":"Unknown field \\"x\\"","data":null}',
      /answered with an error/,
    ],
    ['data null', '{"totalCount":0,"data":null}', /without data/],
    ['no count', '{"data":[]}', /without a count/],
    ['no rows', '{"totalCount":0,"data":[]}', /without a single listing/],
    [
      'rows too short',
      '{"totalCount":1,"data":[{"s":"ASX:BHP","d":["BHP"]}]}',
      /1 of 1 rows in an unknown format/,
    ],
    ['a short answer', '{"totalCount":2000,"data":[{"s":"ASX:BHP","d":["BHP",1]}]}', /only 1 of 2000 rows/],
    ['only other exchanges', '{"totalCount":1,"data":[{"s":"NSX:BHP","d":["BHP",1]}]}', /other exchanges/],
  ];
  for (const [name, body, reason] of bodies) {
    test(name, () => {
      const scan = readScan(body, ['name', 'close'], sessionViewAt(open));
      expect(scan.kind).toBe('unusable');
      expect(scan.kind === 'unusable' && scan.reason).toMatch(reason);
    });
  }
});

describe('the session of the daily columns', () => {
  const yesterday = {
    time: barOf('2026-01-19'),
    last_bar_update_time: fromSydney('2026-01-19', 16, 11) / 1000,
  };
  const undated = { time: null, last_bar_update_time: null };
  const asToday = { last: 50.6, volume: 1000, close: 49.75 };
  const unknown = ['open', 'high', 'low', 'last', 'vwap', 'volume', 'value', 'relativeVolume'];
  const asLastSession = { ...Object.fromEntries(unknown.map((name) => [name, null])), close: 50.6 };

  const on = (day: number, hour: number, minute = 0) => fromSydney(`2026-01-${day}`, hour, minute);
  const dated = (day: number) => ({ time: barOf(`2026-01-${day}`) });
  test.each<[string, number, Cells, object, string]>([
    ['before the open, dated yesterday', on(20, 9), yesterday, asLastSession, 'Pre Open'],
    ['before the open, undated', on(20, 9), undated, asLastSession, 'Pre Open'],
    ['after midnight, undated', on(20, 0, 30), undated, asToday, 'Post Trading'],
    ['after midnight, dated yesterday', on(20, 0, 30), yesterday, asToday, 'Post Trading'],
    ['ten past seven, undated', on(20, 7, 10), undated, asLastSession, 'Pre Open'],
    ['ten minutes after the open, undated', on(20, 10, 10), undated, asLastSession, 'Open'],
    ['in the open, dated yesterday', open, yesterday, asLastSession, 'Open'],
    ['in the open, dated only by its update', open, { ...yesterday, time: null }, asLastSession, 'Open'],
    ['in the open, undated', open, undated, asToday, 'Open'],
    ['in the open, dated tomorrow', open, dated(21), asToday, 'Open'],
    ['in the evening, dated today', on(20, 21), {}, asToday, 'Post Trading'],
    ['on a Saturday, dated Friday', on(24, 12), dated(23), asToday, 'Post Trading'],
    ['on a Saturday, dated Thursday', on(24, 12), dated(22), asLastSession, 'Post Trading'],
    ['on Australia Day, dated Friday', on(26, 12), dated(23), asToday, 'Post Trading'],
    ['on a Saturday, undated', on(24, 12), undated, asToday, 'Post Trading'],
  ])('%s', (_, now, cells, expected, status) => {
    expect(one(cells, now)).toMatchObject({ ...expected, status });
  });
});

describe('previous close', () => {
  test('is last minus change, rounded to a tenth of a cent and halves', () => {
    expect(previousCloseOf(50.6, 0.8500000000000014, 1.7085427135678426)).toBe(49.75);
    expect(previousCloseOf(0.003, 0.0005, 20)).toBe(0.0025);
  });
  test('follows from only a percentage', () => expect(previousCloseOf(110, null, 10)).toBe(100));
  test('is unknown without any change', () => expect(previousCloseOf(50, null, null)).toBeNull());
  test('is unknown if the two contradict each other', () => expect(previousCloseOf(50, 1, 10)).toBeNull());
  test('is never below zero', () => {
    expect(previousCloseOf(1, 2, null)).toBeNull();
    expect(previousCloseOf(1, null, -100)).toBeNull();
  });
});

test('a listing is a stock, fund, CDI or other by its type', () => {
  expect(securityTypeOf('stock', ['common'])).toBe('stock');
  expect(securityTypeOf('fund', ['reit'])).toBe('stock');
  expect(securityTypeOf('fund', ['etf'])).toBe('fund');
  expect(securityTypeOf('fund', ['closedend'])).toBe('fund');
  expect(securityTypeOf('dr', [''])).toBe('cdi');
  expect(securityTypeOf('structured', [])).toBe('other');
  expect(securityTypeOf(null, [])).toBe('other');
});
