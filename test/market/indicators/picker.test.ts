import { describe, expect, test } from 'bun:test';
import { builtInCatalog } from '../../../src/market/indicators/rules/builtInCatalog.ts';
import { BROKER_FIELDS } from '../../../src/market/indicators/rules/brokerFields.ts';
import { pickGroups, type PickSource } from '../../../src/market/indicators/rules/picker.ts';

const { indicators } = builtInCatalog();
const source: PickSource = {
  indicators,
  unavailable: ['adx'],
  fields: BROKER_FIELDS,
  custom: { label: 'HTF candle', fullName: 'Higher-timeframe candle' },
};
const labels = (query: string, from = source) =>
  pickGroups(from, query).map(({ title, items }) => [title, items.map(({ label }) => label)] as const);

test('everything in three groups, what can be chosen first', () => {
  const [platform, custom, fields] = pickGroups(source, '');
  expect(platform?.title).toBe('Charting-platform indicators');
  expect(platform?.items).toHaveLength(Object.keys(indicators).length);
  expect(platform?.items.at(-1)).toMatchObject({ label: 'ADX' });
  expect(platform?.items.at(-1)?.reason).not.toBeNull();
  expect(platform?.items.filter(({ reason }) => reason !== null)).toHaveLength(1);
  expect(custom?.items.map(({ id }) => id)).toEqual(['custom:htf_candle']);
  expect(fields?.items.map(({ label }) => label)).toEqual(BROKER_FIELDS.map(({ label }) => label));
});

test('every item has its own id', () => {
  const ids = pickGroups(source, '').flatMap(({ items }) => items.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
});

describe('search', () => {
  test('the exact name first, then names that begin with it, then words, then anything', () => {
    const [, found = []] = labels('rsi')[0] ?? [];
    expect(found[0]).toBe('RSI');
    expect(found.indexOf('Stoch RSI %K')).toBeLessThan(found.indexOf('Ichimoku conversion'));
  });

  test('all words must be there, in any order, whatever their case', () => {
    expect(labels('Average EXPONENTIAL')).toEqual([['Charting-platform indicators', ['EMA']]]);
  });

  test('the full name and the key count too; groups without a match are left out', () => {
    expect(labels('match_vol')).toEqual([['Broker fields', ['Match Volume']]]);
    expect(labels('htf')).toEqual([['Custom indicators', ['HTF candle']]]);
    expect(labels('no such thing')).toEqual([]);
  });

  test('what can not be chosen comes after what can', () => {
    const [, found = []] = labels('ad')[0] ?? [];
    expect(found.at(-1)).toBe('ADX');
  });
});

test('a catalog that is missing leaves its group out', () => {
  const titles = labels('', { ...source, indicators: {}, custom: null }).map(([title]) => title);
  expect(titles).toEqual(['Broker fields']);
});
