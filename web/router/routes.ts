import BellIcon from 'lucide-react/icons/bell';
import CalendarIcon from 'lucide-react/icons/calendar-days';
import ChartIcon from 'lucide-react/icons/chart-candlestick';
import MegaphoneIcon from 'lucide-react/icons/megaphone';
import NewspaperIcon from 'lucide-react/icons/newspaper';
import SunriseIcon from 'lucide-react/icons/sunrise';
import SettingsIcon from 'lucide-react/icons/settings';
import ShieldIcon from 'lucide-react/icons/shield';
import type { ComponentType } from 'react';
import { SCANNERS, type ScannerKey } from '#market/scanners/rules/scanners.ts';

/** Access levels (specification, section 3). */
const EVERYBODY = 0;
const SIGNED_IN = 1;
const ADMIN = 4;

export const LOGIN_PATH = '/login';
export const REGISTER_PATH = '/register';
export const ANNOUNCEMENTS_PATH = '/announcements';
export const CALENDAR_PATH = '/fx-news';
export const CALLS_PATH = '/calls';
export const WATCHLIST_PATH = '/watchlist';
export const SETTINGS_PATH = '/settings';
export const CHART_PATH = '/chart';
export const MARKET_PATH = '/market';
export const ODDS_PATH = '/odds';
export const BRIEF_PATH = '/brief';
export const ADMIN_PATH = '/admin';

/** The sections of Settings, which `SETTINGS_SECTIONS` lists. */
export type SettingsSection =
  | 'account'
  | 'upgrade'
  | 'quote-link'
  | 'columns'
  | 'linked-accounts'
  | 'notifications'
  | 'appearance'
  | 'move';

/** The address of a section: '/settings/linked-accounts'. */
export const settingsPath = (section: SettingsSection): string => `${SETTINGS_PATH}/${section}`;

type NavItem = {
  /** The label in the navigation and the list of keys; omitted if it equals the title. */
  label?: string;
  /** The label on narrow screens. */
  short?: string;
  /** The link's target; omitted if it equals the path. */
  to?: string;
  Icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
  key: string;
  /** If a phone has no room for all items, those with the highest numbers are in *More*. */
  yields?: number;
};

type Entry<Screen extends string> = {
  /** The address after '#'. */
  path: string;
  aliases?: readonly string[];
  /** Name of the screen, whose code `web/app/screens.tsx` loads. */
  screen: Screen;
  title: string;
  /** The lowest access level that may see the screen; 0 is signed out. */
  minLevel: number;
  /** Set if the screen is not offered to signed-in users; 'only' also redirects them to the default scanner. */
  forVisitors?: 'only' | 'mainly';
  nav?: NavItem;
  /** An item that is first in the navigation, only before the open. */
  earlyNav?: NavItem;
  /** The key after g, if there is no item in the main navigation. */
  key?: string;
  /** The scanner of the screen, which has a tab in the strip and a key. */
  tab?: { scanner: ScannerKey; key: string };
  hasPages?: boolean;
  /** True if the screen shows live prices, so that it warns when they are old. */
  showsPrices?: boolean;
  /** True if the stock of a row or tile is shown in a pane next to the screen. */
  hasPane?: boolean;
};

const scannerRoute = (scanner: ScannerKey, key: string) => ({
  path: SCANNERS[scanner].route,
  screen: 'scanner' as const,
  title: SCANNERS[scanner].tab,
  minLevel: SIGNED_IN,
  tab: { scanner, key },
  showsPrices: true,
  hasPane: true,
});

const TABLE = [
  {
    ...scannerRoute('preMarket', '1'),
    aliases: ['/scanners'],
    nav: { label: 'Scanners', to: '/scanners', Icon: ChartIcon, key: 's' },
  },
  scannerRoute('intraDaySmall', '2'),
  scannerRoute('intraDayMidLarge', '3'),
  scannerRoute('intraDayLargeCap', '4'),
  scannerRoute('custom', '5'),
  {
    path: ANNOUNCEMENTS_PATH,
    aliases: [`${MARKET_PATH}/announcements`],
    screen: 'announcements',
    title: 'Announcements',
    minLevel: SIGNED_IN,
    nav: { short: 'News', Icon: NewspaperIcon, key: 'n' },
    showsPrices: true,
    hasPane: true,
  },
  {
    path: CALENDAR_PATH,
    screen: 'calendar',
    title: 'FX News',
    minLevel: SIGNED_IN,
    nav: { Icon: CalendarIcon, key: 'f', yields: 1 },
  },
  {
    path: CALLS_PATH,
    screen: 'calls',
    title: 'Calls',
    minLevel: EVERYBODY,
    hasPages: true,
    nav: { Icon: MegaphoneIcon, key: 'c' },
    showsPrices: true,
  },
  {
    path: WATCHLIST_PATH,
    screen: 'watchlist',
    title: 'Watchlist & Alerts',
    minLevel: SIGNED_IN,
    hasPages: true,
    nav: { short: 'Watchlist', Icon: BellIcon, key: 'w' },
    showsPrices: true,
    hasPane: true,
  },
  {
    path: MARKET_PATH,
    screen: 'market',
    title: 'Market',
    minLevel: SIGNED_IN,
    key: 'm',
    showsPrices: true,
    hasPane: true,
  },
  { path: ODDS_PATH, screen: 'odds', title: 'Odds', minLevel: SIGNED_IN, key: 'o' },
  {
    path: BRIEF_PATH,
    screen: 'brief',
    title: 'Morning brief',
    minLevel: SIGNED_IN,
    earlyNav: { label: 'Brief', Icon: SunriseIcon, key: 'b' },
    key: 'b',
    showsPrices: true,
    hasPane: true,
  },
  { path: CHART_PATH, screen: 'chart', title: 'Chart', minLevel: SIGNED_IN, showsPrices: true },
  {
    path: SETTINGS_PATH,
    screen: 'settings',
    title: 'Settings',
    minLevel: SIGNED_IN,
    hasPages: true,
    nav: { Icon: SettingsIcon, key: 'e', yields: 3 },
  },
  {
    path: ADMIN_PATH,
    screen: 'admin',
    title: 'Admin',
    minLevel: ADMIN,
    hasPages: true,
    nav: { Icon: ShieldIcon, key: 'a', yields: 2 },
  },
  { path: LOGIN_PATH, screen: 'login', title: 'Login', minLevel: EVERYBODY, forVisitors: 'only' },
  { path: REGISTER_PATH, screen: 'register', title: 'Register', minLevel: EVERYBODY, forVisitors: 'mainly' },
  { path: '/restore', screen: 'restore', title: 'Restore', minLevel: EVERYBODY, forVisitors: 'only' },
] as const satisfies readonly Entry<string>[];

export type ScreenName = (typeof TABLE)[number]['screen'];
export type Route = Entry<ScreenName>;

/**
 * Every screen (specification 2.1), in the order of navigation, tabs and palette. A new screen needs an entry here, a
 * loader in `web/app/screens.tsx` and its folder.
 */
export const ROUTES: readonly Route[] = TABLE;

const BY_ADDRESS: ReadonlyMap<string, Route> = new Map(
  ROUTES.flatMap((route) => [route.path, ...(route.aliases ?? [])].map((address) => [address, route])),
);

export const routeAt = (address: string): Route | undefined =>
  BY_ADDRESS.get(address) ??
  ROUTES.find(({ path, hasPages }) => hasPages === true && address.startsWith(`${path}/`));

/** Whether a level may see a route; 0 is signed out. */
export const isOpenTo = (route: Route, accessLevel: number): boolean => route.minLevel <= accessLevel;

export const needsLogin = (route: Route, accessLevel: number): boolean =>
  accessLevel === 0 && !isOpenTo(route, 0);

export type NavRoute = Route & { nav: NavItem };

export const NAV_ROUTES: readonly NavRoute[] = ROUTES.filter(
  (route): route is NavRoute => route.nav !== undefined,
);

/** Routes that are first in the navigation before the open. */
export const EARLY_ROUTES: readonly NavRoute[] = ROUTES.flatMap((route) =>
  route.earlyNav ? [{ ...route, nav: route.earlyNav }] : [],
);

/** Signed-out visitors see the items of the lowest level; those that need a session lead to the login. */
export const navRoutes = (accessLevel: number): NavRoute[] =>
  NAV_ROUTES.filter((route) => isOpenTo(route, Math.max(accessLevel, SIGNED_IN)));

/** Items that fit in the bar of a phone, including *More*. */
const BAR_LENGTH = 6;

/** The items in the bar of a phone, and those in its *More*, which takes the place of one. */
export function phoneBar(items: readonly NavRoute[]): {
  shown: readonly NavRoute[];
  more: readonly NavRoute[];
} {
  if (items.length <= BAR_LENGTH) return { shown: items, more: [] };
  const byNeed = items.toSorted((a, b) => (a.nav.yields ?? 0) - (b.nav.yields ?? 0));
  const kept = new Set(byNeed.slice(0, BAR_LENGTH - 1));
  return { shown: items.filter((item) => kept.has(item)), more: items.filter((item) => !kept.has(item)) };
}

export const navLabel = ({ nav, title }: Route): string => nav?.label ?? title;
export const navPath = ({ nav, path }: Route): string => nav?.to ?? path;

export const chordKey = ({ nav, key }: Route): string | undefined => nav?.key ?? key;

export type TabRoute = Route & { tab: NonNullable<Route['tab']> };

export const TAB_ROUTES: readonly TabRoute[] = ROUTES.filter(
  (route): route is TabRoute => route.tab !== undefined,
);
