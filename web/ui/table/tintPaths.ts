import type { Change, Marks } from './changeMarks.ts';
import type { ColumnLayout } from './columnLayout.ts';
import type { DrawnLine } from './types.ts';

/** An SVG path for each direction, in px from the top left corner of the body. */
export type TintPaths = Readonly<Record<Change, string>>;

/** A row's lower border, which a tint leaves free, px. */
const BORDER = 1;

/** Whether the cells of a column stand still and hide what slides below them: a tint under them would not be seen. */
export const isPinnedCell = <Row>(layout: ColumnLayout<Row>, place: number): boolean =>
  layout.isWide && layout.shown[place]?.column.pinned === true;

/**
 * The areas of the changed cells; those of pinned cells are left out.
 * @param changed by the row's id
 * @param rowHeight px
 */
export function tintPaths<Row>(
  lines: readonly DrawnLine<Row>[],
  changed: ReadonlyMap<string, Marks>,
  layout: ColumnLayout<Row>,
  rowHeight: number,
): TintPaths {
  const lefts = leftEdges(layout);
  const height = rowHeight - BORDER;
  const paths = { up: '', down: '' };
  for (const { item, start } of lines) {
    const marks = item.isDetail ? undefined : changed.get(item.id);
    if (!marks) continue;
    for (const [place, change] of marks) {
      if (isPinnedCell(layout, place)) continue;
      const width = layout.shown[place]?.style.width ?? 0;
      paths[change] += `M${lefts[place]} ${start}h${width}v${height}h${-width}z`;
    }
  }
  return paths;
}

/** Of each column, px. */
function leftEdges<Row>({ shown, expander }: ColumnLayout<Row>): number[] {
  let left = expander?.width ?? 0;
  return shown.map(({ style }) => {
    const own = left;
    left += style.width;
    return own;
  });
}
