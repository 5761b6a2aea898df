import type { ColumnLayout } from './columnLayout.ts';

export type Change = 'up' | 'down';
/** The changes of a row's numbers, by the id of their column. */
export type Marks = ReadonlyMap<string, Change>;

const isNumber = (value: unknown): value is number => typeof value === 'number';

function marksOf<Row extends object>({ shown }: ColumnLayout<Row>, before: Row, after: Row): Marks {
  const marks = new Map<string, Change>();
  for (const { column } of shown) {
    if (!column.numeric || column.flashes === false) continue;
    const old = column.read(before);
    const now = column.read(after);
    if (!isNumber(old) || !isNumber(now) || old === now) continue;
    // A change beyond the decimals shown is not to be seen.
    if (column.text(before) !== column.text(after)) marks.set(column.id, now > old ? 'up' : 'down');
  }
  return marks;
}

/**
 * Which numbers of columns that flash have changed in what is seen of them, and which way, in the rows that were drawn
 * before and are drawn now. A value that was not known before, or is not now, has no direction.
 * @param before rows by id; a row that is the identical object has not changed
 */
export function changedRows<Row extends object>(
  before: ReadonlyMap<string, Row>,
  now: ReadonlyMap<string, Row>,
  layout: ColumnLayout<Row>,
): ReadonlyMap<string, Marks> {
  const changed = new Map<string, Marks>();
  for (const [id, row] of now) {
    const old = before.get(id);
    if (old === undefined || old === row) continue;
    const marks = marksOf(layout, old, row);
    if (marks.size > 0) changed.set(id, marks);
  }
  return changed;
}
