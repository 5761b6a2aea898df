import { type ScannerFilters, isLargeCap, passesFilters } from './filters.ts';
import type { Stock, StockStatus } from '../market/stock.ts';
import type { ScannerKey } from './scanners.ts';

/** A table row: the stock, and on a snapshot row what it really is. */
export type ScannerRow = Stock & {
  /** The stock's own status where `status` was coerced to 'Pre Open'. */
  actualStatus?: StockStatus;
  preopenCached?: true;
  /** ISO 8601, UTC. */
  snapshotCapturedAt?: string;
};

export type RowOptions = {
  filters: ScannerFilters;
  /** From the stream's meta: the scanners must not look at the status. */
  ignoreStatus: boolean;
  /** Sydney date of the market, YYYY-MM-DD: decides what counts as today's news. */
  today: string;
};

const ACTIVE: ReadonlySet<StockStatus> = new Set(['Open', 'CSPA', 'Post Close', 'Post Trading', 'Adjust']);

/** True when the stock rises or is flat on the day, or its previous close lies above its session average price. */
const isMover = (stock: Stock): boolean =>
  (stock.change !== null && stock.change >= 0) ||
  (stock.close !== null && stock.vwap !== null && stock.close > stock.vwap);

const isTrading = (stock: Stock, ignoreStatus: boolean): boolean => ignoreStatus || ACTIVE.has(stock.status);

/**
 * Whether a stock belongs to a scanner's (first) table, before any filter.
 *
 * Small: opened under $1; mid/large: opened at $1 or over; both not large by market cap, moving (flat or up on the
 * day, or previous close above VWAP) and in an active status unless that is to be ignored. A stock without an open
 * belongs to neither. Large cap: by analogy large by market cap, moving and active, at whatever open. Pre-market:
 * in 'Pre Open' with a positive indicated gap; that status is what the table is, so ignoreStatus does not lift it.
 * Custom: every stock.
 */
export function belongsTo(key: ScannerKey, stock: Stock, ignoreStatus: boolean): boolean {
  switch (key) {
    case 'preMarket':
      return stock.status === 'Pre Open' && (stock.indicativeChangePercent ?? 0) > 0;
    case 'intraDaySmall':
      return stock.open !== null && stock.open < 1 && isSmallMover(stock, ignoreStatus);
    case 'intraDayMidLarge':
      return stock.open !== null && stock.open >= 1 && isSmallMover(stock, ignoreStatus);
    case 'intraDayLargeCap':
      return isLargeCap(stock) && isMover(stock) && isTrading(stock, ignoreStatus);
    case 'custom':
      return true;
  }
}

const isSmallMover = (stock: Stock, ignoreStatus: boolean): boolean =>
  !isLargeCap(stock) && isMover(stock) && isTrading(stock, ignoreStatus);

/**
 * The rows of a scanner's (first) table, unsorted; the stocks themselves, so that unchanged rows keep identity.
 * @param stocks any order, each code once
 */
export function rowsFor(key: ScannerKey, stocks: Iterable<Stock>, options: RowOptions): ScannerRow[] {
  const rows: ScannerRow[] = [];
  for (const stock of stocks) {
    if (belongsTo(key, stock, options.ignoreStatus) && passesFilters(stock, options.filters, options.today)) {
      rows.push(stock);
    }
  }
  return rows;
}

/**
 * A stock that has left the pre-open as it stood in its last indicative auction: status coerced to 'Pre Open',
 * match values and gap those of the snapshot, and flagged with its real status and the capture time.
 * @returns null when it is still in pre-open or no snapshot was kept
 */
export function snapshotRow(stock: Stock): ScannerRow | null {
  const snapshot = stock.preOpen?.snapshot;
  if (!snapshot || stock.status === 'Pre Open') return null;
  const { capturedAt, indicativeChangePercent, match_price, match_vol, match_value, buy_surplus } = snapshot;
  return {
    ...stock,
    indicativeChangePercent,
    match_price,
    match_vol,
    match_value,
    buy_surplus,
    status: 'Pre Open',
    actualStatus: stock.status,
    preopenCached: true,
    snapshotCapturedAt: capturedAt,
  };
}

/**
 * The rows of the 'Pre-Open Snapshot' table, unsorted: positive gap and the filters as in the live table.
 * @param coerce snapshotRow, or a memoised one so that unchanged rows keep identity
 */
export function snapshotRowsFor(
  stocks: Iterable<Stock>,
  options: Pick<RowOptions, 'filters' | 'today'>,
  coerce: (stock: Stock) => ScannerRow | null = snapshotRow,
): ScannerRow[] {
  const rows: ScannerRow[] = [];
  for (const stock of stocks) {
    const row = coerce(stock);
    if (row && (row.indicativeChangePercent ?? 0) > 0 && passesFilters(row, options.filters, options.today)) {
      rows.push(row);
    }
  }
  return rows;
}
