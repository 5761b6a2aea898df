import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { builtInCatalog, builtInFields, parseMetainfo, slugOf } from '#market/indicators/rules/metainfo.ts';
import { choicesOf, createPlatformColumnIndex, platformColumn } from '#sources/quotes/tradingview/columns.ts';
import { checkHtf, htfKey, indicatorKey, indicatorLabel } from '#market/indicators/rules/indicatorKey.ts';
import { checkChoice, clampNumber } from '#market/indicators/rules/parameters.ts';
import {
  type Family,
  platformTimeframe,
  type Timeframe,
  timeframeOptions,
} from '#market/indicators/rules/types.ts';
import { recordings } from '#support/recordedScan.ts';

const readJson = (folder: string, name: string): unknown =>
  JSON.parse(readFileSync(join(folder, 'tradingview', name), 'utf8'));
const familiesOf = (input: unknown): Record<string, Family> => {
  const parsed = parseMetainfo(input);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
};
const catalog = builtInCatalog();
const family = (name: string): Family => {
  const found = catalog.indicators[slugOf(name)];
  if (!found) throw new Error(`no family ${name}`);
  return found;
};

type Derived = {
  family: string;
  type: string;
  values: Record<string, { column: string; delays: number[] }>;
  timeframes: string[];
};

describe.each(recordings())("the platform's real list: $name", ({ folder, isWhole }) => {
  const derived = (): Derived[] => readJson(folder, 'indicator-families.derived.json') as Derived[];

  test('has the same families, values, columns, delays and timeframes as an independent derivation', () => {
    const families = familiesOf(readJson(folder, 'metainfo-stocks.json'));
    expect(Object.keys(families).sort()).toEqual(
      derived()
        .map((one) => slugOf(one.family))
        .sort(),
    );
    for (const one of derived()) {
      const found = families[slugOf(one.family)];
      if (!found) throw new Error(one.family);
      expect(found.type).toBe(one.type);
      expect(found.timeframes.map(platformTimeframe)).toEqual(
        one.timeframes.map((tf) => (tf === 'D' ? '' : tf)),
      );
      expect(found.hasTimeframes).toBe(true);
      const [param] = found.params;
      const values = Object.entries(one.values).map(([key, value]) => ({
        ...value,
        key: key.replace(/ .*/, ''),
      }));
      expect((param?.values ?? ['-']).toSorted()).toEqual(values.map(({ key }) => key).sort());
      for (const { key, column, delays } of values) {
        expect([0, ...found.delaysAvailable]).toEqual(delays);
        const params = param ? { [param.name]: key } : {};
        expect(platformColumn(found, { params, tf: 'D', delay: 0 })).toBe(column);
      }
    }
  });

  test('every column of a family is reachable, and no other', () => {
    const fields = readJson(folder, 'metainfo-stocks.json') as { n: string }[];
    const names = new Set(fields.map(({ n }) => n));
    const severalForms = new Set(
      [...names]
        .filter((name) => name.includes('|1W') && names.has(name.replace('|1W', '|60')))
        .map((name) => name.split('|')[0]),
    );
    const wanted = [...names].filter((name) => severalForms.has(name.split('|')[0] ?? ''));
    const families = Object.values(familiesOf(fields));
    const reachable = families.flatMap((one) => choicesOf(one).map((choice) => platformColumn(one, choice)));
    expect(reachable.toSorted()).toEqual(wanted.sort());
    expect(reachable).toHaveLength(isWhole ? 2950 : 670);
  });

  test('the built-in catalog is the same', () => {
    const families = familiesOf(readJson(folder, 'metainfo-stocks.json'));
    const ours = Object.entries(catalog.indicators).filter(([slug]) => isWhole || slug in families);
    expect(Object.fromEntries(ours)).toEqual(families);
    expect(new Set(builtInFields().map(({ n }) => n)).size).toBe(builtInFields().length);
  });
});

describe('the built-in catalog', () => {
  test('columns and choices map to each other', () => {
    const index = createPlatformColumnIndex(catalog.indicators);
    for (const one of Object.values(catalog.indicators)) {
      for (const choice of choicesOf(one)) expect(index(platformColumn(one, choice) ?? '')).toEqual(choice);
    }
    expect(index('RSI|3')).toBeNull();
    expect(index('price_earnings_ttm')).toBeNull();
  });

  const columns: [string, Record<string, string>, Timeframe, number, string | null][] = [
    ['RSI', {}, '60', 1, 'RSI[1]|60'],
    ['ADX+DI', { length: '100' }, 'W', 1, 'ADX+DI_100[1]|1W'],
    ['RSI', {}, '3', 0, null],
    ['ADX', {}, 'D', 1, null],
    ['EMA', { length: '11' }, 'D', 0, null],
  ];
  test.each(columns)('%s %o %s %d is the column %p', (name, params, tf, delay, column) => {
    expect(platformColumn(family(name), { params, tf, delay })).toBe(column);
  });

  test('creates keys and labels', () => {
    expect(indicatorKey(family('RSI'), {})).toBe('rsi_14');
    expect(indicatorKey(family('ADX-DI'), { length: '9' })).toBe('adx-minus-di_9');
    expect(indicatorKey(family('Stoch.K'), { lengths: '5_3_3' })).toBe('stoch-k_5_3_3');
    expect(indicatorKey(family('AO'), {})).toBe('ao');
    expect(indicatorLabel(family('RSI'), { params: { length: '14' }, tf: '60', delay: 0 })).toBe(
      'RSI(14) 1h',
    );
    expect(indicatorLabel(family('Stoch.K'), { params: { lengths: '14_3_3' }, tf: 'D', delay: 1 })).toBe(
      'Stoch %K(14, 3, 3) 1D, 1 bar ago',
    );
    expect(indicatorLabel(family('AO'), { params: {}, tf: 'W', delay: 2 })).toBe('AO 1W, 2 bars ago');
  });
});

describe('a malformed list', () => {
  test.each([
    [null, /not a list/],
    [[], /only 0 indicator families/],
    [[{ name: 'x' }, { name: 'y' }], /unknown format/],
  ])('%o is rejected', (input, reason) => {
    const parsed = parseMetainfo(input);
    expect(!parsed.ok && parsed.error).toMatch(reason);
  });

  test('a value that lacks a timeframe or delay limits its family to what all values have', () => {
    const fields = builtInFields().filter(
      ({ n }) => n !== 'RSI7|60' && n !== 'RSI9[1]|D' && n !== 'RSI9[1]|1W',
    );
    const { rsi } = familiesOf(fields);
    expect(rsi?.timeframes).not.toContain('60');
    expect(rsi?.delaysAvailable).toEqual([]);
  });
});

test('timeframes have the keys and labels of the specification', () =>
  expect(timeframeOptions().map(({ key, label }) => `${label}=${key}`)).toEqual(
    '1m=1 3m=3 5m=5 15m=15 30m=30 1h=60 2h=120 4h=240 1D=D 1W=W 1M=M'.split(' '),
  ));

describe('parameters', () => {
  test('are clamped and rounded to the nearest step, for any number', () => {
    const within = fc.record({
      min: fc.integer({ min: -50, max: 0 }),
      max: fc.integer({ min: 1, max: 50 }),
      step: fc.constantFrom(0.001, 0.1, 1, 3),
    });
    fc.assert(
      fc.property(within, fc.double({ min: -100, max: 100, noNaN: true }), (bounds, value) => {
        const result = clampNumber(bounds, value) ?? Number.NaN;
        expect(result).toBeGreaterThanOrEqual(bounds.min);
        expect(result).toBeLessThanOrEqual(bounds.max);
        const steps = (result - bounds.min) / bounds.step;
        expect(Math.abs(steps - Math.round(steps))).toBeLessThan(1e-3);
        expect(clampNumber(bounds, result)).toBeCloseTo(result, 6);
        const inside = Math.min(bounds.max, Math.max(bounds.min, value));
        const room = inside > bounds.max - bounds.step ? bounds.step : bounds.step / 2;
        expect(Math.abs(result - inside)).toBeLessThanOrEqual(room + 1e-6);
      }),
      { numRuns: 2000 },
    );
  });

  test('of a choice get defaults; an unsupported delay becomes 0', () => {
    expect(checkChoice(catalog, { family: 'rsi' })).toEqual({
      ok: true,
      value: { family: 'rsi', params: { length: '14' }, tf: 'D', delay: 0 },
    });
    expect(checkChoice(catalog, { family: 'rsi', params: { length: 7 }, tf: '60', delay: 1 })).toMatchObject({
      value: { params: { length: '7' }, tf: '60', delay: 1 },
    });
    expect(checkChoice(catalog, { family: 'adx', delay: 1 })).toMatchObject({ value: { delay: 0 } });
  });

  for (const [given, field, sentence] of [
    [{ family: 'Magic' }, 'family', 'The indicator "Magic" is not in the catalog.'],
    [{ family: 'constructor' }, 'family', 'The indicator "constructor" is not in the catalog.'],
    [{ family: 'rsi', params: { size: '1' } }, 'params.size', 'RSI has no parameter "size".'],
    [
      { family: 'rsi', params: { length: '8' } },
      'params.length',
      /^RSI: Length 8 is not available. Choose one of 14/,
    ],
    [{ family: 'rsi', tf: '3' }, 'tf', 'RSI is not available on the timeframe "3".'],
  ] as const) {
    test(`rejected: ${JSON.stringify(given)}`, () => {
      const checked = checkChoice(catalog, given);
      expect(checked.ok ? '' : checked.error.message).toMatch(sentence);
      expect(checked.ok ? '' : checked.error.field).toBe(field);
    });
  }
});

test('both parameters of higher-timeframe candles are from the lists, or neither', () => {
  expect(checkHtf({ period: '3M', field: 'high' })).toEqual({ period: '3M', field: 'high' });
  for (const params of [
    { period: '3M' },
    { period: '5M', field: 'high' },
    { period: '3M', field: 'volume' },
  ]) {
    expect(checkHtf(params)).toBeNull();
  }
  expect(htfKey({ period: '12M', field: 'close' })).toBe('12M:close');
});
