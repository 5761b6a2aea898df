import type { Db } from '../../db/open.ts';
import { isQuoteLink, QUOTE_LINKS } from '../../domain/market/quoteLink.ts';
import { AppError } from '../../http/errors.ts';
import type { Indicators } from '../indicators/service.ts';
import { readColumns } from './columns.ts';
import { settingsStore } from './store.ts';

export type SettingsDeps = { db: Db; indicators: Pick<Indicators, 'catalog' | 'userChanged'> };

/**
 * Everything the settings screen shows of a user. A quote site that this version does not know reads as none; columns
 * that no longer exist are left out of the layouts, and `droppedColumns` names them.
 */
export function readSettings(deps: SettingsDeps, userId: number) {
  const row = settingsStore(deps.db).read(userId);
  if (!row) throw new AppError(401, 'This account no longer exists. Please log in again.');
  const { columnPreferences, dropped } = readColumns(
    row.columnPreferences,
    deps.indicators.catalog.current(),
  );
  return {
    ...row,
    quoteSite: isQuoteLink(row.quoteSite) ? row.quoteSite : ('none' as const),
    columnPreferences,
    ...(Object.keys(dropped).length === 0 ? {} : { droppedColumns: dropped }),
  };
}

/**
 * Keeps the quote link preference.
 *
 * @returns null when it was saved, else the sentence to show
 */
export function saveQuoteSite(deps: Pick<SettingsDeps, 'db'>, userId: number, site: string): string | null {
  if (!isQuoteLink(site)) {
    return `That quote site is not known. Choose one of ${QUOTE_LINKS.map((option) => option.id).join(', ')}.`;
  }
  settingsStore(deps.db).setQuoteSite(userId, site);
  return null;
}
