import type { Stock } from '../rules/stock.ts';
import type { StreamMeta } from '../rules/stream.ts';
import { BASE_COLUMNS } from '#subjects/scanners/rules/columns.ts';
import { defaultFilters } from '#subjects/scanners/rules/filters.ts';
import { belongsTo, rowsFor, type ScannerRow, snapshotRowsFor } from '#subjects/scanners/rules/membership.ts';
import { SCANNER_KEYS, SCANNERS, type ScannerKey } from '#subjects/scanners/rules/scanners.ts';

/** What a large screen shows of one table. */
const ROWS_A_TABLE = 30;
/** What comes first of the one scanner that a page begins with, as far as it has this many. */
const ROWS_OF_SCANNER = 60;
/** At least this many stocks, as far as there are: other filters than the usual ones find something too. */
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

function topOf(rows: readonly ScannerRow[], key: ScannerKey): string[] {
  const rank = rankOf(key);
  const ranked = rows.map((row) => ({ code: row.code, rank: rank(row) }));
  ranked.sort((a, b) => (a.rank === b.rank ? 0 : b.rank - a.rank));
  return ranked.map(({ code }) => code);
}

/** The rows of each of a scanner's tables in their usual order, while its filters are the usual ones. */
function tablesOf(key: ScannerKey, stocks: readonly Stock[], { flags, dateToday: today }: Meta): string[][] {
  const filters = defaultFilters(key === 'preMarket');
  const live = rowsFor(key, stocks, { filters, ignoreStatus: flags.ignoreStatus, today });
  const tables = [topOf(live, key)];
  if (key === 'preMarket') tables.push(topOf(snapshotRowsFor(stocks, { filters, today }), key));
  return tables;
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
  const tables = SCANNER_KEYS.flatMap((key) => tablesOf(key, stocks, meta));
  const wanted = new Set(tables.flatMap((codes) => codes.slice(0, ROWS_A_TABLE)));
  for (const { code } of stocks) {
    if (wanted.size >= MIN_STOCKS) break;
    wanted.add(code);
  }
  const first = stocks.filter(({ code }) => wanted.has(code));
  const others = stocks.filter(({ code }) => !wanted.has(code));
  return { stocks: [...first, ...others], first: first.length };
}

/** The stocks that the tables of one scanner begin with; members that its usual filters hold back fill them up. */
export function beginningOf(key: ScannerKey, stocks: readonly Stock[], meta: Meta): Stock[] {
  const tables = tablesOf(key, stocks, meta);
  const wanted = new Set(tables.flatMap((codes) => codes.slice(0, ROWS_OF_SCANNER / tables.length)));
  const members = stocks.filter((stock) => belongsTo(key, stock, meta.flags.ignoreStatus));
  for (const code of topOf(members, key)) {
    if (wanted.size >= ROWS_OF_SCANNER) break;
    wanted.add(code);
  }
  return stocks.filter(({ code }) => wanted.has(code));
}
