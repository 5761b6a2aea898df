import type { Change, Marks } from './changeMarks.ts';
import type { ColumnLayout } from './columnLayout.ts';
import type { DrawnLine } from './types.ts';

/** An SVG path for each direction, in px from the top left corner of the body. */
export type TintPaths = Readonly<Record<Change, string>>;

/** A row's lower border, which a tint leaves free, px. */
const BORDER = 1;

/** Where the cells of a column stand: in px, and by their place among the columns shown. */
type Slot = { id: string; place: number; left: number; width: number };

/**
 * The columns whose tints lie under the rows, and those whose cells stand still and hide what slides below them: a
 * tint under those would not be seen.
 */
export function tintSlots<Row extends object>({
  shown,
  expander,
  isWide,
}: ColumnLayout<Row>): {
  under: readonly Slot[];
  pinned: readonly Slot[];
} {
  const under: Slot[] = [];
  const pinned: Slot[] = [];
  let left = expander?.width ?? 0;
  shown.forEach(({ column, style }, place) => {
    (isWide && column.pinned ? pinned : under).push({ id: column.id, place, left, width: style.width });
    left += style.width;
  });
  return { under, pinned };
}

/**
 * The areas of the changed cells that have their tints under them.
 * @param changed by the row's id
 * @param rowHeight px
 */
export function tintPaths<Row extends object>(
  lines: readonly DrawnLine<Row>[],
  changed: ReadonlyMap<string, Marks>,
  layout: ColumnLayout<Row>,
  rowHeight: number,
): TintPaths {
  const { under } = tintSlots(layout);
  const height = rowHeight - BORDER;
  const paths = { up: '', down: '' };
  for (const { item, start } of lines) {
    const marks = item.isDetail ? undefined : changed.get(item.id);
    if (!marks) continue;
    for (const { id, left, width } of under) {
      const change = marks.get(id);
      if (change) paths[change] += `M${left} ${start}h${width}v${height}h${-width}z`;
    }
  }
  return paths;
}
