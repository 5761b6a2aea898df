import type { CellValue } from './types.ts';

export type SortBy<Row> = { read(row: Row): CellValue; desc: boolean };

export type Keyed<Row> = { key: CellValue; id: string; row: Row };

function compareKeys(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const left = String(a);
  const right = String(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

const byId = <Row>(a: Keyed<Row>, b: Keyed<Row>): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

const isMissing = (key: CellValue): boolean => key === null || (typeof key === 'number' && Number.isNaN(key));

/** What a row is sorted by; null where nothing is. */
export const keyOf = <Row>(row: Row, by: SortBy<Row> | null): CellValue => (by ? by.read(row) : null);

/**
 * Missing values come last whichever way it is sorted; ties go by id, ascending, so that equal rows never swap.
 * @param desc the greatest key first
 */
export function compareKeyed<Row>(desc: boolean): (a: Keyed<Row>, b: Keyed<Row>) => number {
  const sign = desc ? -1 : 1;
  return (a, b) => {
    if (a.key === null || b.key === null || isMissing(a.key) || isMissing(b.key)) {
      return Number(isMissing(a.key)) - Number(isMissing(b.key)) || byId(a, b);
    }
    return sign * compareKeys(a.key, b.key) || byId(a, b);
  };
}

/** @returns a new array, in the order of `compareKeyed` */
export type SortRows<Row> = (
  rows: readonly Row[],
  rowId: (row: Row) => string,
  by: SortBy<Row> | null,
) => Row[];

/** Whether rows stand in the order of `compareKeyed`. */
export function areSorted<Row>(
  rows: readonly Row[],
  rowId: (row: Row) => string,
  by: SortBy<Row> | null,
): boolean {
  const keyed = rows.map((row): Keyed<Row> => ({ key: keyOf(row, by), id: rowId(row), row }));
  const compare = compareKeyed<Row>(by?.desc ?? false);
  return keyed.every((one, index) => {
    const before = keyed[index - 1];
    return before === undefined || compare(before, one) <= 0;
  });
}
