import {
  checkColumns,
  type ColumnEntry,
  type Dropped,
  normaliseColumns,
} from '#market/scanners/rules/columnList.ts';
import type { WaitingColumn } from '#market/indicators/rules/valueLimits.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import { SCANNER_KEYS, type ScannerKey, isScannerKey } from '#market/scanners/rules/scanners.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import type { App } from '#platform/app.ts';
import { settingsStore } from './store.ts';

export type ColumnPreferences = Partial<Record<ScannerKey, ColumnEntry[]>>;
/** What was left out of saved layouts, by table; only tables that lost something. */
export type DroppedColumns = Partial<Record<ScannerKey, Dropped[]>>;

/** Columns that wait for their values, by table; only tables that have some. */
export type WaitingColumns = Partial<Record<ScannerKey, WaitingColumn[]>>;

/**
 * Saved layouts as they may be used with today's catalog: what no longer exists is left out and named. The saved ones
 * stay untouched until the user saves again, so that an indicator which comes back stands where it was.
 */
export function readColumns(
  saved: Readonly<Record<string, unknown>>,
  catalog: Catalog,
): { columnPreferences: ColumnPreferences; dropped: DroppedColumns } {
  const columnPreferences: ColumnPreferences = {};
  const dropped: DroppedColumns = {};
  for (const [key, columns] of Object.entries(saved)) {
    if (!isScannerKey(key)) continue;
    const list = normaliseColumns(key, columns, catalog);
    columnPreferences[key] = list.columns;
    if (list.dropped.length > 0) dropped[key] = list.dropped;
  }
  return { columnPreferences, dropped };
}

/** How many indicator values a user reads and may read, and which columns wait for theirs, by table. */
export function valuesOf(
  { indicators }: App,
  userId: number,
  layouts: ColumnPreferences,
): { indicatorValues: { limit: number; used: number }; waitingColumns: WaitingColumns } {
  const waitingColumns: WaitingColumns = {};
  for (const key of SCANNER_KEYS) {
    const waiting = indicators.waitingColumns(userId, layouts[key] ?? []);
    if (waiting.length > 0) waitingColumns[key] = waiting;
  }
  return { indicatorValues: indicators.valueUse(userId), waitingColumns };
}

/** @throws AppError 400 for a table that does not exist */
function knownTable(tableKey: string): ScannerKey {
  if (isScannerKey(tableKey)) return tableKey;
  const message = `There is no table "${tableKey.slice(0, 40)}". Choose one of ${SCANNER_KEYS.join(', ')}.`;
  throw new AppError(400, { field: 'tableKey', message });
}

/**
 * Saves the layout of one table.
 *
 * @returns all layouts of the user
 * @throws AppError 400 naming the table, column, family, parameter or timeframe that is unknown or too much, 429; nothing
 *   is saved then
 */
export function saveColumns(
  app: App,
  userId: number,
  sent: { tableKey: string; columns: readonly unknown[] },
): ReturnType<typeof readColumns> & ReturnType<typeof valuesOf> {
  app.indicators.countWrite(userId);
  const tableKey = knownTable(sent.tableKey);
  const catalog = app.indicators.catalog.current();
  const columns = accepted(checkColumns(tableKey, sent.columns, catalog));
  app.indicators.refuseTooMany(userId, 'columns', (saved) => ({
    columns: { ...saved.columns, [tableKey]: columns },
  }));
  const store = settingsStore(app.db);
  store.setColumns(userId, tableKey, columns);
  app.indicators.userChanged(userId);
  const saved = readColumns(store.read(userId)?.columnPreferences ?? {}, catalog);
  return { ...saved, ...valuesOf(app, userId, saved.columnPreferences) };
}
