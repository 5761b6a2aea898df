import type { ComponentType, ReactNode } from 'react';
import type { Route, ScreenName } from '../shared/router/routes.ts';
import { fetched } from './fetched.tsx';

function page(load: () => Promise<ComponentType>): () => ReactNode {
  const Page = fetched(load);
  return () => <Page />;
}

const loadScanner = () => import('../features/scanners/ScannerPage.tsx').then((code) => code.ScannerPage);
const ScannerPage = fetched(loadScanner);

/** What shows each screen that the route table names. */
const SCREENS: Readonly<Record<ScreenName, (route: Route) => ReactNode>> = {
  scanner: ({ path, tab }) => tab && <ScannerPage key={path} scanner={tab.scanner} />,
  calendar: page(() => import('../features/calendar/CalendarPage.tsx').then((code) => code.CalendarPage)),
  calls: page(() => import('../features/calls/CallsPage.tsx').then((code) => code.CallsPage)),
  watchlist: page(() => import('../features/watchlist/WatchlistPage.tsx').then((code) => code.WatchlistPage)),
  settings: page(() => import('../features/settings/SettingsPage.tsx').then((code) => code.SettingsPage)),
  admin: page(() => import('../features/admin/AdminPage.tsx').then((code) => code.AdminPage)),
  login: page(() => import('../features/accounts/LoginPage.tsx').then((code) => code.LoginPage)),
  register: page(() => import('../features/accounts/RegisterPage.tsx').then((code) => code.RegisterPage)),
};

export const Screen = ({ route }: { route: Route }): ReactNode => SCREENS[route.screen](route);

/** Fetches the scanners' code ahead of the first render. A failure shows when the screen itself asks for the code. */
export const preloadScanners = (): void => void loadScanner().catch(() => undefined);
