import type { RowItems } from './rowItems.ts';

/** Where the lines of a table's body stand, px from its top. */
export type LinePlaces = {
  count: number;
  height: number;
  startOf(line: number): number;
  /** The line that covers a height; the first or the last one beyond the ends. -1 without lines. */
  lineAt(y: number): number;
};

/** What is seen of a body, px from its top. */
export type Sight = { top: number; height: number };

/** The first and the last line in sight. */
export type LinesInSight = { first: number; last: number };

type Panel = { line: number; start: number; height: number };

/**
 * Where each line stands. Rows are all of one height; panels have their own, and there are few.
 * @param rowHeight px
 * @param panelHeight of the panel open under the row of an id, px
 */
export function linePlaces(
  items: RowItems,
  rowHeight: number,
  panelHeight: (id: string) => number,
): LinePlaces {
  const { count } = items;
  const panels = items.isPlain ? [] : panelsOf(items, rowHeight, panelHeight);
  const startOf = (line: number): number => {
    const above = panels.findLast((panel) => panel.line < line);
    return above ? endOf(above) + (line - above.line - 1) * rowHeight : line * rowHeight;
  };
  const lineAt = (y: number): number => {
    const from = panels.findLast(({ start }) => start <= y);
    if (!from) return within(Math.floor(y / rowHeight), count);
    const below = Math.floor((y - endOf(from)) / rowHeight) + 1;
    return within(from.line + Math.max(0, below), count);
  };
  return { count, height: startOf(count), startOf, lineAt };
}

const endOf = ({ start, height }: Panel): number => start + height;

const within = (line: number, count: number): number => Math.min(count - 1, Math.max(0, line));

function panelsOf(items: RowItems, rowHeight: number, panelHeight: (id: string) => number): Panel[] {
  const panels: Panel[] = [];
  let extra = 0;
  for (let line = 0; line < items.count; line += 1) {
    const item = items.at(line);
    if (!item?.isDetail) continue;
    const height = panelHeight(item.id);
    panels.push({ line, start: line * rowHeight + extra, height });
    extra += height - rowHeight;
  }
  return panels;
}

/** The lines of which something is in sight; null when nothing is, as in a table that is not shown. */
export function linesInSight(places: LinePlaces, { top, height }: Sight): LinesInSight | null {
  if (places.count === 0 || height <= 0) return null;
  return { first: places.lineAt(top), last: places.lineAt(top + height - 1) };
}

/**
 * The lines to draw, in ascending order: those in sight, some beyond each edge, and one more.
 * @param overscan how many beyond each edge
 * @param kept the one more; -1 for none
 */
export function linesToDraw(
  { count }: LinePlaces,
  inSight: LinesInSight | null,
  overscan: number,
  kept: number,
): number[] {
  if (inSight === null) return [];
  const first = Math.max(0, inSight.first - overscan);
  const last = Math.min(count - 1, inSight.last + overscan);
  const lines = Array.from({ length: last - first + 1 }, (_, place) => first + place);
  if (kept < 0 || kept >= count) return lines;
  if (kept < first) return [kept, ...lines];
  return kept > last ? [...lines, kept] : lines;
}
