import { describe, expect, test } from 'bun:test';
import {
  defaultEntries,
  fieldEntry,
  htfEntry,
  indicatorEntry,
} from '../../../../src/subjects/scanners/rules/columnEntry.ts';
import { defaultColumns } from '../../../../src/subjects/scanners/rules/columns.ts';
import { builtInCatalog } from '../../../../src/market/indicators/rules/builtInCatalog.ts';
import { SCANNER_KEYS } from '../../../../src/subjects/scanners/rules/scanners.ts';
import { operandColumn } from '../../../../src/subjects/scanners/rules/operandColumn.ts';
import { cellText } from '../../../../src/subjects/scanners/rules/cellText.ts';
import { columnOf, shownColumns, withColumns } from '../../../../src/subjects/scanners/rules/shownColumns.ts';
import { aStock } from '../../../support/aStock.ts';

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
  test('nothing saved shows the default columns, always the same', () => {
    for (const key of SCANNER_KEYS) {
      expect(shownColumns(key, undefined)).toBe(defaultColumns(key));
      expect(shownColumns(key, defaultEntries(key))).toEqual([...defaultColumns(key)]);
    }
  });

  test('columns of every kind read where the stream puts their values', () => {
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

describe('more columns', () => {
  const now = {
    type: 'indicator',
    family: 'rsi',
    params: {},
    tf: '60',
    key: 'rsi_14',
    valueKey: 'now',
  } as const;
  const columns = shownColumns('custom', [rsi(0)]);

  test('come after, each once', () => {
    const high = operandColumn('h', '3M high', { type: 'htf', period: '3M', field: 'high' });
    const same = operandColumn('r', 'RSI(14) 1h', now);
    const last = operandColumn('field:last', 'Last', { type: 'field', key: 'last' });
    const labels = withColumns(columns, [same, high, high, last]).map(({ label }) => label);
    expect(labels).toEqual(['RSI(14) 1h', 'Name', 'Price', 'Volume', 'Value', '3M high']);
  });
});

describe('the decimals of an average', () => {
  const column = (family: string, params: Record<string, string>, looks = {}) => {
    const entry = indicatorEntry(builtInCatalog(), { family, params, tf: 'D', delay: 0 });
    const found = entry && columnOf('custom', { ...entry, ...looks });
    if (!found) throw new Error(`There is no ${family}.`);
    return found;
  };
  const written = (family: string, params: Record<string, string>, value: number, looks = {}) => {
    const key = [family.replaceAll('-', '_'), ...Object.values(params)].join('_');
    const own = column(family, params, looks);
    return cellText(own, aStock({ indicators: { D: { [key]: { now: value } } } }));
  };
  test('are those of a price under $1, two from there on', () => {
    expect(written('sma', { length: '20' }, 0.0125)).toBe('0.013');
    expect(written('sma', { length: '20' }, 0.9994)).toBe('0.999');
    expect(written('sma', { length: '20' }, 1)).toBe('1.00');
    expect(written('ema', { length: '50' }, 45.128)).toBe('45.13');
  });
  test('are two in what is no price, and what the user chose', () => {
    expect(written('rsi', { length: '14' }, 0.5)).toBe('0.50');
    expect(written('sma', { length: '20' }, 0.0125, { decimals: 1 })).toBe('0.0');
  });
});
