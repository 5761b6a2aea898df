import type { CellValue } from './types.ts';

export type SortBy<Row> = { read(row: Row): CellValue; desc: boolean };

type Keyed<Row> = { key: CellValue; id: string; row: Row };

function compareKeys(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const left = String(a);
  const right = String(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

const byId = <Row>(a: Keyed<Row>, b: Keyed<Row>): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

const isMissing = (key: CellValue): boolean => key === null || (typeof key === 'number' && Number.isNaN(key));

const keyedBy =
  <Row>(rowId: (row: Row) => string, by: SortBy<Row> | null) =>
  (row: Row): Keyed<Row> => ({ key: by ? by.read(row) : null, id: rowId(row), row });

function comparison<Row>(desc: boolean): (a: Keyed<Row>, b: Keyed<Row>) => number {
  const sign = desc ? -1 : 1;
  return (a, b) => {
    if (a.key === null || b.key === null || isMissing(a.key) || isMissing(b.key)) {
      return Number(isMissing(a.key)) - Number(isMissing(b.key)) || byId(a, b);
    }
    return sign * compareKeys(a.key, b.key) || byId(a, b);
  };
}

/**
 * Sorts rows by one column. Missing values come last whichever way it is sorted; ties go by id, ascending, so that
 * equal rows never swap.
 * @returns a new array
 */
export function sortRows<Row>(
  rows: readonly Row[],
  rowId: (row: Row) => string,
  by: SortBy<Row> | null,
): Row[] {
  const keyed = rows.map(keyedBy(rowId, by));
  keyed.sort(comparison(by?.desc ?? false));
  return keyed.map(({ row }) => row);
}

/** Whether rows stand as `sortRows` would put them. */
export function areSorted<Row>(
  rows: readonly Row[],
  rowId: (row: Row) => string,
  by: SortBy<Row> | null,
): boolean {
  const keyed = rows.map(keyedBy(rowId, by));
  const compare = comparison<Row>(by?.desc ?? false);
  return keyed.every((one, index) => {
    const before = keyed[index - 1];
    return before === undefined || compare(before, one) <= 0;
  });
}
