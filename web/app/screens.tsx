import type { ComponentType, ReactNode } from 'react';
import type { Route, ScreenName } from '../shared/router/routes.ts';
import { fetched } from './fetched.tsx';
import { withStyles } from '../shared/lateStyles.ts';

type ScreenCode = { show(route: Route): ReactNode; preload(): void };

function page(load: () => Promise<ComponentType>): ScreenCode {
  const Page = fetched(() => withStyles(load()));
  return { show: () => <Page />, preload: Page.preload };
}

const ScannerPage = fetched(() =>
  import('../features/scanners/ScannerPage.tsx').then((code) => code.ScannerPage),
);

/** What shows each screen that the route table names. */
const SCREENS: Readonly<Record<ScreenName, ScreenCode>> = {
  scanner: {
    show: ({ path, tab }) => tab && <ScannerPage key={path} scanner={tab.scanner} />,
    preload: ScannerPage.preload,
  },
  calendar: page(() => import('../features/calendar/CalendarPage.tsx').then((code) => code.CalendarPage)),
  calls: page(() => import('../features/calls/CallsScreen.tsx').then((code) => code.CallsScreen)),
  watchlist: page(() => import('../features/watchlist/WatchlistPage.tsx').then((code) => code.WatchlistPage)),
  chart: page(() => import('../features/chart/ChartPage.tsx').then((code) => code.ChartPage)),
  settings: page(() => import('../features/settings/SettingsPage.tsx').then((code) => code.SettingsPage)),
  admin: page(() => import('../features/admin/AdminPage.tsx').then((code) => code.AdminPage)),
  login: page(() => import('../features/accounts/LoginPage.tsx').then((code) => code.LoginPage)),
  register: page(() => import('../features/accounts/RegisterPage.tsx').then((code) => code.RegisterPage)),
};

export const Screen = ({ route }: { route: Route }): ReactNode => SCREENS[route.screen].show(route);

/** Fetches a screen's code ahead. A failure shows when the screen itself asks for the code. */
export const preloadScreen = (screen: ScreenName): void => SCREENS[screen].preload();
