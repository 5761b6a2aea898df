import { pageOf } from '../../../../../../web/router/pageOf.ts';
import { WATCHLIST_PATH } from '../../../../../../web/router/routes.ts';

/** The tabs of Watchlist & Alerts, in their order. */
export const WATCH_PAGES = ['list', 'alerts', 'triggers'] as const;
export type WatchPage = (typeof WATCH_PAGES)[number];

export const PAGE_LABELS: Readonly<Record<WatchPage, string>> = {
  list: 'My list',
  alerts: 'All alerts',
  triggers: 'Triggers',
};

/** Where a tab leads: a route. */
export const addressOf = (page: WatchPage): string =>
  page === 'list' ? WATCHLIST_PATH : `${WATCHLIST_PATH}/${page}`;

/** The tab that an address shows; My list for one that names none. */
export function pageAt(hash: string): WatchPage {
  const [named] = pageOf(hash, WATCHLIST_PATH);
  return WATCH_PAGES.find((page) => page === named) ?? 'list';
}
