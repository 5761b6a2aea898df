import { trendClass } from '../Trend.tsx';
import type { ModelColumn, CellStyle, CellTone, ShownColumn } from './tableModel.ts';

type Width = { width: number; maxWidth: number };

/**
 * Distributes the width: each column gets its minimum, and the rest is shared in proportion to the difference to the
 * maximum. If there is too little room, the table scrolls sideways.
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

const EDGE = '1px 0 0 var(--line)';

export type ColumnLayout<Row extends object> = {
  shown: readonly ShownColumn<Row>[];
  /** Style of the expander column; null if rows do not open. */
  expander: CellStyle | null;
  /** Width of all columns, px. */
  width: number;
  isWide: boolean;
};

/**
 * Positions and widths of the columns.
 * @param ordered pinned ones first
 * @param expanderWidth px; null if rows do not open
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

/** Combines the column's kind, pinning and the direction of the value. */
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
