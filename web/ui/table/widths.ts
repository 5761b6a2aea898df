export type Width = { width: number; maxWidth: number };

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

/** A cell's place in its row; the same object for every row, so that nothing compares it twice. */
export type CellStyle = { width: number; left?: number; boxShadow?: string };

/** Where the pinned columns end and the others slide under them. */
const EDGE = '1px 0 0 var(--line)';

/**
 * The style of each column's cells: its width and, where the column is pinned, where it stops when the table is
 * scrolled sideways.
 * @param widths px
 * @param pinned how many columns, from the left, are pinned
 */
export function cellStyles(widths: readonly number[], pinned: number): CellStyle[] {
  let left = 0;
  return widths.map((width, index) => {
    const start = left;
    left += width;
    if (index >= pinned) return { width };
    return index === pinned - 1 ? { width, left: start, boxShadow: EDGE } : { width, left: start };
  });
}
