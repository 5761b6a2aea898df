import {
  type ColumnEntry,
  defaultEntries,
  fieldEntry,
  htfEntry,
  indicatorEntry,
} from '#market/scanners/rules/columnList.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { confirmSaved } from '#web/shared/saved.ts';
import { layoutError } from '../columnSettings.ts';
import { patchSettings, saveColumns, settings } from '#web/shared/settings.ts';
import {
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  type Table,
  tableFeatures,
} from '@tanstack/react-table';
import { MAX_WIDTH, MIN_WIDTH } from '#market/scanners/rules/columnFormat.ts';
import { createModel } from '#ui/table/tableModel.ts';
import { placeText } from '#subjects/scanners/rules/columnEditor.ts';
import type { PickerResult } from '#web/shared/indicators/AddIndicatorDialog.tsx';
import { platformCatalog } from '#web/shared/indicators/catalog.ts';

const LAYOUT_FEATURES = tableFeatures({
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
});

type LayoutModel = Table<typeof LAYOUT_FEATURES, ColumnEntry>;

/** Columns that are always first and visible. */
const PINNED = ['name'];

const byId = <T>(
  entries: readonly ColumnEntry[],
  value: (entry: ColumnEntry) => T | undefined,
): Record<string, T> =>
  Object.fromEntries(
    entries.flatMap((entry): [string, T][] => {
      const own = value(entry);
      return own === undefined ? [] : [[entry.id, own]];
    }),
  );

/** The columns of a layout as a table model, with order, visibility and custom widths. */
export const layoutModel = (entries: readonly ColumnEntry[]): LayoutModel =>
  createModel<typeof LAYOUT_FEATURES, ColumnEntry>({
    features: LAYOUT_FEATURES,
    columns: entries.map(({ id, label, mandatory }) => ({
      id,
      header: label,
      enableHiding: !mandatory,
      minSize: MIN_WIDTH,
      maxSize: MAX_WIDTH,
    })),
    data: [],
    initialState: {
      columnOrder: entries.map(({ id }) => id),
      columnPinning: { start: PINNED, end: [] },
      columnSizing: byId(entries, ({ width }) => width),
      columnVisibility: byId(entries, ({ enabled }) => enabled),
    },
  });

function changeLayout(
  entries: readonly ColumnEntry[],
  change: (columns: LayoutModel) => void,
): ColumnEntry[] {
  const model = layoutModel(entries);
  change(model);
  const known = new Map(entries.map((entry) => [entry.id, entry]));
  const sizing = model.atoms.columnSizing.get();
  return model.getAllLeafColumns().flatMap((column): ColumnEntry[] => {
    const entry = known.get(column.id);
    if (!entry) return [];
    const { width: _, ...others } = entry;
    const enabled = column.getIsVisible();
    return [{ ...others, enabled, ...(column.id in sizing ? { width: column.getSize() } : {}) }];
  });
}

/** Switches a column on or off; mandatory ones stay on. */
export const toggleColumn = (entries: readonly ColumnEntry[], id: string): ColumnEntry[] =>
  changeLayout(entries, (columns) => columns.getColumn(id)?.toggleVisibility());

/** Sets a width in px, limited to what can be saved; null removes it. */
export const resizeColumn = (
  entries: readonly ColumnEntry[],
  id: string,
  width: number | null,
): ColumnEntry[] =>
  changeLayout(entries, (columns) => {
    if (width === null) columns.getColumn(id)?.resetSize();
    else columns.setColumnSizing((before) => ({ ...before, [id]: width }));
  });

/** Moves `id` to the place of `overId`. Unknown ids change nothing. */
export const moveColumn = (entries: readonly ColumnEntry[], id: string, overId: string): ColumnEntry[] =>
  changeLayout(entries, (columns) =>
    columns.setColumnOrder((order) => {
      const [from, to] = [order.indexOf(id), order.indexOf(overId)];
      return from < 0 || to < 0 ? order : order.toSpliced(from, 1).toSpliced(to, 0, id);
    }),
  );

/** The columns of a choice in the picker; an indicator creates one per timeframe. */
export function pickedEntries(tableKey: ScannerKey, result: PickerResult): ColumnEntry[] {
  if (result.kind === 'htf') return [htfEntry(result.choice)];
  if (result.kind === 'field') return [fieldEntry(tableKey, result.key)].filter((entry) => entry !== null);
  const catalog = platformCatalog.peek()?.catalog ?? { indicators: {} };
  return result.choices.map((choice) => indicatorEntry(catalog, choice)).filter((entry) => entry !== null);
}

/** Delay before saving, ms, so that changes are saved together, for example while a key is held. */
const SAVE_AFTER_MS = 300;

type Unsaved = {
  /** The server's layout; undefined for the default one. */
  saved: readonly ColumnEntry[] | undefined;
  newest: readonly ColumnEntry[];
  timer: ReturnType<typeof setTimeout> | undefined;
};

const unsaved = new Map<ScannerKey, Unsaved>();

export const columnsOf = (scanner: ScannerKey): readonly ColumnEntry[] =>
  settings.value?.columnPreferences[scanner] ?? defaultEntries(scanner);

function show(scanner: ScannerKey, columns: readonly ColumnEntry[] | undefined): void {
  const { [scanner]: _, ...others } = settings.peek()?.columnPreferences ?? {};
  patchSettings({ columnPreferences: columns ? { ...others, [scanner]: columns } : others });
}

/**
 * Applies a change immediately and saves it shortly after. If the server refuses, the change is reverted and
 * `layoutError` says why. Has no effect before the settings are loaded.
 */
export function changeColumns(
  scanner: ScannerKey,
  change: (columns: readonly ColumnEntry[]) => readonly ColumnEntry[],
): void {
  if (settings.peek() === null) return;
  const before = unsaved.get(scanner);
  clearTimeout(before?.timer);
  const newest = change(columnsOf(scanner));
  unsaved.set(scanner, {
    saved: before ? before.saved : settings.peek()?.columnPreferences[scanner],
    newest,
    timer: setTimeout(() => void save(scanner), SAVE_AFTER_MS),
  });
  layoutError.value = null;
  show(scanner, newest);
}

async function save(scanner: ScannerKey): Promise<void> {
  const sent = unsaved.get(scanner);
  if (!sent) return;
  const refusal = await saveColumns(scanner, sent.newest);
  const now = unsaved.get(scanner);
  if (now !== sent) {
    // The layout changed during the save; the newer change has its own save.
    if (now && refusal === null) now.saved = sent.newest;
    if (now) show(scanner, now.newest);
    return;
  }
  unsaved.delete(scanner);
  if (refusal === null) return confirmSaved();
  show(scanner, sent.saved);
  layoutError.value = refusal.message;
}

/** @param width px, limited to what can be saved */
export const resizeColumnOf = (scanner: ScannerKey, id: string, width: number): void =>
  changeColumns(scanner, (columns) => resizeColumn(columns, id, width));

/** Moves a column. @returns the new position in words: 'Match: before P. Close' */
export function placeColumn(scanner: ScannerKey, id: string, overId: string): string {
  const shown = columnsOf(scanner).filter(({ enabled }) => enabled);
  changeColumns(scanner, (columns) => moveColumn(columns, id, overId));
  return placeText(shown, id, overId);
}
