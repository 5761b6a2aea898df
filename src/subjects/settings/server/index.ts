import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '#platform/db/open.ts';
import { users } from '#platform/db/schema.ts';
import {
  type ColumnEntry,
  checkColumns,
  type Dropped,
  normaliseColumns,
} from '#market/scanners/rules/columnList.ts';
import { type QuoteLink, checkQuoteLink, isQuoteLink } from '#market/rules/quoteSite.ts';
import type { WaitingColumn } from '#market/indicators/rules/valueLimits.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import { SCANNER_KEYS, type ScannerKey, isScannerKey, SCANNERS } from '#market/scanners/rules/scanners.ts';
import { accepted, AppError, refusingWith, refusalText } from '#platform/http/errors.ts';
import type { App, Part } from '#platform/app.ts';
import { SETTINGS } from '../contract.ts';
import { serve } from '#platform/http/routes.ts';
import { accessLevel } from '#platform/http/rules/accessLevel.ts';
import { Tally, type TransferKind, type TransferPreference } from '#subjects/transfer/rules/kind.ts';

const settingsStore = (db: Db) => ({
  read: (userId: number) =>
    db
      .select({
        username: users.username,
        subscriptionType: users.subscriptionType,
        requestedSubscriptionType: users.requestedSubscriptionType,
        upgradeDeclinedReason: users.upgradeDeclinedReason,
        isAdmin: users.isAdmin,
        quoteLink: users.quoteLink,
        columnPreferences: users.columnPreferences,
      })
      .from(users)
      .where(and(eq(users.id, userId), isNull(users.deletedAt)))
      .get(),

  setQuoteLink: (userId: number, quoteLink: QuoteLink): void => {
    db.update(users).set({ quoteLink }).where(eq(users.id, userId)).run();
  },

  setColumns: (userId: number, tableKey: string, columns: readonly ColumnEntry[]): void => {
    db.transaction((inside) => {
      const row = inside
        .select({ saved: users.columnPreferences })
        .from(users)
        .where(eq(users.id, userId))
        .get();
      const columnPreferences = { ...row?.saved, [tableKey]: columns };
      inside.update(users).set({ columnPreferences }).where(eq(users.id, userId)).run();
    });
  },
});

type ColumnPreferences = Partial<Record<ScannerKey, ColumnEntry[]>>;
/** Removed columns of saved layouts; tables without any are missing. */
export type DroppedColumns = Partial<Record<ScannerKey, Dropped[]>>;

/** Columns that wait for values; tables without any are missing. */
export type WaitingColumns = Partial<Record<ScannerKey, WaitingColumn[]>>;

/**
 * Saved layouts for the current catalog, without deleted columns. The stored ones stay until the user saves again, so
 * that an indicator that returns is in its old place.
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

/** Number of values that a user reads and may read, and the columns that wait. */
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

/** Checks the name of a table. @throws AppError 400 for an unknown one */
function knownTable(tableKey: string): ScannerKey {
  if (isScannerKey(tableKey)) return tableKey;
  const message = `Unknown table "${tableKey.slice(0, 40)}". Choose one of ${SCANNER_KEYS.join(', ')}.`;
  throw new AppError(400, { field: 'tableKey', message });
}

/**
 * Saves the layout of one table.
 * @returns all layouts of the user
 * @throws AppError 400 with the unknown or surplus part, 429; then nothing is saved
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

const LESS = 'Removed from their tables, because this server does not have them.';
const NO_TABLE = 'This server does not have this table.';

/** @throws AppError 400 for too many values */
function saveTable({ db, indicators }: App, userId: number, key: ScannerKey, columns: ColumnEntry[]): void {
  indicators.refuseTooMany(userId, 'columns', (saved) => ({
    columns: { ...saved.columns, [key]: columns },
  }));
  settingsStore(db).setColumns(userId, key, columns);
}

function importTable(app: App, userId: number, [key, sent]: [string, unknown], tally: Tally): void {
  if (!isScannerKey(key)) return tally.leaveOut(key, NO_TABLE);
  const { tab } = SCANNERS[key];
  const { columns, dropped } = normaliseColumns(key, sent, app.indicators.catalog.current());
  const saved = settingsStore(app.db).read(userId)?.columnPreferences[key];
  if (Bun.deepEquals(saved, columns)) return tally.keep();
  try {
    saveTable(app, userId, key, columns);
  } catch (problem) {
    return tally.leaveOut(tab, refusalText(problem));
  }
  tally.change();
  for (const { id } of dropped) tally.note(`${tab}: ${id}`, LESS);
}

/** Columns in an exported file; each table is imported as a whole. */
const columnsKind = (app: App): TransferKind => ({
  exportValue({ userId }) {
    const saved = settingsStore(app.db).read(userId)?.columnPreferences ?? {};
    return Object.fromEntries(Object.entries(saved).filter(([key]) => isScannerKey(key)));
  },
  importValue({ userId }, value) {
    const tally = new Tally();
    for (const table of Object.entries(value as Record<string, unknown>)) {
      importTable(app, userId, table, tally);
    }
    return { outcome: tally.outcome(), afterwards: () => app.indicators.userChanged(userId) };
  },
});

const quotePreference = ({ db }: App): TransferPreference => ({
  exportValue(userId) {
    const site = settingsStore(db).read(userId)?.quoteLink;
    return site === 'none' ? undefined : site;
  },
  put(userId, value) {
    if (typeof value !== 'string') throw new AppError(400, '`site` must be text.');
    const site = accepted(checkQuoteLink(value));
    const store = settingsStore(db);
    if (store.read(userId)?.quoteLink === site) return false;
    store.setQuoteLink(userId, site);
    return true;
  },
});

/**
 * The settings of a user. An unknown quote link is read as none; `droppedColumns` lists deleted columns.
 * @throws AppError 401 if the account was deleted
 */
function readSettings(app: App, userId: number) {
  const row = settingsStore(app.db).read(userId);
  if (!row) throw new AppError(401, 'This account no longer exists. Please log in again.');
  const { quoteLink, columnPreferences: saved, isAdmin, ...account } = row;
  const { columnPreferences, dropped } = readColumns(saved, app.indicators.catalog.current());
  return {
    ...account,
    accessLevel: accessLevel({ ...account, isAdmin }),
    quoteSite: isQuoteLink(quoteLink) ? quoteLink : ('none' as const),
    columnPreferences,
    ...(Object.keys(dropped).length === 0 ? {} : { droppedColumns: dropped }),
    ...valuesOf(app, userId, columnPreferences),
  };
}

/** @throws AppError 400 for an unknown choice */
const saveQuoteLink = ({ db }: App, userId: number, sent: string): void =>
  settingsStore(db).setQuoteLink(userId, accepted(checkQuoteLink(sent)));

const routesOf = (app: App) =>
  serve(SETTINGS, {
    'GET /api/settings': ({ user }) => ({
      ...readSettings(app, user.id),
      lacksSecondFactor: user.lacksSecondFactor,
    }),
    'POST /api/settings/quote-site': ({ user, body }) =>
      refusingWith({ success: false }, () => {
        saveQuoteLink(app, user.id, body.site);
        return { success: true as const, error: null };
      }),
    'POST /api/settings/table-columns': ({ user, body }) => saveColumns(app, user.id, body),
  });

export function createSettings(app: App) {
  return {
    name: 'settings',
    service: { transfer: columnsKind(app), quotePreference: quotePreference(app) },
    routes: () => routesOf(app),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    settings: { transfer: TransferKind; quotePreference: TransferPreference };
  }
}
