import { type ColumnEntry, defaultEntries } from './columnEntry.ts';
import type { ScannerKey } from './scanners.ts';

const isDefault = (tableKey: ScannerKey, id: string): boolean =>
  defaultEntries(tableKey).some((entry) => entry.id === id);

/** Whether a column can be removed: mandatory and default columns can't (specification, section 4). */
export const isRemovable = (tableKey: ScannerKey, entry: ColumnEntry): boolean =>
  !entry.mandatory && !isDefault(tableKey, entry.id);

/** The list with a column switched on or off; a mandatory one stays on. */
export const toggleColumn = (columns: readonly ColumnEntry[], id: string): ColumnEntry[] =>
  columns.map((entry) =>
    entry.id === id ? { ...entry, enabled: entry.mandatory || !entry.enabled } : entry,
  );

/** The list without a column, if it can be removed. */
export const removeColumn = (
  tableKey: ScannerKey,
  columns: readonly ColumnEntry[],
  id: string,
): ColumnEntry[] => columns.filter((entry) => entry.id !== id || !isRemovable(tableKey, entry));

/** The list with the column `id` moved to the place of the column `overId`. Unknown ids change nothing. */
export function moveColumn(columns: readonly ColumnEntry[], id: string, overId: string): ColumnEntry[] {
  const from = columns.findIndex((entry) => entry.id === id);
  const to = columns.findIndex((entry) => entry.id === overId);
  const moved = columns[from];
  if (!moved || to < 0 || from === to) return [...columns];
  const rest = columns.filter((_, index) => index !== from);
  return [...rest.slice(0, to), moved, ...rest.slice(to)];
}

/**
 * The list with columns added (specification, section 4). A base column that is there already is switched on in its
 * place; an indicator or custom column replaces the one with the same id in its place; others are appended.
 */
export function addColumns(columns: readonly ColumnEntry[], added: readonly ColumnEntry[]): ColumnEntry[] {
  const list = new Map(columns.map((entry) => [entry.id, entry]));
  for (const entry of added) {
    const existing = list.get(entry.id);
    list.set(entry.id, existing?.type === 'base' ? { ...existing, enabled: true } : entry);
  }
  return [...list.values()];
}

const signature = (entry: ColumnEntry): string => `${entry.enabled} ${entry.valueKey ?? ''} ${entry.id}`;

/** Whether two lists show different tables: columns, order, on or off, delays. Labels do not count. */
export const differ = (left: readonly ColumnEntry[], right: readonly ColumnEntry[]): boolean =>
  left.length !== right.length ||
  left.some((entry, index) => {
    const other = right[index];
    return !other || signature(entry) !== signature(other);
  });

export type EditorState = {
  tableKey: ScannerKey;
  columns: readonly ColumnEntry[];
  /** As the server has it, normalised. */
  saved: readonly ColumnEntry[];
  isSaving: boolean;
  /** At least one catalog has loaded. */
  hasCatalog: boolean;
};

export type EditorRights = {
  save: boolean;
  resetToSaved: boolean;
  restoreDefault: boolean;
  reorder: boolean;
  addIndicator: boolean;
};

/** Which of the editor's actions are enabled (specification, section 4). */
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
