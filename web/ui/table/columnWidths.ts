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
