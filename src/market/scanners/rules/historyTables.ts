import { DEFAULT_MIN_VALUE, isLargeCap, OPEN_FILTERS, passesFilters } from './filters.ts';
import { belongsTo, type RowOptions, rowsFor, type ScannerRow, snapshotRowsFor } from './membership.ts';
import { SCANNERS, type ScannerKey, SNAPSHOT_TITLE } from './scanners.ts';
import { emptyStock, type Stock } from '#market/rules/stock.ts';
import { pips } from '#market/rules/priceStep.ts';

/** The tables in the scanner history: those of scanners that are equal for all users. */
export const HISTORY_TABLES = [
  'preMarket',
  'preOpenSnapshot',
  'intraDaySmall',
  'intraDayMidLarge',
  'intraDayLargeCap',
] as const;
export type HistoryTable = (typeof HISTORY_TABLES)[number];

/** The figures stored per row: those of the default columns, and whether the stock is large by market cap. */
export type HistoryField =
  | 'last'
  | 'close'
  | 'open'
  | 'high'
  | 'low'
  | 'vwap'
  | 'value'
  | 'change_percent'
  | 'relativeVolume'
  | 'match_price'
  | 'match_vol'
  | 'match_value'
  | 'indicativeChangePercent'
  | 'buy_surplus'
  | 'marketCap'
  | 'isLarge';

export type HistoryValues = readonly (number | null)[];

const AUCTION: readonly HistoryField[] = [
  'match_price',
  'close',
  'match_vol',
  'match_value',
  'indicativeChangePercent',
  'relativeVolume',
  'buy_surplus',
  'isLarge',
];
const MOVERS: readonly HistoryField[] = [
  'last',
  'close',
  'open',
  'high',
  'low',
  'vwap',
  'value',
  'change_percent',
  'relativeVolume',
];

export const HISTORY_FIELDS: Readonly<Record<HistoryTable, readonly HistoryField[]>> = {
  preMarket: AUCTION,
  preOpenSnapshot: AUCTION,
  intraDaySmall: MOVERS,
  intraDayMidLarge: MOVERS,
  intraDayLargeCap: [...MOVERS, 'marketCap'],
};

/** Empty for the custom scanner, because its scans belong to users. */
export const historyTablesOf = (scanner: ScannerKey): readonly HistoryTable[] =>
  scanner === 'preMarket' ? ['preMarket', 'preOpenSnapshot'] : scanner === 'custom' ? [] : [scanner];

export const scannerOf = (table: HistoryTable): Exclude<ScannerKey, 'custom'> =>
  table === 'preOpenSnapshot' ? 'preMarket' : table;

export const historyTitle = (table: HistoryTable): string =>
  table === 'preOpenSnapshot' ? SNAPSHOT_TITLE : SCANNERS[table].title;

export const isHistoryTable = (value: unknown): value is HistoryTable =>
  HISTORY_TABLES.some((key) => key === value);

/** A scanner's default filters without the price group, so that readers can choose theirs. */
export const HISTORY_FILTERS = { ...OPEN_FILTERS, minValue: DEFAULT_MIN_VALUE };

/** A table's rows, unsorted. @param ignoreStatus as the stream's `flags.ignoreStatus` */
export function historyRows(
  table: HistoryTable,
  stocks: Iterable<Stock>,
  ignoreStatus: boolean,
): ScannerRow[] {
  const options = { filters: HISTORY_FILTERS, ignoreStatus, today: '' };
  return table === 'preOpenSnapshot' ? snapshotRowsFor(stocks, options) : rowsFor(table, stocks, options);
}

/**
 * Membership in a scanner's first table.
 * @param options `filters` are those of the history, unless an alert has its own; only news filters need
 * `today`
 */
export const isInScan = (
  scanner: ScannerKey,
  stock: Stock,
  {
    filters = HISTORY_FILTERS,
    ignoreStatus,
    today = '',
  }: Pick<RowOptions, 'ignoreStatus'> & Partial<RowOptions>,
): boolean => belongsTo(scanner, stock, ignoreStatus, filters.gaps) && passesFilters(stock, filters, today);

const valueOf = (stock: Stock, field: HistoryField): number | null =>
  field === 'isLarge' ? Number(isLargeCap(stock)) : stock[field];

export const historyValues = (table: HistoryTable, stock: Stock): (number | null)[] =>
  HISTORY_FIELDS[table].map((field) => valueOf(stock, field));

export type HistoryTableName = { code: string; name: string; isFund: boolean };

/** A stored row as a stock, for columns and filters; other fields are unknown. */
export function historyStock(
  table: HistoryTable,
  { code, name, isFund }: HistoryTableName,
  values: HistoryValues,
): Stock {
  const stock: Stock = {
    ...emptyStock(code),
    name,
    securityType: isFund ? 'fund' : 'stock',
    status: scannerOf(table) === 'preMarket' ? 'Pre Open' : 'Open',
  };
  for (const [index, field] of HISTORY_FIELDS[table].entries()) {
    const value = values[index] ?? null;
    if (field !== 'isLarge') stock[field] = value;
    else stock.marketCapCategory = value === 1 ? 'large' : null;
  }
  return stock;
}

export function rankKey(table: HistoryTable, values: HistoryValues): number | null {
  const fields = HISTORY_FIELDS[table];
  const read = (field: HistoryField) => values[fields.indexOf(field)] ?? null;
  if (scannerOf(table) === 'preMarket') return read('indicativeChangePercent');
  return table === 'intraDayLargeCap' ? read('change_percent') : pips(read('close'), read('last'));
}

/** The default order: missing figures last, equal ones by code. */
export function inRankOrder<Row extends { code: string; values: HistoryValues }>(
  table: HistoryTable,
  rows: readonly Row[],
): Row[] {
  const keyed = rows.map((row) => ({ row, key: rankKey(table, row.values) }));
  keyed.sort((a, b) => {
    if (a.key !== b.key) {
      if (a.key === null) return 1;
      if (b.key === null) return -1;
      return b.key - a.key;
    }
    return a.row.code < b.row.code ? -1 : 1;
  });
  return keyed.map(({ row }) => row);
}
