import { QUOTE_LINKS, quoteLinkUrl } from '../../../src/domain/market/quoteLink.ts';
import { SCANNERS, type ScannerKey } from '../../../src/domain/scanners/scanners.ts';
import type { Stock } from '../../../src/domain/market/stock.ts';
import { logOut } from '../../shared/session/account.ts';
import { meta, retryLive } from '../../shared/live/market.ts';
import { findEntries, findStocks, type PaletteEntry, scannerFor } from './search.ts';
import { openPopup } from '../../shared/popup/popup.ts';
import { prefer, preferences } from '../../shared/preferences.ts';
import { navigate, route } from '../../shared/router/router.ts';
import { ADMIN_LEVEL, isScannerPath } from '../../shared/router/routes.ts';
import { session } from '../../shared/session/session.ts';
import { settings } from '../../shared/settings.ts';
import { GO_TO } from '../shortcuts/shortcuts.ts';
import { requestRow } from '../../shared/requestedRow.ts';
import { SCANNER_OF, SCANNER_TABS } from '../screens.tsx';

function shownScanner(): ScannerKey | null {
  const path = route.peek();
  return path !== null && isScannerPath(path) ? SCANNER_OF[path] : null;
}

const screen = (label: string, to: string): PaletteEntry => ({
  id: `screen ${to}`,
  label,
  about: 'Screen',
  run: () => navigate(to),
});

/** The screens this visitor may see. */
function screens(): PaletteEntry[] {
  const { isAuthenticated, accessLevel } = session.peek();
  if (!isAuthenticated)
    return [screen('Calls', '/calls'), screen('Login', '/login'), screen('Register', '/register')];
  const others = GO_TO.filter(
    ({ to }) => to !== '/scanners' && (to !== '/admin' || accessLevel >= ADMIN_LEVEL),
  );
  return [
    ...SCANNER_TABS.map(({ label, path }) => ({ ...screen(label, path), words: 'scanner' })),
    ...others.map(({ label, to }) => screen(label, to)),
  ];
}

const action = (label: string, words: string, run: () => void): PaletteEntry => ({
  id: `action ${label}`,
  label,
  about: 'Action',
  words,
  run,
});

function actions(listKeys: () => void): PaletteEntry[] {
  const { theme, density } = preferences.peek();
  const scanner = shownScanner();
  const isDark = theme === 'dark';
  const isCompact = density === 'compact';
  return [
    action(`Switch to the ${isDark ? 'light' : 'dark'} theme`, 'colour', () =>
      prefer({ theme: isDark ? 'light' : 'dark' }),
    ),
    action(`Switch to ${isCompact ? 'comfortable' : 'compact'} rows`, 'density height', () =>
      prefer({ density: isCompact ? 'comfortable' : 'compact' }),
    ),
    ...(scanner
      ? [action('Pop out to new window', 'popup', () => void openPopup(SCANNERS[scanner].route))]
      : []),
    action('Reconnect the data stream', 'retry live', retryLive),
    action('List the keys', 'keyboard shortcuts help', listKeys),
    ...(session.peek().isAuthenticated ? [action('Logout', 'sign out', () => void logOut())] : []),
  ];
}

/** A stock's row in a scanner, and its page at the chosen quote site. */
function ofStock(stock: Stock, site: string): PaletteEntry[] {
  const { code, name } = stock;
  const scanner = scannerFor(stock, shownScanner(), meta.peek()?.flags.ignoreStatus ?? false);
  const row: PaletteEntry = {
    id: `row ${code}`,
    label: code,
    about: `${name}, in ${SCANNERS[scanner].tab}`,
    run: () => {
      requestRow({ scanner, code });
      navigate(SCANNERS[scanner].route);
    },
  };
  const url = quoteLinkUrl(site, code);
  if (url === null) return [row];
  const siteName = QUOTE_LINKS.find(({ id }) => id === site)?.label ?? site;
  const open = () => void window.open(url, '_blank', 'noopener,noreferrer');
  return [row, { id: `quote ${code}`, label: code, about: `Quote at ${siteName}`, run: open }];
}

/** What the palette offers for what was typed: stocks first, then screens and actions. Nothing typed shows the latter. */
export function paletteEntries(typed: string, stocks: Iterable<Stock>, listKeys: () => void): PaletteEntry[] {
  const site = settings.peek()?.quoteSite ?? 'none';
  const found = session.peek().isAuthenticated ? findStocks(stocks, typed) : [];
  return [
    // A quote is offered for the stock that is most likely meant; of all, it would bury the others.
    ...found.flatMap((stock, index) => ofStock(stock, index === 0 ? site : 'none')),
    ...findEntries([...screens(), ...actions(listKeys)], typed),
  ];
}
