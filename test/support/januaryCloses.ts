import { roundToStep } from '../../src/market/rules/priceStep.ts';

/** A recorded row's number; NaN where it has none. */
export type Cell = (column: string) => number;

/** Solves linear equations by elimination; rows are [coefficients…, right side]. */
function solve(rows: readonly (readonly number[])[]): number[] {
  const matrix = rows.map((row) => [...row]);
  const size = matrix.length;
  const at = (row: number, column: number): number => matrix[row]?.[column] ?? 0;
  for (let pivot = 0; pivot < size; pivot += 1) {
    const best = Array.from({ length: size - pivot }, (_, index) => pivot + index).reduce((a, b) =>
      Math.abs(at(b, pivot)) > Math.abs(at(a, pivot)) ? b : a,
    );
    [matrix[pivot], matrix[best]] = [matrix[best] ?? [], matrix[pivot] ?? []];
    for (let row = 0; row < size; row += 1) {
      if (row === pivot) continue;
      const factor = at(row, pivot) / at(pivot, pivot);
      matrix[row] = (matrix[row] ?? []).map((value, column) => value - factor * at(pivot, column));
    }
  }
  return matrix.map((_, row) => at(row, size) / at(row, row));
}

/** The average at the end of a history, begun with its first value. */
const emaAt = (values: readonly number[], length: number): number =>
  values.reduce((before, value) => before + (2 / (length + 1)) * (value - before));

const DAYS = 13;
/** Where Jan 7, 8, 9, 12, 14 and 15 stand among the thirteen trading days from Jan 2 to Jan 20. */
const UNKNOWN = [3, 4, 5, 6, 8, 9] as const;

/**
 * The thirteen closes between the end of the recorded year (31 December 2025) and the second recorded scan (20 January
 * 2026), worked out from what the platform says of them: its momentum gives the closes ten bars back, differences of
 * its moving sums three more, and its four fastest exponential averages are as many equations for the rest, which the
 * price steps then round to what they were. Uses none of the values that are compared later.
 * @param closes of 2025; @param first, second the recorded rows of 19 and 20 January
 */
export function januaryCloses(closes: readonly number[], first: Cell, second: Cell): number[] {
  const of20 = second('close');
  const of19 = first('close');
  const of16 = of19 - first('change_abs');
  const of5 = of19 - first('Mom');
  const of6 = of20 - second('Mom');
  const of13 = of20 - 5 * (second('SMA5') - first('SMA5'));
  const lastFive = 5 * second('SMA5');
  const lastTen = 10 * second('SMA10');
  const december = closes.slice(-17).reduce((sum, close) => sum + close, 0);
  const of2 = 30 * second('SMA30') - december - of5 - of6 - lastTen;
  const known: (number | null)[] = [
    of2,
    of5,
    of6,
    null,
    null,
    null,
    null,
    of13,
    null,
    null,
    of16,
    of19,
    of20,
  ];
  const byAverage = [5, 10, 20, 30].map((length) => {
    const weight = 2 / (length + 1);
    const share = (index: number): number => weight * (1 - weight) ** (DAYS - 1 - index);
    const rest = known.reduce<number>((sum, close, index) => sum + (close ?? 0) * share(index), 0);
    const right = second(`EMA${length}`) - emaAt(closes, length) * (1 - weight) ** DAYS - rest;
    return [...UNKNOWN.map(share), right];
  });
  const found = solve([
    [1, 1, 1, 1, 0, 0, lastTen - of13 - lastFive],
    [0, 0, 0, 0, 1, 1, lastFive - of16 - of19 - of20],
    ...byAverage,
  ]);
  const whole = [...known];
  for (const [index, day] of UNKNOWN.entries()) whole[day] = found[index] ?? null;
  return whole.map((close) => roundToStep(close ?? Number.NaN));
}
