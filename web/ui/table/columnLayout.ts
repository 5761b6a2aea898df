import { trendClass } from '../Trend.tsx';
import type { ModelColumn } from './tableModel.ts';
import type { CellStyle, CellTone, ShownColumn } from './types.ts';

type Width = { width: number; maxWidth: number };

/**
 * Shares a table's width among its columns: each gets its least width; what is left goes to all in proportion to
 * what they can still take. Too little room leaves the least widths, and the table scrolls sideways.
 * @param available px
 * @returns whole px, one per column
 */
export function shareWidth(columns: readonly Width[], available: number): number[] {
  const least = columns.reduce((sum, { width }) => sum + width, 0);
  const capacity = columns.reduce((sum, { width, maxWidth }) => sum + Math.max(0, maxWidth - width), 0);
  const extra = Math.max(0, Math.min(available - least, capacity));
  return columns.map(({ width, maxWidth }) =>
    capacity === 0 ? width : Math.floor(width + (extra * Math.max(0, maxWidth - width)) / capacity),
  );
}

/** Where the pinned columns end and the others slide under them. */
const EDGE = '1px 0 0 var(--line)';

export type ColumnLayout<Row extends object> = {
  /** In the order in which they are drawn, the pinned ones first. */
  shown: readonly ShownColumn<Row>[];
  /** Of the column before them, with the buttons that open rows; null when rows don't open. */
  expander: CellStyle | null;
  /** Of all together, px. */
  width: number;
  /** Whether that is more than there is, so that the table scrolls sideways under its pinned columns. */
  isWide: boolean;
};

/**
 * Where each column stands and how wide it is, as the table's model has it.
 * @param ordered those that stay in sight come first
 * @param expanderWidth px; null when rows don't open
 * @param available px
 */
export function layoutColumns<Row extends object>(
  ordered: readonly ModelColumn<Row>[],
  expanderWidth: number | null,
  available: number,
): ColumnLayout<Row> {
  const before = expanderWidth ?? 0;
  const pinned = ordered.filter(({ columnDef }) => columnDef.meta?.column.pinned).length;
  const width = ordered.reduce((sum, model) => sum + model.getSize(), before);
  const isWide = width > available;
  const shown = ordered.flatMap((model, index): ShownColumn<Row>[] => {
    const style: CellStyle = { width: model.getSize() };
    if (isWide && index < pinned) style.left = before + model.getStart();
    if (isWide && index === pinned - 1) style.boxShadow = EDGE;
    const { column } = model.columnDef.meta ?? {};
    return column ? [{ column, model, style }] : [];
  });
  const expander = expanderWidth === null ? null : { width: expanderWidth, ...(isWide ? { left: 0 } : {}) };
  return { shown, expander, width, isWide };
}

/** The class of a cell: what the column is, whether it is pinned, which way the value points. */
export const cellClass = (
  column: { numeric: boolean; pinned?: boolean | undefined; isLong?: boolean | undefined },
  tone: CellTone = null,
  isMissing = false,
): string =>
  (column.numeric ? 'cell is-number' : 'cell') +
  (column.isLong ? ' is-long' : '') +
  (column.pinned ? ' is-pinned' : '') +
  (tone ? ` ${trendClass(tone)}` : '') +
  (isMissing ? ' is-missing' : '');
