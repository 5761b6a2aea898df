import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { addColumns, differ, editorRights, removeColumn } from '#subjects/scanners/rules/columnEditor.ts';
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

test('removing is limited to added columns: indicators, and columns of other tables', () => {
  const gap = fieldEntry('intraDaySmall', 'indicativeChangePercent');
  const added = gap ? [high, gap] : [];
  const columns = [...defaults, ...added];
  for (const one of columns) {
    const rest = columns.filter(({ id }) => id !== one.id);
    expect(removeColumn('intraDaySmall', columns, one.id)).toEqual(added.includes(one) ? rest : columns);
  }
  expect(gap).not.toBeNull();
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

test('save and reset are possible if the default is shown but another list is saved', () => {
  const saved = toggleColumn(defaults, 'pips');
  const state = { tableKey: 'intraDaySmall', columns: defaults, isSaving: false, hasCatalog: true } as const;
  const rights = { save: true, resetToSaved: true, restoreDefault: false };
  expect(editorRights({ ...state, saved })).toMatchObject(rights);
});

test('another delay is a difference, another label is none', () => {
  expect(differ([high], [{ ...high, valueKey: '1' }])).toBe(true);
  expect(differ([high], [{ ...high, label: 'other' }])).toBe(false);
});
