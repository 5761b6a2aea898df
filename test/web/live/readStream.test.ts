import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { fromSnapshot, withDelta } from '#web/live/stream/marketState.ts';
import type { MarketSnapshot } from '#web/live/stream/protocol.ts';
import { readDelta, readSnapshot } from '#web/live/stream/readStream.ts';
import { aMeta, aSnapshot } from '#support/market.ts';

/** 12:00 on Friday in Sydney. */
const NOW = Date.parse('2026-11-20T01:00:00Z');

function snapshot(data: unknown): MarketSnapshot {
  const read = readSnapshot(JSON.stringify(data), NOW);
  if (!read) throw new Error('The snapshot was not read.');
  return read;
}
const stockOf = (patch: unknown) =>
  fromSnapshot(snapshot({ stocks: { ABC: patch }, meta: {} }), NOW).stocks.get('ABC');
const metaOf = (meta: unknown) => snapshot({ stocks: {}, meta }).meta;

test('a snapshot of this server is read unchanged', () => {
  const own = aSnapshot(['BHP', 'CBA']);
  const { stocks, meta, fx } = snapshot(own);
  expect({ stocks: JSON.parse(JSON.stringify(stocks)), meta, fx } as unknown).toEqual(
    JSON.parse(JSON.stringify(own)),
  );
});

describe('meta', () => {
  test('special days are read one by one; none is passed on as an empty list', () => {
    const storm = { date: '2026-12-01', kind: 'closed', closesAt: null, reason: 'Storm' } as const;
    const early = { date: '2026-12-02', kind: 'early', closesAt: '14:10', reason: 'Fault' } as const;
    const odd = [
      null,
      7,
      {},
      { ...storm, date: 'soon' },
      { ...storm, kind: 'odd' },
      { ...early, closesAt: null },
      { ...early, closesAt: '25:00' },
      { ...storm, closesAt: '14:10' },
    ];
    expect(metaOf({ closures: [storm, ...odd, early] }).closures).toEqual([storm, early]);
    expect(metaOf({ closures: [{ ...storm, reason: null }] }).closures).toEqual([{ ...storm, reason: '' }]);
    expect(metaOf({})).not.toHaveProperty('closures');
    expect(readDelta(JSON.stringify({ meta: { closures: [] } }))?.meta).toEqual({ closures: [] });
  });

  test.each(['announcements', 'calendar'] as const)('%s are off only if the server says so', (name) => {
    expect(metaOf({ [name]: null })[name]).toBeNull();
    expect(metaOf({})).not.toHaveProperty(name);
    expect(metaOf({ [name]: 'FXStreet' })).not.toHaveProperty(name);
    expect(readDelta(JSON.stringify({ meta: { [name]: null } }))?.meta).toEqual({ [name]: null });
    expect(readDelta(JSON.stringify({ meta: {} }))?.meta).toEqual({});
  });
  test.each([
    ['2026-11-19', '2026-11-19'],
    ['19/11/2026', '2026-11-19'],
    ['2026-11-19T01:00:00Z', '2026-11-19'],
    [NOW, '2026-11-20'],
    ['2026-13-45', '2026-11-20'],
    ['', '2026-11-20'],
    [{}, '2026-11-20'],
  ])('the date %j is %s', (dateToday, date) => expect(metaOf({ dateToday }).dateToday).toBe(date));
  test.each([
    [60, 60],
    ['60', 60],
    [1e9, 1],
    [-1, 1],
    ['fast', 1],
  ])('the clock speed %j is %d', (clockSpeed, speed) =>
    expect(metaOf({ clockSpeed }).clockSpeed).toBe(speed),
  );
});

describe('a stock', () => {
  test('numbers as text are numbers, and other values are unknown', () => {
    expect(stockOf({ last: '12.5', open: 'x', high: {}, low: true, volume: [] })).toMatchObject({
      last: 12.5,
      open: null,
      high: null,
      low: null,
      volume: null,
    });
  });
  test('nested values too', () => {
    const stock = stockOf({
      indicators: { '60': { rsi: { now: '55.1', '1': 'x' } }, D: 7 },
      htf: { '3M': { high: '45' } },
      preOpen: { snapshot: { match_price: '1.5' } },
      trend: { daysUp: '3' },
    });
    expect(stock?.indicators).toEqual({ '60': { rsi: { now: 55.1 } } });
    expect(stock?.htf).toEqual({ '3M': { high: 45 } });
    expect(stock?.preOpen?.snapshot).toMatchObject({ capturedAt: '', match_price: 1.5, match_vol: null });
    expect(stock?.trend as unknown).toEqual({ daysUp: 3 });
  });
});

describe('a delta', () => {
  const before = fromSnapshot({ ...aSnapshot(['BHP', 'CBA']), meta: aMeta() }, NOW);
  const after = (data: unknown) => {
    const delta = readDelta(JSON.stringify(data));
    if (!delta) throw new Error('The delta was not read.');
    return withDelta(before, delta, NOW + 1000);
  };

  test('with only the specified members changes what it names', () => {
    const state = after({
      stocks: { upsert: { BHP: { last: '45.5' } }, delete: ['CBA', 7] },
      meta: { stockCount: '1' },
    });
    expect(state.stocks.get('BHP')?.last).toBe(45.5);
    expect(state.stocks.has('CBA')).toBe(false);
    expect(state.meta).toEqual({ ...before.meta, stockCount: 1 });
    expect(state.fx).toBe(before.fx);
  });
  test('removes a value with null', () => {
    expect(after({ stocks: { upsert: { BHP: { name: null } } } }).stocks.get('BHP')?.name).toBe('BHP');
  });
});

test('every number of a stock is a number, whatever arrives', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('last', 'volume', 'name', 'x'), fc.jsonValue()), (patch) => {
      const { name, last, volume } = stockOf(patch) ?? {};
      expect(typeof name).toBe('string');
      for (const value of [last, volume]) expect(value === null || Number.isFinite(value)).toBe(true);
    }),
  );
});
