import {
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  type Table,
  tableFeatures,
} from '@tanstack/react-table';
import type { ColumnEntry } from '#market/scanners/rules/columnEntry.ts';
import { MAX_WIDTH, MIN_WIDTH } from '#market/scanners/rules/columnLooks.ts';
import { createModel } from '#ui/table/tableModel.ts';

const LAYOUT_FEATURES = tableFeatures({
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
});

export type LayoutModel = Table<typeof LAYOUT_FEATURES, ColumnEntry>;

/** Always stands first, and stays in sight. */
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

/** The columns of a layout as a table has them: their order, which are shown, and the widths that the user gave them. */
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

/** A layout's entries after a change of its columns. */
export function changeLayout(
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

/** The list with a column switched on or off; a mandatory one stays on. */
export const toggleColumn = (entries: readonly ColumnEntry[], id: string): ColumnEntry[] =>
  changeLayout(entries, (columns) => columns.getColumn(id)?.toggleVisibility());

/** The list with a column as wide as it is wanted, within the limits of what can be saved, px; null for no width of its own. */
export const resizeColumn = (
  entries: readonly ColumnEntry[],
  id: string,
  width: number | null,
): ColumnEntry[] =>
  changeLayout(entries, (columns) => {
    if (width === null) columns.getColumn(id)?.resetSize();
    else columns.setColumnSizing((before) => ({ ...before, [id]: width }));
  });

/** The list with the column `id` moved to the place of the column `overId`. Unknown ids change nothing. */
export const moveColumn = (entries: readonly ColumnEntry[], id: string, overId: string): ColumnEntry[] =>
  changeLayout(entries, (columns) =>
    columns.setColumnOrder((order) => {
      const [from, to] = [order.indexOf(id), order.indexOf(overId)];
      return from < 0 || to < 0 ? order : order.toSpliced(from, 1).toSpliced(to, 0, id);
    }),
  );
