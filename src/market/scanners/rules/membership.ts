import type { Stock, StockStatus } from '#market/rules/stock.ts';
import { isActive } from '#market/rules/stockState.ts';
import { hasGap, type ScannerFilters, isLargeCap, passesFilters } from './filters.ts';
import type { ScannerKey } from './scanners.ts';

/** A row; in the snapshot table with replaced values. */
export type ScannerRow = Stock & {
  /** The real status if `status` was changed to 'Pre Open'. */
  actualStatus?: StockStatus;
  preopenCached?: true;
  snapshotCapturedAt?: string;
};

export type RowOptions = {
  filters: ScannerFilters;
  /** The stream's `flags.ignoreStatus`: intraday scanners then accept any status. */
  ignoreStatus: boolean;
  /** The session shown, YYYY-MM-DD in Sydney: decides today's news. */
  today: string;
};

const isMover = (stock: Stock): boolean =>
  (stock.change !== null && stock.change >= 0) ||
  (stock.close !== null && stock.vwap !== null && stock.close > stock.vwap);

const isShownMover = (stock: Stock, ignoreStatus: boolean): boolean =>
  isMover(stock) && (ignoreStatus || isActive(stock));

/**
 * Membership in a scanner's first table, before filters (specification, section 9).
 * - Pre-market: status 'Pre Open' and a gap above 0; `ignoreStatus` does not apply.
 * - Small: opened under $1. Mid/large: opened at $1 or over. Both: not large by market cap, a mover and
 * active. Without an open a stock is in neither.
 * - Large cap: large by market cap, a mover and active, whatever its open is.
 * - Custom: every stock.
 * @param gaps of the pre-market scanner
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
 * A scanner's rows, unsorted. They are the stocks themselves, so unchanged rows keep identity.
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
 * A stock past the pre-open as in its last indicative auction (specification, section 4): status 'Pre Open',
 * match values and gap of the snapshot, plus its real status and the capture time.
 * @returns null during the pre-open or without a snapshot
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
 * Rows of the 'Pre-Open Snapshot' table, unsorted, filtered like the live table.
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
