import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  addColumns,
  differ,
  editorRights,
  isRemovable,
  removeColumn,
} from '#subjects/scanners/rules/columnEditor.ts';
import { type ColumnEntry, defaultEntries, fieldEntry, htfEntry } from '#market/scanners/rules/columnList.ts';
import { moveColumn, toggleColumn } from '#subjects/scanners/web/shared/columns/layouts.ts';

const defaults = defaultEntries('intraDaySmall');
const high = htfEntry({ period: '3M', field: 'high' });
const low = htfEntry({ period: '3M', field: 'low' });
const ids = (columns: readonly ColumnEntry[]) => columns.map(({ id }) => id);
const entry = (columns: readonly ColumnEntry[], id: string): ColumnEntry => {
  const found = columns.find((one) => one.id === id);
  if (!found) throw new Error(`There is no column ${id}.`);
  return found;
};

test('switching turns a column on and off, but never a mandatory one', () => {
  const off = toggleColumn(defaults, 'pips');
  expect(entry(off, 'pips').enabled).toBe(false);
  expect(differ(toggleColumn(off, 'pips'), defaults)).toBe(false);
  expect(toggleColumn(defaults, 'last')).toEqual(defaults);
  expect(toggleColumn(defaults, 'name')).toEqual(defaults);
});

describe('removing', () => {
  test('is limited to added columns', () => {
    const columns = [...defaults, high];
    for (const one of defaults) {
      expect(isRemovable('intraDaySmall', one)).toBe(false);
      expect(removeColumn('intraDaySmall', columns, one.id)).toEqual(columns);
    }
    expect(isRemovable('intraDaySmall', high)).toBe(true);
    expect(removeColumn('intraDaySmall', columns, high.id)).toEqual(defaults);
  });

  test('is possible for a field that is not in the table by default', () => {
    const volume = fieldEntry('intraDaySmall', 'volume');
    if (!volume) throw new Error('Volume is in the catalogue.');
    expect(isRemovable('intraDaySmall', volume)).toBe(true);
    expect(isRemovable('custom', volume)).toBe(false);
  });
});

test('moving loses and repeats no column, and ends at the drop position', () => {
  const index = fc.nat({ max: defaults.length - 1 });
  fc.assert(
    fc.property(index, index, (from, to) => {
      const [source = '', target = ''] = [ids(defaults)[from], ids(defaults)[to]];
      const moved = moveColumn(defaults, source, target);
      expect(ids(moved)[to]).toBe(source);
      expect(ids(moved).sort()).toEqual(ids(defaults).sort());
      expect(differ(moved, defaults)).toBe(from !== to);
    }),
  );
});

describe('adding', () => {
  test('turns an existing base column on in its place', () => {
    const off = toggleColumn(defaults, 'pips');
    const pips = fieldEntry('intraDaySmall', 'pips');
    if (!pips) throw new Error('Pips is in the catalogue.');
    expect(addColumns(off, [pips])).toEqual(defaults);
  });

  test('replaces the same id and appends others, one per timeframe', () => {
    const replaced = { ...high, enabled: true, label: 'new' };
    const columns = addColumns([...defaults, { ...high, enabled: false }], [low, replaced]);
    expect(ids(columns)).toEqual([...ids(defaults), high.id, low.id]);
    expect(entry(columns, high.id)).toEqual(replaced);
  });
});

describe('the available actions', () => {
  const rights = (change: Partial<Parameters<typeof editorRights>[0]> = {}) =>
    editorRights({
      tableKey: 'intraDaySmall',
      columns: defaults,
      saved: defaults,
      isSaving: false,
      hasCatalog: true,
      ...change,
    });
  const changed = toggleColumn(defaults, 'pips');

  test('allow save and reset if the default is shown but another list is saved', () => {
    expect(rights({ saved: changed })).toMatchObject({
      save: true,
      resetToSaved: true,
      restoreDefault: false,
    });
  });

  test('need several columns for an order, and a catalog for an indicator', () => {
    expect(rights({ columns: defaults.slice(0, 1) }).reorder).toBe(false);
    expect(rights({ hasCatalog: false }).addIndicator).toBe(false);
  });

  test('include saving for another delay, but not for another label', () => {
    const delayed = { ...high, valueKey: '1' };
    expect(differ([high], [delayed])).toBe(true);
    expect(differ([high], [{ ...high, label: 'other' }])).toBe(false);
  });
});
