import type { ComponentType, ReactNode } from 'react';
import type { Route, ScreenName } from '../router/routes.ts';
import { fetched } from './fetched.tsx';
import { withStyles } from '../shared/lateStyles.ts';

type ScreenCode = { show(route: Route): ReactNode; preload(): void };

function page(load: () => Promise<ComponentType>): ScreenCode {
  const Page = fetched(() => withStyles(load()));
  return { show: () => <Page />, preload: Page.preload };
}

const ScannerPage = fetched(() =>
  import('#subjects/scanners/web/ScannerPage.tsx').then((code) => code.ScannerPage),
);

const SCREENS: Readonly<Record<ScreenName, ScreenCode>> = {
  scanner: {
    show: ({ path, tab }) => tab && <ScannerPage key={path} scanner={tab.scanner} />,
    preload: ScannerPage.preload,
  },
  calendar: page(() => import('#subjects/calendar/web/CalendarPage.tsx').then((code) => code.CalendarPage)),
  calls: page(() => import('#subjects/calls/web/CallsScreen.tsx').then((code) => code.CallsScreen)),
  watchlist: page(() =>
    import('#subjects/alerts/web/watchlist/WatchlistPage.tsx').then((code) => {
      code.startWatchlist();
      return code.WatchlistPage;
    }),
  ),
  announcements: page(() =>
    import('#subjects/marketOverview/web/AnnouncementsPage.tsx').then((code) => code.AnnouncementsPage),
  ),
  brief: page(() => import('#subjects/brief/web/BriefPage.tsx').then((code) => code.BriefPage)),
  market: page(() => import('#subjects/marketOverview/web/MarketPage.tsx').then((code) => code.MarketPage)),
  chart: page(() => import('#subjects/stock/web/ChartPage.tsx').then((code) => code.ChartPage)),
  odds: page(() => import('#subjects/odds/web/OddsPage.tsx').then((code) => code.OddsPage)),
  settings: page(() => import('#subjects/settings/web/SettingsPage.tsx').then((code) => code.SettingsPage)),
  admin: page(() => import('#admin/web/AdminPage.tsx').then((code) => code.AdminPage)),
  login: page(() => import('#subjects/accounts/web/LoginPage.tsx').then((code) => code.LoginPage)),
  register: page(() => import('#subjects/accounts/web/RegisterPage.tsx').then((code) => code.RegisterPage)),
  restore: page(() => import('#admin/firstRestore/web/RestorePage.tsx').then((code) => code.RestorePage)),
};

export const Screen = ({ route }: { route: Route }): ReactNode => SCREENS[route.screen].show(route);

/** Fetches a screen's code in advance. A failure is shown when the screen itself needs the code. */
export const preloadScreen = (screen: ScreenName): void => SCREENS[screen].preload();
