import type { Stock } from '../../domain/market/stock.ts';
import type { StreamMeta } from '../../domain/market/stream.ts';
import { BASE_COLUMNS } from '../../domain/scanners/columns.ts';
import { defaultFilters, type ScannerFilters } from '../../domain/scanners/filters.ts';
import { rowsFor, type ScannerRow, snapshotRowsFor } from '../../domain/scanners/membership.ts';
import { SCANNER_KEYS, SCANNERS, type ScannerKey } from '../../domain/scanners/scanners.ts';

/** What a large screen shows of one table. */
const ROWS_A_TABLE = 30;
/** At least so many stocks, as far as there are: other filters than the usual ones find something too. */
const MIN_STOCKS = 150;

type Meta = Pick<StreamMeta, 'flags' | 'dateToday'>;

/** How high a scanner ranks a row; what has no value comes last. */
function rankOf(key: ScannerKey): (row: ScannerRow) => number {
  const metric = BASE_COLUMNS[key].find(({ id }) => id === SCANNERS[key].metric.id);
  return (row) => {
    const value = metric?.value(row);
    return typeof value === 'number' ? value : Number.NEGATIVE_INFINITY;
  };
}

function topOf(rows: readonly ScannerRow[], rank: (row: ScannerRow) => number): string[] {
  const ranked = rows.map((row) => ({ code: row.code, rank: rank(row) }));
  ranked.sort((a, b) => (a.rank === b.rank ? 0 : b.rank - a.rank));
  return ranked.slice(0, ROWS_A_TABLE).map(({ code }) => code);
}

/** How soon a trader wants to see a stock: the largest rise or gap first, then the largest trade. */
const rise = (stock: Stock): number =>
  Math.max(stock.change_percent ?? -1e3, stock.indicativeChangePercent ?? -1e3, stock.preOpen ? 0 : -1e3);
const size = (stock: Stock): number => Math.max(stock.value ?? 0, stock.match_value ?? 0);

/**
 * The stocks in the order in which our own page wants them: first the rows that each scanner's tables begin with while
 * their filters and sort are the usual ones, filled up with those that rose most, then the others.
 * @returns all of them, and how many of them come first
 */
export function byFirstShown(given: Iterable<Stock>, meta: Meta): { stocks: Stock[]; first: number } {
  const stocks = [...given].sort((a, b) => rise(b) - rise(a) || size(b) - size(a));
  const wanted = new Set<string>();
  const want = (rows: readonly ScannerRow[], key: ScannerKey): void => {
    for (const code of topOf(rows, rankOf(key))) wanted.add(code);
  };
  const filtersOf = (key: ScannerKey): ScannerFilters => defaultFilters(key === 'preMarket');
  const { flags, dateToday: today } = meta;
  for (const key of SCANNER_KEYS) {
    want(rowsFor(key, stocks, { filters: filtersOf(key), ignoreStatus: flags.ignoreStatus, today }), key);
  }
  want(snapshotRowsFor(stocks, { filters: filtersOf('preMarket'), today }), 'preMarket');
  for (const { code } of stocks) {
    if (wanted.size >= MIN_STOCKS) break;
    wanted.add(code);
  }
  const first = stocks.filter(({ code }) => wanted.has(code));
  const others = stocks.filter(({ code }) => !wanted.has(code));
  return { stocks: [...first, ...others], first: first.length };
}
