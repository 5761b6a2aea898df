import { type ComponentType, lazy } from 'react';
import type { ScannerKey } from '../../src/domain/scanners/scanners.ts';
import type { Path, ScannerPath } from '../shared/router/routes.ts';

/** A screen's code, fetched when it is first needed. */
const screen = <P,>(load: () => Promise<ComponentType<P>>) => lazy(async () => ({ default: await load() }));

const loadScanner = () => import('../features/scanners/ScannerPage.tsx').then((code) => code.ScannerPage);
export const ScannerScreen = screen(loadScanner);

const PAGES: Record<Exclude<Path, ScannerPath>, ComponentType> = {
  '/login': screen(() => import('../features/accounts/LoginPage.tsx').then((code) => code.LoginPage)),
  '/register': screen(() =>
    import('../features/accounts/RegisterPage.tsx').then((code) => code.RegisterPage),
  ),
  '/calls': screen(() => import('../features/calls/CallsPage.tsx').then((code) => code.CallsPage)),
  '/fx-news': screen(() => import('../features/calendar/CalendarPage.tsx').then((code) => code.CalendarPage)),
  '/watchlist': screen(() =>
    import('../features/watchlist/WatchlistPage.tsx').then((code) => code.WatchlistPage),
  ),
  '/settings': screen(() =>
    import('../features/settings/SettingsPage.tsx').then((code) => code.SettingsPage),
  ),
  '/admin': screen(() => import('../features/admin/AdminPage.tsx').then((code) => code.AdminPage)),
};

export const SCANNER_OF: Readonly<Record<ScannerPath, ScannerKey>> = {
  '/pre-market': 'preMarket',
  '/intra-day-small': 'intraDaySmall',
  '/intra-day-mid-large': 'intraDayMidLarge',
  '/intra-day-large-cap': 'intraDayLargeCap',
  '/custom-scanner': 'custom',
};

export const SCANNER_TABS: readonly { path: ScannerPath; label: string }[] = [
  { path: '/pre-market', label: 'Pre-Market' },
  { path: '/intra-day-small', label: 'Intra-Day < $1' },
  { path: '/intra-day-mid-large', label: 'Intra-Day ≥ $1' },
  { path: '/intra-day-large-cap', label: 'Large Cap' },
  { path: '/custom-scanner', label: 'Custom' },
];

const TITLES: Record<Exclude<Path, ScannerPath>, string> = {
  '/login': 'Login',
  '/register': 'Register',
  '/calls': 'Calls',
  '/fx-news': 'FX News',
  '/watchlist': 'Watchlist & Alerts',
  '/settings': 'Settings',
  '/admin': 'Admin',
};

const isScanner = (path: Path): path is ScannerPath => path in SCANNER_OF;

/** The window's title for a screen; null is an address with nothing behind it. */
export function titleOf(path: Path | null): string {
  if (path === null) return 'Not found · Bellbird';
  const name = isScanner(path) ? SCANNER_TABS.find((tab) => tab.path === path)?.label : TITLES[path];
  return `${name} · Bellbird`;
}

/** The screen of a path. */
export function Screen({ path }: { path: Path }) {
  if (isScanner(path)) return <ScannerScreen key={path} scanner={SCANNER_OF[path]} />;
  const Page = PAGES[path];
  return <Page />;
}

/** Fetches the scanners' code ahead of the first render. */
export const preloadScanners = (): void => void loadScanner().catch(() => undefined);
