import { SETTINGS } from '../contract.ts';
import { serve } from '#platform/http/routes.ts';
import { refusingWith, accepted, AppError, refusalText } from '#platform/http/errors.ts';
import type { App, Part } from '#platform/app.ts';
import { accessLevel } from '#platform/http/rules/accessLevel.ts';
import { readColumns, saveColumns, valuesOf } from './columns.ts';
import { checkQuoteLink, isQuoteLink } from '#market/rules/quoteSite.ts';
import { type ColumnEntry, normaliseColumns } from '#market/scanners/rules/columnList.ts';
import { isScannerKey, SCANNERS, type ScannerKey } from '#market/scanners/rules/scanners.ts';
import { Tally, type TransferKind, type TransferPreference } from '#subjects/transfer/rules/kind.ts';
import { settingsStore } from './store.ts';

const LESS = 'Left out of their tables: this server does not have them.';
const NO_TABLE = 'There is no such table here.';

/** @throws AppError 400 when too many values would be in use */
function saveTable({ db, indicators }: App, userId: number, key: ScannerKey, columns: ColumnEntry[]): void {
  indicators.refuseTooMany(userId, 'columns', (saved) => ({
    columns: { ...saved.columns, [key]: columns },
  }));
  settingsStore(db).setColumns(userId, key, columns);
}

function takeTable(app: App, userId: number, [key, sent]: [string, unknown], tally: Tally): void {
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

/** The columns of users' tables, in a transfer file: each table as a whole. */
const columnsKind = (app: App): TransferKind => ({
  give({ userId }) {
    const saved = settingsStore(app.db).read(userId)?.columnPreferences ?? {};
    return Object.fromEntries(Object.entries(saved).filter(([key]) => isScannerKey(key)));
  },
  take({ userId }, value) {
    const tally = new Tally();
    for (const table of Object.entries(value as Record<string, unknown>)) {
      takeTable(app, userId, table, tally);
    }
    return { outcome: tally.outcome(), afterwards: () => app.indicators.userChanged(userId) };
  },
});

/** Where quote links lead, in a transfer file. */
const quotePreference = ({ db }: App): TransferPreference => ({
  give(userId) {
    const site = settingsStore(db).read(userId)?.quoteLink;
    return site === 'none' ? undefined : site;
  },
  put(userId, value) {
    if (typeof value !== 'string') throw new AppError(400, 'The quote site is named by a text.');
    const site = accepted(checkQuoteLink(value));
    const store = settingsStore(db);
    if (store.read(userId)?.quoteLink === site) return false;
    store.setQuoteLink(userId, site);
    return true;
  },
});

/**
 * Everything the settings screen shows of a user. A quote link that this version does not know reads as none; columns
 * that no longer exist are left out of the layouts, and `droppedColumns` names them.
 *
 * @throws AppError 401 when the account was deleted meanwhile
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

/**
 * Keeps the quote link preference.
 *
 * @throws AppError 400 for a choice that is not known
 */
const saveQuoteLink = ({ db }: App, userId: number, sent: string): void =>
  settingsStore(db).setQuoteLink(userId, accepted(checkQuoteLink(sent)));

/** GET /settings, POST /settings/quote-site and POST /settings/table-columns (specification 7.1). */
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

/** A user's own settings. */
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
