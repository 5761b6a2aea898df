/**
 * Heights of a table's lines, px. Styles get them as `--table-header-height` and `--row-height`, where the build puts
 * them in the place of their names: `env(--compact-row)`.
 */
export const LINE_HEIGHTS = {
  compact: { header: 30, row: 28 },
  comfortable: { header: 30, row: 36 },
  /** On a phone: 40 px to touch, and the line between two rows. */
  touch: { header: 41, row: 41 },
} as const;

export type LineHeights = (typeof LINE_HEIGHTS)[keyof typeof LINE_HEIGHTS];
