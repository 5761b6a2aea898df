import { type ColumnEntry, defaultEntries, fieldEntry } from '#market/scanners/rules/columnList.ts';
import type { ColumnFormat } from '#market/scanners/rules/columnFormat.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';

/** Formats to set; undefined restores the default. */
export type FormatChange = { [Key in keyof ColumnFormat]?: ColumnFormat[Key] | undefined };

const isDefault = (tableKey: ScannerKey, id: string): boolean =>
  defaultEntries(tableKey).some((entry) => entry.id === id);

/** Mandatory and default columns cannot be removed (specification, section 4). */
export const isRemovable = (tableKey: ScannerKey, entry: ColumnEntry): boolean =>
  !entry.mandatory && !isDefault(tableKey, entry.id);

export const removeColumn = (
  tableKey: ScannerKey,
  columns: readonly ColumnEntry[],
  id: string,
): ColumnEntry[] => columns.filter((entry) => entry.id !== id || !isRemovable(tableKey, entry));

/** The new position of column `id` in the place of `overId`: 'Match: before P. Close'. */
export function placeText(columns: readonly ColumnEntry[], id: string, overId: string): string {
  const from = columns.findIndex((entry) => entry.id === id);
  const to = columns.findIndex((entry) => entry.id === overId);
  return `${columns[from]?.label}: ${from < to ? 'after' : 'before'} ${columns[to]?.label}`;
}

/**
 * Adds columns (specification, section 4): a base column is switched on in its place; an indicator or custom column
 * replaces the one with the same id; others are appended.
 */
export function addColumns(columns: readonly ColumnEntry[], added: readonly ColumnEntry[]): ColumnEntry[] {
  const list = new Map(columns.map((entry) => [entry.id, entry]));
  for (const entry of added) {
    const existing = list.get(entry.id);
    list.set(entry.id, existing?.type === 'base' ? { ...existing, enabled: true } : entry);
  }
  return [...list.values()];
}

/** Adds columns, switched on, after the column `id`. */
export function addColumnsAfter(
  columns: readonly ColumnEntry[],
  id: string,
  added: readonly ColumnEntry[],
): ColumnEntry[] {
  const list = addColumns(columns, added);
  const isAdded = (entry: ColumnEntry) => entry.id !== id && added.some((one) => one.id === entry.id);
  const others = list.filter((entry) => !isAdded(entry));
  return others.toSpliced(others.findIndex((entry) => entry.id === id) + 1, 0, ...list.filter(isAdded));
}

/** Sets formats; undefined members return to the specification's format. */
export const setFormat = (columns: readonly ColumnEntry[], id: string, format: FormatChange): ColumnEntry[] =>
  columns.map((entry) =>
    entry.id === id
      ? (Object.fromEntries(
          Object.entries({ ...entry, ...format }).filter(([, value]) => value !== undefined),
        ) as ColumnEntry)
      : entry,
  );

/**
 * Copies a layout to another table: the columns that are on or that it has by default, with order and formats. Its
 * other columns follow, switched off unless mandatory.
 */
export function copyLayout(columns: readonly ColumnEntry[], to: ScannerKey): ColumnEntry[] {
  const own = new Map(defaultEntries(to).map((entry) => [entry.id, entry]));
  const copied = columns.flatMap((entry): ColumnEntry[] => {
    if (entry.type !== 'base') return [entry];
    const base = fieldEntry(to, entry.id);
    if (!base || !(entry.enabled || own.has(entry.id))) return [];
    const { enabled, decimals, short, width } = entry;
    const format = setFormat([base], base.id, { decimals, short, width });
    return format.map((one) => ({ ...one, enabled: one.mandatory || enabled }));
  });
  for (const { id } of copied) own.delete(id);
  return [...copied, ...[...own.values()].map((entry) => ({ ...entry, enabled: entry.mandatory }))];
}

const signature = ({ enabled, valueKey = '', id, decimals, short, width }: ColumnEntry): string =>
  [enabled, valueKey, id, decimals, short, width].join(' ');

/** Whether two layouts differ in columns, order, on or off, delays or formats. Labels do not count. */
export const differ = (left: readonly ColumnEntry[], right: readonly ColumnEntry[]): boolean =>
  left.length !== right.length ||
  left.some((entry, index) => {
    const other = right[index];
    return !other || signature(entry) !== signature(other);
  });

export type EditorState = {
  tableKey: ScannerKey;
  columns: readonly ColumnEntry[];
  saved: readonly ColumnEntry[];
  isSaving: boolean;
  hasCatalog: boolean;
};

export type EditorRights = {
  save: boolean;
  resetToSaved: boolean;
  restoreDefault: boolean;
  reorder: boolean;
  addIndicator: boolean;
};

/** Which actions the editor allows (specification, section 4). */
export function editorRights(state: EditorState): EditorRights {
  const { tableKey, columns, saved, isSaving, hasCatalog } = state;
  const isChanged = !isSaving && differ(columns, saved);
  return {
    save: isChanged,
    resetToSaved: isChanged,
    restoreDefault: !isSaving && differ(columns, defaultEntries(tableKey)),
    reorder: !isSaving && columns.length > 1,
    addIndicator: hasCatalog,
  };
}
