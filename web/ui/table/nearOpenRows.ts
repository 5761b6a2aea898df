/** So many rows above and below an open one stay where they are with it. */
export const NEAR_ROWS = 3;

/**
 * The places that keep their rows while rows are open: of each open row, and of those next to it. A row that keeps its
 * place does not move on the screen: rows are of one height, and the panels above it keep their places too.
 * @param ids of the rows as they stand
 */
export function placesNear(ids: readonly string[], openIds: ReadonlySet<string>): ReadonlySet<number> {
  const places = new Set<number>();
  if (openIds.size === 0) return places;
  ids.forEach((id, place) => {
    if (!openIds.has(id)) return;
    const last = Math.min(place + NEAR_ROWS, ids.length - 1);
    for (let near = Math.max(0, place - NEAR_ROWS); near <= last; near += 1) places.add(near);
  });
  return places;
}

/**
 * Puts rows around those that keep their places, in their own order. With too few of them the kept rows move up.
 * @param kept by place, from 0, in ascending order
 * @param rows the kept ones may be among them, as the identical objects
 */
export function arrangeAround<Row>(kept: ReadonlyMap<number, Row>, rows: readonly Row[]): Row[] {
  const keptRows = new Set(kept.values());
  const others = rows.filter((row) => !keptRows.has(row));
  const arranged: Row[] = [];
  let used = 0;
  for (const [place, row] of kept) {
    const next = others.slice(used, used + Math.max(0, place - arranged.length));
    arranged.push(...next, row);
    used += next.length;
  }
  return [...arranged, ...others.slice(used)];
}
