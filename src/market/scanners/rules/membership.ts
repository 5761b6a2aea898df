import type { Stock, StockStatus } from '#market/rules/stock.ts';
import { isActive } from '#market/rules/stockState.ts';
import { hasGap, type ScannerFilters, isLargeCap, passesFilters } from './filters.ts';
import type { ScannerKey } from './scanners.ts';

/** A table row: the stock, and on a row of the snapshot table what was put in the place of what. */
export type ScannerRow = Stock & {
  /** The stock's own status where `status` was coerced to 'Pre Open'. */
  actualStatus?: StockStatus;
  preopenCached?: true;
  /** ISO 8601, UTC. */
  snapshotCapturedAt?: string;
};

export type RowOptions = {
  filters: ScannerFilters;
  /** The stream's `flags.ignoreStatus`: the intraday scanners admit a stock whatever its status is. */
  ignoreStatus: boolean;
  /** Sydney date of the session that is shown, YYYY-MM-DD: decides what counts as today's news. */
  today: string;
};

/** Up or flat on the day, or its previous close above its VWAP (specification, section 9). */
const isMover = (stock: Stock): boolean =>
  (stock.change !== null && stock.change >= 0) ||
  (stock.close !== null && stock.vwap !== null && stock.close > stock.vwap);

/** A mover that is active; while the stream's meta says so, the status is ignored. */
const isShownMover = (stock: Stock, ignoreStatus: boolean): boolean =>
  isMover(stock) && (ignoreStatus || isActive(stock));

/**
 * Whether a stock belongs to a scanner's first table, before any filter (specification, section 9).
 *
 * - Pre-market: status 'Pre Open' and a gap above 0; `ignoreStatus` does not apply to it.
 * - Small: opened under $1. Mid/large: opened at $1 or over. Both: not large by market cap, a mover and active. A stock
 *   without an open belongs to neither.
 * - Large cap: large by market cap, a mover and active, whatever its open is.
 * - Custom: every stock.
 * @param gaps of the pre-market scanner, where its reader chose gaps down
 */
export function belongsTo(
  key: ScannerKey,
  stock: Stock,
  ignoreStatus: boolean,
  gaps?: ScannerFilters['gaps'],
): boolean {
  switch (key) {
    case 'preMarket':
      return stock.status === 'Pre Open' && hasGap(stock, gaps);
    case 'intraDaySmall':
      return stock.open !== null && stock.open < 1 && isSmallMover(stock, ignoreStatus);
    case 'intraDayMidLarge':
      return stock.open !== null && stock.open >= 1 && isSmallMover(stock, ignoreStatus);
    case 'intraDayLargeCap':
      return isLargeCap(stock) && isShownMover(stock, ignoreStatus);
    case 'custom':
      return true;
  }
}

const isSmallMover = (stock: Stock, ignoreStatus: boolean): boolean =>
  !isLargeCap(stock) && isShownMover(stock, ignoreStatus);

/**
 * The rows of a scanner's first table, unsorted. They are the stocks themselves, so that unchanged rows keep identity.
 * @param stocks any order, each code once
 */
export function rowsFor(key: ScannerKey, stocks: Iterable<Stock>, options: RowOptions): ScannerRow[] {
  const rows: ScannerRow[] = [];
  const { filters, ignoreStatus, today } = options;
  for (const stock of stocks) {
    if (belongsTo(key, stock, ignoreStatus, filters.gaps) && passesFilters(stock, filters, today)) {
      rows.push(stock);
    }
  }
  return rows;
}

/**
 * A stock that has left the pre-open as it was in its last indicative auction (specification, section 4): its status is
 * coerced to 'Pre Open', match values and gap are those of the snapshot, its real status and the capture time are added.
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
 * The rows of the 'Pre-Open Snapshot' table, unsorted: gap and filters as in the live table.
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
    if (row && hasGap(row, options.filters.gaps) && passesFilters(row, options.filters, options.today)) {
      rows.push(row);
    }
  }
  return rows;
}
