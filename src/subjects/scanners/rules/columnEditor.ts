import { type ColumnEntry, defaultEntries, fieldEntry } from '#market/scanners/rules/columnEntry.ts';
import type { ColumnLooks } from '#market/scanners/rules/columnLooks.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';

/** Looks to set, and with undefined those to take back. */
export type LooksChange = { [Key in keyof ColumnLooks]?: ColumnLooks[Key] | undefined };

const isDefault = (tableKey: ScannerKey, id: string): boolean =>
  defaultEntries(tableKey).some((entry) => entry.id === id);

/** Whether a column can be removed: mandatory and default columns can't (specification, section 4). */
export const isRemovable = (tableKey: ScannerKey, entry: ColumnEntry): boolean =>
  !entry.mandatory && !isDefault(tableKey, entry.id);

/** The list without a column, if it can be removed. */
export const removeColumn = (
  tableKey: ScannerKey,
  columns: readonly ColumnEntry[],
  id: string,
): ColumnEntry[] => columns.filter((entry) => entry.id !== id || !isRemovable(tableKey, entry));

/** Where the column `id` stands once it is in the place of the column `overId`, in words: 'Match: before P. Close'. */
export function placeText(columns: readonly ColumnEntry[], id: string, overId: string): string {
  const from = columns.findIndex((entry) => entry.id === id);
  const to = columns.findIndex((entry) => entry.id === overId);
  return `${columns[from]?.label}: ${from < to ? 'after' : 'before'} ${columns[to]?.label}`;
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

/** The list with other looks of one column; a member that is undefined is as the specification has it again. */
export const setLooks = (columns: readonly ColumnEntry[], id: string, looks: LooksChange): ColumnEntry[] =>
  columns.map((entry) =>
    entry.id === id
      ? (Object.fromEntries(
          Object.entries({ ...entry, ...looks }).filter(([, value]) => value !== undefined),
        ) as ColumnEntry)
      : entry,
  );

/**
 * A table's layout for another table: its columns as far as the other has them, in their order and with their looks;
 * what only the other has follows, switched off unless it is mandatory.
 */
export function copyLayout(columns: readonly ColumnEntry[], to: ScannerKey): ColumnEntry[] {
  const own = new Map(defaultEntries(to).map((entry) => [entry.id, entry]));
  const copied = columns.flatMap((entry): ColumnEntry[] => {
    if (entry.type !== 'base') return [entry];
    const base = fieldEntry(to, entry.id);
    if (!base) return [];
    const { enabled, decimals, short, width } = entry;
    const looks = setLooks([base], base.id, { decimals, short, width });
    return looks.map((one) => ({ ...one, enabled: one.mandatory || enabled }));
  });
  for (const { id } of copied) own.delete(id);
  return [...copied, ...[...own.values()].map((entry) => ({ ...entry, enabled: entry.mandatory }))];
}

const signature = ({ enabled, valueKey = '', id, decimals, short, width }: ColumnEntry): string =>
  [enabled, valueKey, id, decimals, short, width].join(' ');

/** Whether two lists show different tables: columns, order, on or off, delays, looks. Labels do not count. */
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
