import { plainLine } from '#texts/plainText.ts';
import { livePrice } from '#market/rules/livePrice.ts';
import { pips } from '#market/rules/pips.ts';
import type { Stock } from '#market/rules/stock.ts';
import { DEFAULT_MIN_VALUE, OPEN_FILTERS } from '#market/scanners/rules/filters.ts';
import type { ScannerRow } from '#market/scanners/rules/membership.ts';
import { type ScannerKey, SCANNERS, SNAPSHOT_TITLE } from '#market/scanners/rules/scanners.ts';
import { scannerTables } from '#subjects/scanners/rules/scannerTables.ts';
import type { MoverScanner } from './tools.ts';
import type { QuestionLevel } from './question.ts';

const MAX_NAME = 80;

const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 100) / 100;

/** An object's known members: a model reads what is null as a figure now and then. */
const known = (members: Record<string, string | number | null>): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(members).filter((member): member is [string, string | number] => member[1] !== null),
  );

/** What the Calls page shows of a stock to visitors, with what it is compared to. */
const publicQuote = (stock: Stock): Record<string, string | number> =>
  known({
    code: stock.code,
    name: plainLine(stock.name, MAX_NAME),
    status: stock.status,
    last: livePrice(stock),
    previous_close: stock.close,
    change: stock.change,
    change_percent: rounded(stock.change_percent),
  });

/** A stock's price as a level may see it; AUD, volumes in shares. */
export function quoteData(stock: Stock, level: QuestionLevel): Record<string, string | number> {
  if (level < 2) return publicQuote(stock);
  return {
    ...publicQuote(stock),
    ...known({
      open: stock.open,
      high: stock.high,
      low: stock.low,
      vwap: stock.vwap,
      volume: stock.volume,
      value: stock.value,
      relative_volume: rounded(stock.relativeVolume),
      indicative_match_price: stock.match_price,
      indicative_match_volume: stock.match_vol,
      indicative_change_percent: rounded(stock.indicativeChangePercent),
      market_cap: stock.marketCap,
      sector: stock.sector === null ? null : plainLine(stock.sector, MAX_NAME),
      price_sensitive_announcements_today: stock.sensitiveAnnouncements,
    }),
  };
}

const METRICS: Record<MoverScanner, (row: ScannerRow) => number | null> = {
  preMarket: (row) => row.indicativeChangePercent,
  intraDaySmall: (row) => pips(row.close, row.last),
  intraDayMidLarge: (row) => pips(row.close, row.last),
  intraDayLargeCap: (row) => row.change_percent,
};

function moverData(scanner: MoverScanner, row: ScannerRow): Record<string, string | number> {
  const isPreMarket = scanner === 'preMarket';
  return known({
    code: row.code,
    name: plainLine(row.name, MAX_NAME),
    [isPreMarket ? 'gap_percent' : 'change_percent']: rounded(
      isPreMarket ? row.indicativeChangePercent : row.change_percent,
    ),
    [isPreMarket ? 'match_price' : 'last']: isPreMarket ? row.match_price : row.last,
    pips: isPreMarket ? null : pips(row.close, row.last),
    previous_close: row.close,
    value: isPreMarket ? row.match_value : row.value,
    relative_volume: rounded(row.relativeVolume),
  });
}

export type MoversInput = {
  scanner: MoverScanner;
  stocks: ReadonlyMap<string, Stock>;
  ignoreStatus: boolean;
  /** Sydney date of the session, YYYY-MM-DD. */
  today: string;
  limit: number;
};

/** The scanner's rows by its own rules and its default least value, the first ones of its default order. */
export function moversData({ scanner, stocks, ignoreStatus, today, limit }: MoversInput) {
  const filters = { ...OPEN_FILTERS, minValue: DEFAULT_MIN_VALUE };
  const tables = scannerTables({ scanner, stocks, filters, matches: null, ignoreStatus, today });
  const isSnapshot = tables.rows.length === 0 && tables.snapshotRows.length > 0;
  const rows = isSnapshot ? tables.snapshotRows : tables.rows;
  const metric = METRICS[scanner];
  const valueOf = (row: ScannerRow): number => metric(row) ?? Number.NEGATIVE_INFINITY;
  const key: ScannerKey = scanner;
  return {
    scanner: SCANNERS[key].title,
    table: isSnapshot ? SNAPSHOT_TITLE : SCANNERS[key].title,
    ranked_by: SCANNERS[key].metric.label,
    least_value_aud: DEFAULT_MIN_VALUE,
    rows_in_all: rows.length,
    rows: [...rows]
      .sort((a, b) => valueOf(b) - valueOf(a) || (a.code < b.code ? -1 : 1))
      .slice(0, limit)
      .map((row) => moverData(scanner, row)),
  };
}
