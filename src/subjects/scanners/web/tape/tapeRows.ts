import type { Stock } from '#market/rules/stock.ts';
import { passesFilters, type ScannerFilters } from '#market/scanners/rules/filters.ts';
import type { TapeRows } from '#subjects/scanners/answers/tape.ts';
import { TAPE_FIELDS, type TapeTable, tapeStock } from '#market/scanners/rules/tapeTables.ts';

/** The filters of a scanner as far as the tape can follow them: of news it knows nothing. */
export const tapeFilters = (filters: ScannerFilters): ScannerFilters => ({
  ...filters,
  newsOnly: false,
  sensitiveOnly: undefined,
});

/** The rows of an answer as stocks, in its order; null for those that the filters hide. */
export function stocksOf(table: TapeTable, rows: TapeRows, filters: ScannerFilters): (Stock | null)[] {
  const allowed = tapeFilters(filters);
  return rows.codes.map((code, index) => {
    const name = { code, name: rows.names[index] ?? code, isFund: rows.funds[index] ?? false };
    const values = TAPE_FIELDS[table].map((field) => rows.values[field]?.[index] ?? null);
    const stock = tapeStock(table, name, values);
    return code !== '' && passesFilters(stock, allowed, '') ? stock : null;
  });
}
