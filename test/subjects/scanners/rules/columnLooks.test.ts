import { expect, test } from 'bun:test';
import { formatShort } from '../../../../src/texts/format.ts';
import { cellText } from '../../../../src/subjects/scanners/rules/cellText.ts';
import { copyLayout, setLooks } from '../../../../src/subjects/scanners/rules/columnEditor.ts';
import { defaultEntries, htfEntry } from '../../../../src/subjects/scanners/rules/columnEntry.ts';
import { normaliseColumns } from '../../../../src/subjects/scanners/rules/columnList.ts';
import { shownColumns } from '../../../../src/subjects/scanners/rules/shownColumns.ts';
import type { ScannerKey } from '../../../../src/subjects/scanners/rules/scanners.ts';
import { aStock } from '../../../support/aStock.ts';

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

test('a column is written with the decimals that it was given, else with those of the specification', () => {
  const stock = aStock({ last: 0.05, marketCap: 278e9 });
  const saved = (looks: object) => [{ id: 'last', type: 'base', ...looks }];
  expect(textOf('intraDaySmall', saved({}), 'last', stock)).toBe('0.050');
  expect(textOf('intraDaySmall', saved({ decimals: 5 }), 'last', stock)).toBe('0.05000');
  const candle = htfEntry({ period: '3M', field: 'high' });
  const averaged = aStock({ htf: { '3M': { high: 0.0514 } } });
  expect(textOf('custom', [candle], candle.id, averaged)).toBe('0.05');
  expect(textOf('custom', [{ ...candle, decimals: 'price' }], candle.id, averaged)).toBe('0.051');
});
test('large numbers are short by choice, prices never', () => {
  const stock = aStock({ last: 5000, marketCap: 278e9 });
  const saved = ['last', 'marketCap'].map((id) => ({ id, type: 'base', short: true }));
  expect(textOf('intraDaySmall', saved, 'marketCap', stock)).toBe('278.0 B');
  expect(textOf('intraDaySmall', saved, 'last', stock)).toBe('5,000.000');
});
test('what makes no sense is left out of the looks, and the column stays', () => {
  const read = (looks: object) =>
    normaliseColumns('custom', [{ id: 'last', type: 'base', ...looks }]).columns.find(
      ({ id }) => id === 'last',
    );
  const plain = read({});
  expect(read({ decimals: 'many', short: 'yes', width: null })).toEqual(plain);
  expect(read({ decimals: 99, width: 1e9 })).toEqual({ ...plain, decimals: 6, width: 480 } as never);
  expect(read({ decimals: -1, width: 1 })).toEqual({ ...plain, decimals: 0, width: 48 } as never);
});

test('a copied layout keeps order and looks, leaves out what the other table lacks, and adds its own switched off', () => {
  const candle = htfEntry({ period: '1M', field: 'low' });
  const from = [...setLooks(defaultEntries('intraDaySmall'), 'high', { decimals: 2 }).reverse(), candle];
  const copied = copyLayout(from, 'custom');
  expect(copied.map(({ id, enabled }) => `${id} ${enabled}`)).toEqual([
    'indicativeClose false',
    'low52w false',
    'high52w false',
    'sector false',
    'day false',
    'value true',
    'low true',
    'high true',
    'open true',
    'close true',
    'pips true',
    'last true',
    'name true',
    `${candle.id} true`,
    'volume false',
  ]);
  expect(copied.find(({ id }) => id === 'high')?.decimals).toBe(2);
  expect(copied.find(({ id }) => id === 'last')).toMatchObject({ label: 'Price', mandatory: true });
  expect(normaliseColumns('custom', copied).dropped).toEqual([]);
});
