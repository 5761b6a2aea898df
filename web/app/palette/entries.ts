import { wordsOf } from '#lib/text.ts';
import { releaseText } from '#market/rules/newsRow.ts';
import { QUOTE_LINKS, quoteLinkUrl } from '#market/rules/quoteSite.ts';
import type { Stock } from '#market/rules/stock.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';
import { nameRank } from '#market/rules/liveSymbols.ts';
import { belongsTo } from '#market/scanners/rules/membership.ts';
import { SCANNER_KEYS, type ScannerKey, SCANNERS } from '#market/scanners/rules/scanners.ts';
import { logOut, session } from '#subjects/accounts/web/shared/session/session.ts';
import { addToWatchlist } from '#subjects/alerts/web/shared/watchlists.ts';
import { type Headline, isWebAddress } from '#subjects/announcements/web/shared/newsRequests.ts';
import { requestCall } from '#subjects/calls/web/shared/callSignals.ts';
import type { ScanView } from '#subjects/conditions/rules/savedScan.ts';
import { hideStrip, isStripHidden } from '#subjects/glance/web/shared/stripChoice.ts';
import { activateScan } from '#subjects/scanners/web/custom/state.ts';
import { marketNow, meta, retryLive } from '../../live/market.ts';
import { openPopup } from '../../windows/popup.ts';
import { navigate } from '../../router/navigate.ts';
import { route } from '../../router/router.ts';
import { isOpenTo, MARKET_PATH, type Route, ROUTES } from '../../router/routes.ts';
import { type Action, offeredActions } from '../../shared/actions.ts';
import { prefer, preferences, switchTheme, themeSwitchLabel } from '../../shared/preferences.ts';
import { requestRow } from '../../shared/scannerRequests.ts';
import { settings } from '../../shared/settings.ts';
import { openChart } from '../../windows/openChart.ts';

/** Something to jump to or to do. */
export type PaletteEntry = {
  id: string;
  label: string;
  /** What stands muted behind it. */
  about: string;
  /** Other words it is found by. */
  words?: string;
  /** It puts the focus somewhere itself. */
  takesFocus?: boolean;
  /** What has the focus then, instead of what had it before. */
  focus?: Action['focus'];
  /** It closes the palette itself. */
  closesItself?: boolean;
  run(): void;
};

/** So that screens and actions stay in sight below them. */
const MAX_STOCKS = 8;

const normal = (text: string): string => text.trim().toLocaleLowerCase('en-AU');

/** Screens and actions that have every typed word in their label, what is behind it or their other words, in their own order. */
export function findEntries(entries: readonly PaletteEntry[], typed: string): PaletteEntry[] {
  const words = wordsOf(normal(typed));
  return entries.filter(({ label, about, words: more = '' }) => {
    const text = normal(`${label} ${about} ${more}`);
    return words.every((word) => text.includes(word));
  });
}

/** How well a stock answers to what was typed: its code, the start of it, a word of its name; null when not at all. */
function rankOf({ code, name }: Stock, typed: string): number | null {
  const lower = normal(code);
  if (lower === typed) return 0;
  if (lower.startsWith(typed)) return 1;
  const byName = nameRank(normal(name), typed);
  return byName === null ? null : byName + 2;
}

/** The stocks that are meant, the best first, then by code; none before something is typed. */
export function findStocks(stocks: Iterable<Stock>, typed: string): Stock[] {
  const text = normal(typed);
  if (text === '') return [];
  const found: { stock: Stock; rank: number }[] = [];
  for (const stock of stocks) {
    const rank = rankOf(stock, text);
    if (rank !== null) found.push({ stock, rank });
  }
  found.sort((a, b) => a.rank - b.rank || (a.stock.code < b.stock.code ? -1 : 1));
  return found.slice(0, MAX_STOCKS).map(({ stock }) => stock);
}

/**
 * The scanner that shows a stock: the one in sight when it does, else the first that does. The custom one shows all.
 * @param shown the scanner in sight; null elsewhere
 */
export function scannerFor(stock: Stock, shown: ScannerKey | null, ignoreStatus: boolean): ScannerKey {
  if (shown !== null && belongsTo(shown, stock, ignoreStatus)) return shown;
  return SCANNER_KEYS.find((key) => belongsTo(key, stock, ignoreStatus)) ?? 'custom';
}

const isInRow = (stock: Stock, id: string): boolean =>
  Object.values(stock.news ?? {}).some((day) => id in day.announcements);

const describe = ({ headline, time, isPriceSensitive }: Headline): string =>
  [
    headline,
    releaseText(time, sydneyDate(marketNow())),
    ...(isPriceSensitive ? ['Price sensitive'] : []),
  ].join(' · ');

/**
 * Where a headline leads: to the row of its stock, opened, while that shows it; else to its document.
 * @param scannerOf the scanner that shows a stock
 * @returns none for what has neither
 */
function entryOf(
  headline: Headline,
  stock: Stock | undefined,
  scannerOf: (stock: Stock) => ScannerKey,
): PaletteEntry[] {
  const { id, code, url } = headline;
  const entry = { id: `headline ${id}`, label: code, about: describe(headline) };
  if (isWebAddress(url) && !(stock && isInRow(stock, id))) {
    const open = () => void window.open(url, '_blank', 'noopener,noreferrer');
    return [{ ...entry, about: `${entry.about} · Document`, run: open }];
  }
  if (!stock) return [];
  const scanner = scannerOf(stock);
  const jump = () => {
    requestRow({ scanner, code, opensNews: true });
    navigate(SCANNERS[scanner].route);
  };
  return [{ ...entry, takesFocus: true, run: jump }];
}

/** The headlines that a search found, newest first. */
const headlineEntries = (
  headlines: readonly Headline[],
  stocks: ReadonlyMap<string, Stock>,
  scannerOf: (stock: Stock) => ScannerKey,
): PaletteEntry[] => headlines.flatMap((headline) => entryOf(headline, stocks.get(headline.code), scannerOf));

const shownScanner = (): ScannerKey | null => route.peek()?.tab?.scanner ?? null;

const screenEntry = ({ path, title, tab }: Route): PaletteEntry => ({
  id: `screen ${path}`,
  label: title,
  about: 'Screen',
  ...(tab
    ? { words: 'scanner' }
    : path === MARKET_PATH
      ? { words: 'breadth sectors announcements glance' }
      : {}),
  run: () => navigate(path),
});

/** The screens this visitor may see and has a use for. */
function screenEntries(): PaletteEntry[] {
  const { isAuthenticated, accessLevel } = session.peek();
  return ROUTES.filter((one) => isOpenTo(one, accessLevel) && !(isAuthenticated && one.forVisitors)).map(
    screenEntry,
  );
}

const actionEntry = (label: string, words: string, run: () => void): PaletteEntry => ({
  id: `action ${label}`,
  label,
  about: 'Action',
  words,
  run,
});

/** What can be done with the stock on whose row the keyboard was. */
const rowEntries = (code: string, alertOn: PaletteInput['alertOn']): PaletteEntry[] => [
  actionEntry(`Add ${code} to your watchlist`, 'watch', () => void addToWatchlist(code)),
  actionEntry(`Open the chart of ${code}`, 'graph candles window', () => void openChart(code)),
  { ...actionEntry(`Set an alert on ${code}`, 'alert me', () => alertOn(code)), closesItself: true },
];

/** What can be done on the screen that is shown, then what can be done from anywhere. */
function actionEntries({
  rowCode = null,
  listKeys,
  alertOn,
}: Pick<PaletteInput, 'rowCode' | 'listKeys' | 'alertOn'>): PaletteEntry[] {
  const scanner = shownScanner();
  const isCompact = preferences.peek().density === 'compact';
  const { isAuthenticated } = session.peek();
  return [
    ...(rowCode !== null && scanner && isAuthenticated ? rowEntries(rowCode, alertOn) : []),
    ...offeredActions().map(({ label, words = '', run, focus }) => ({
      ...actionEntry(label, words, run),
      focus,
    })),
    ...(isAuthenticated ? [actionEntry('Add Call', 'submit trade idea', () => requestCall(null))] : []),
    actionEntry(themeSwitchLabel.peek(), 'colour', switchTheme),
    actionEntry(`Switch to ${isCompact ? 'comfortable' : 'compact'} rows`, 'density height', () =>
      prefer({ density: isCompact ? 'comfortable' : 'compact' }),
    ),
    ...(isAuthenticated
      ? [
          actionEntry(
            `${isStripHidden.peek() ? 'Show' : 'Hide'} the market strip`,
            'breadth glance line',
            () => hideStrip(!isStripHidden.peek()),
          ),
        ]
      : []),
    ...(scanner
      ? [actionEntry('Pop out to new window', 'popup', () => void openPopup(SCANNERS[scanner].route))]
      : []),
    actionEntry('Reconnect the data stream', 'retry live', retryLive),
    actionEntry('Show the keyboard shortcuts', 'list keys help', listKeys),
    ...(isAuthenticated ? [actionEntry('Logout', 'sign out', () => void logOut())] : []),
  ];
}

const scannerOf = (stock: Stock): ScannerKey =>
  scannerFor(stock, shownScanner(), meta.peek()?.flags.ignoreStatus ?? false);

const chartEntry = ({ code, name }: Stock): PaletteEntry => ({
  id: `chart ${code}`,
  label: `Chart ${code}`,
  about: name,
  run: () => void openChart(code),
});

/** A stock's row in a scanner. */
function rowEntry(stock: Stock): PaletteEntry {
  const { code, name } = stock;
  const scanner = scannerOf(stock);
  return {
    id: `row ${code}`,
    label: code,
    takesFocus: true,
    about: `${name}, in ${SCANNERS[scanner].tab}`,
    run: () => {
      requestRow({ scanner, code });
      navigate(SCANNERS[scanner].route);
    },
  };
}

/** Its page at the chosen quote site. */
function quoteEntries({ code }: Stock, quoteLink: string): PaletteEntry[] {
  const url = quoteLinkUrl(quoteLink, code);
  if (url === null) return [];
  const siteName = QUOTE_LINKS.find(({ id }) => id === quoteLink)?.label ?? quoteLink;
  const open = () => void window.open(url, '_blank', 'noopener,noreferrer');
  return [{ id: `quote ${code}`, label: code, about: `Quote at ${siteName}`, run: open }];
}

/** What is offered for the stocks that were found, the best first: of all, charts and quotes would bury the others. */
function stockEntries(found: readonly Stock[]): PaletteEntry[] {
  const quoteLink = settings.peek()?.quoteSite ?? 'none';
  return found.flatMap((stock, index) =>
    index === 0 ? [rowEntry(stock), ...quoteEntries(stock, quoteLink), chartEntry(stock)] : [rowEntry(stock)],
  );
}

/** 'chart bhp' asks for nothing but charts. */
const CHART_WORD = /^chart /i;

const scanEntry = ({ id, name }: ScanView): PaletteEntry => ({
  id: `scan ${id}`,
  label: name,
  about: 'Saved scan',
  run: () => {
    activateScan(id);
    navigate(SCANNERS.custom.route);
  },
});

type PaletteInput = {
  typed: string;
  stocks: ReadonlyMap<string, Stock>;
  savedScans: readonly ScanView[];
  /** What a search for it found. */
  headlines: readonly Headline[];
  /** The code of the row that the keyboard was on; null, or left out, when it was on none. */
  rowCode?: string | null;
  /** Opens the list of the keys. */
  listKeys(): void;
  /** Sets an alert on the stock of the row. */
  alertOn(code: string): void;
};

/**
 * What the palette offers for what was typed: stocks first, then all else; nothing typed shows the latter. Headlines come
 * last, as they come later: what stands above them must not move under somebody's finger.
 */
export function paletteEntries({
  typed,
  stocks,
  savedScans,
  headlines,
  ...input
}: PaletteInput): PaletteEntry[] {
  const { isAuthenticated } = session.peek();
  const find = (text: string) => (isAuthenticated ? findStocks(stocks.values(), text) : []);
  return [
    ...(CHART_WORD.test(typed) ? find(typed.replace(CHART_WORD, '')).map(chartEntry) : []),
    ...stockEntries(find(typed)),
    ...findEntries([...screenEntries(), ...savedScans.map(scanEntry), ...actionEntries(input)], typed),
    ...headlineEntries(headlines, stocks, scannerOf),
  ];
}
