import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { BASE_COLUMNS, FIELD_COLUMNS } from '#market/scanners/rules/columns.ts';
import {
  checkColumns,
  type ColumnEntry,
  defaultEntries,
  htfEntry,
  indicatorEntry,
  normaliseColumns,
} from '#market/scanners/rules/columnList.ts';
import { builtInCatalog } from '#market/indicators/rules/metainfo.ts';
import { SCANNER_KEYS } from '#market/scanners/rules/scanners.ts';
import { ok } from '#lib/result.ts';
import { refusalOf } from '#support/refusals.ts';

const catalog = builtInCatalog();
const rsi = (tf: '60' | 'D' | 'W', delay = 0): ColumnEntry => {
  const entry = indicatorEntry(catalog, { family: 'rsi', params: { length: '14' }, tf, delay });
  if (!entry) throw new Error('The built-in catalog has no RSI.');
  return entry;
};
const ids = (columns: readonly ColumnEntry[]) => columns.map(({ id }) => id);
const small = (saved: unknown) => normaliseColumns('intraDaySmall', saved, catalog);

/** Entries as a server, an older version or an attacker may send them. */
const anyEntry = fc.oneof(
  fc.constantFrom(...SCANNER_KEYS.flatMap((key) => defaultEntries(key))),
  fc.constantFrom(rsi('60'), rsi('D', 1), rsi('W'), htfEntry({ period: '3M', field: 'high' })),
  fc.constantFrom(...FIELD_COLUMNS.map(({ id }) => ({ id, type: 'base' }))),
  fc.record({ id: fc.string(), enabled: fc.boolean(), type: fc.constantFrom('base', 'indicator', 'custom') }),
  fc.record({
    id: fc.string(),
    type: fc.constant('indicator'),
    label: fc.anything(),
    valueKey: fc.anything(),
    indicator: fc.record({
      family: fc.constantFrom('rsi', 'ema', 'nothing', '__proto__'),
      params: fc.anything(),
      tf: fc.constantFrom('60', 'D', '7', ''),
      key: fc.anything(),
    }),
  }),
  // Own members shadow the methods that convert it to text, so it cannot be converted.
  fc.constant({ id: { toString: 1, valueOf: 1 }, type: 'base' }),
  fc.anything(),
);

describe('normalising, for any list', () => {
  for (const known of [catalog, undefined]) {
    const name = known ? 'with a catalog' : 'without one';
    test(`${name}: is idempotent, unique, and contains mandatory columns switched on and every default`, () => {
      fc.assert(
        fc.property(fc.constantFrom(...SCANNER_KEYS), fc.array(anyEntry, { maxLength: 30 }), (key, saved) => {
          const once = normaliseColumns(key, saved, known);
          const again = normaliseColumns(key, once.columns, known);
          expect(again).toEqual({ columns: once.columns, dropped: [] });
          const shown = ids(once.columns);
          expect(new Set(shown).size).toBe(shown.length);
          for (const base of BASE_COLUMNS[key]) {
            const entry = once.columns.find(({ id }) => id === base.id);
            expect(entry?.mandatory).toBe(base.mandatory);
            if (base.mandatory) expect(entry?.enabled).toBe(true);
          }
          for (const { reason } of once.dropped) expect(reason).toMatch(/^[A-Z].+\.$/);
        }),
      );
    });
  }

  test('keeps the order of saved entries', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(defaultEntries('preMarket')), (saved) => {
        const { columns } = normaliseColumns('preMarket', saved);
        expect(ids(columns).slice(0, saved.length)).toEqual(ids(saved));
        const missing = defaultEntries('preMarket').filter((entry) => !ids(saved).includes(entry.id));
        expect(columns.slice(saved.length)).toEqual(missing);
      }),
    );
  });
});

describe('normalising', () => {
  test('gives the default layout if nothing is saved', () => {
    for (const key of SCANNER_KEYS) {
      for (const nothing of [undefined, null, 'x', {}, []]) {
        expect(normaliseColumns(key, nothing)).toEqual({ columns: defaultEntries(key), dropped: [] });
      }
    }
  });

  test('reports dropped entries', () => {
    const { columns, dropped } = small([
      { id: 'vwap2', type: 'base' },
      rsi('60'),
      {
        ...rsi('60'),
        id: 'indicator:60:lost_1',
        indicator: { family: 'lost', params: {}, tf: '60', key: 'l' },
      },
      {
        id: 'custom:htf_candle:5M:high',
        type: 'custom',
        custom: { family: 'htf_candle', params: { period: '5M', field: 'high' } },
      },
      { id: 'indicator:60:x', type: 'indicator' },
    ]);
    expect(dropped).toEqual([
      { id: 'vwap2', reason: 'This table has no column "vwap2".' },
      { id: 'indicator:60:lost_1', reason: 'The indicator "lost" is not in the catalog.' },
      { id: 'custom:htf_candle:5M:high', reason: 'The higher-timeframe candle "5M high" is not available.' },
      { id: 'indicator:60:x', reason: 'An indicator column must name its `indicator`.' },
    ]);
    expect(ids(columns)[0]).toBe('indicator:60:rsi_14');
  });
});

describe('a list before saving', () => {
  const check = (sent: readonly unknown[]) => checkColumns('intraDaySmall', sent, catalog);
  const htf = htfEntry({ period: '3M', field: 'high' });

  test('is returned in normalised form', () => {
    const sent = [rsi('60'), htf, { id: 'last', type: 'base' }];
    expect(check(sent)).toEqual(ok(small(sent).columns));
  });

  const daily = rsi('D');
  const changed = (change: object) => ({ ...daily, indicator: { ...daily.indicator, ...change } });
  const noCandle = { ...htf, custom: { ...htf.custom, params: { period: '9M', field: 'high' } } };
  test.each([
    ['indicator.family', changed({ family: 'magic' }), /"magic" is not in the catalog/],
    ['indicator.params.depth', changed({ params: { depth: 3 } }), /no parameter "depth"/],
    ['custom.params', noCandle, /"9M high" is not available/],
  ])('is rejected for %s', (field, entry, message) =>
    expect(refusalOf(check([rsi('60'), entry, 7]))).toEqual([
      `columns[1].${field}`,
      expect.stringMatching(message),
    ]),
  );
});
