import type { Db } from '#platform/db/open.ts';
import { accessLevel } from '#platform/http/rules/accessLevel.ts';
import { checkQuoteLink, isQuoteLink } from '#market/rules/quoteSite.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import type { Indicators } from '#subjects/indicators/server/service.ts';
import { readColumns, valuesOf } from './columns.ts';
import { settingsStore } from './store.ts';

export type SettingsDeps = {
  db: Db;
  indicators: Indicators;
};

/**
 * Everything the settings screen shows of a user. A quote link that this version does not know reads as none; columns
 * that no longer exist are left out of the layouts, and `droppedColumns` names them.
 *
 * @throws AppError 401 when the account was deleted meanwhile
 */
export function readSettings(deps: SettingsDeps, userId: number) {
  const row = settingsStore(deps.db).read(userId);
  if (!row) throw new AppError(401, 'This account no longer exists. Please log in again.');
  const { quoteLink, columnPreferences: saved, isAdmin, ...account } = row;
  const { columnPreferences, dropped } = readColumns(saved, deps.indicators.catalog.current());
  return {
    ...account,
    accessLevel: accessLevel({ ...account, isAdmin }),
    quoteSite: isQuoteLink(quoteLink) ? quoteLink : ('none' as const),
    columnPreferences,
    ...(Object.keys(dropped).length === 0 ? {} : { droppedColumns: dropped }),
    ...valuesOf(deps, userId, columnPreferences),
  };
}

/**
 * Keeps the quote link preference.
 *
 * @throws AppError 400 for a choice that is not known
 */
export const saveQuoteLink = (deps: Pick<SettingsDeps, 'db'>, userId: number, sent: string): void =>
  settingsStore(deps.db).setQuoteLink(userId, accepted(checkQuoteLink(sent)));
