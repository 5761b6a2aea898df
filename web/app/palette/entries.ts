import { wordsOf } from '#lib/text.ts';
import { releaseText } from '#market/rules/newsRow.ts';
import { QUOTE_LINKS, quoteLinkUrl } from '#market/rules/quoteSite.ts';
import type { Stock } from '#market/rules/stock.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { nameRank } from '#market/rules/liveSymbols.ts';
import { belongsTo } from '#market/scanners/rules/membership.ts';
import { SCANNER_KEYS, type ScannerKey, SCANNERS } from '#market/scanners/rules/scanners.ts';
import { ADMIN_SECTIONS } from '#admin/web/shared/sections.ts';
import { SETTINGS_SECTIONS } from '#subjects/settings/web/shared/sections.ts';
import { logOut, session } from '#subjects/accounts/web/shared/session/session.ts';
import { addToWatchlist } from '#subjects/alerts/web/shared/watchlists.ts';
import { type Headline, isWebAddress } from '#subjects/announcements/web/shared/newsRequests.ts';
import { requestCall } from '#subjects/calls/web/shared/callSignals.ts';
import type { ScanView } from '#subjects/conditions/rules/savedScan.ts';
import { hideSummaryBar, isSummaryBarHidden } from '#subjects/marketOverview/web/shared/summaryBarChoice.ts';
import { activateScan } from '#subjects/scanners/web/custom/state.ts';
import { marketNow, meta, retryLive } from '../../live/market.ts';
import { openPopup } from '../../windows/popup.ts';
import { navigate } from '../../router/navigate.ts';
import { route } from '../../router/router.ts';
import { ADMIN_PATH, isOpenTo, MARKET_PATH, type Route, ROUTES, SETTINGS_PATH } from '../../router/routes.ts';
import { type Action, offeredActions } from '../../shared/actions.ts';
import { prefer, preferences, switchTheme, themeSwitchLabel } from '../../shared/preferences.ts';
import { requestRow } from '../../shared/scannerRequests.ts';
import { administers, settings } from '../../shared/settings.ts';
import { startTour } from '../../shared/tour.ts';
import { openChart } from '../../windows/openChart.ts';
import { opensPane, placeOf, showStock } from '../../windows/stockPane.ts';

export type PaletteEntry = {
  id: string;
  label: string;
  about: string;
  words?: string;
  takesFocus?: boolean;
  /** The element to focus instead of the previous one. */
  focus?: Action['focus'];
  closesItself?: boolean;
  run(): void;
};

/** Limit of stocks, so that screens and actions stay visible below. */
const MAX_STOCKS = 8;

const normal = (text: string): string => text.trim().toLocaleLowerCase('en-AU');

/** Entries whose label, secondary text or keywords contain every typed word, in their given order. */
export function findEntries(entries: readonly PaletteEntry[], typed: string): PaletteEntry[] {
  const words = wordsOf(normal(typed));
  return entries.filter(({ label, about, words: more = '' }) => {
    const text = normal(`${label} ${about} ${more}`);
    return words.every((word) => text.includes(word));
  });
}

/** How well a stock matches by code, prefix or a word of its name; null if it does not. */
function rankOf({ code, name }: Stock, typed: string): number | null {
  const lower = normal(code);
  if (lower === typed) return 0;
  if (lower.startsWith(typed)) return 1;
  const byName = nameRank(normal(name), typed);
  return byName === null ? null : byName + 2;
}

/** Matching stocks, best first, then by code; empty before typing. */
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
 * The visible scanner if it contains the stock, otherwise the first that does. The custom scanner contains all.
 * @param shown the visible scanner; null on other screens
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
 * Shows a stock with its chart and news, in the pane if there is room, otherwise in its row.
 * @param scanner contains the stock
 */
function openStock(code: string, scanner: ScannerKey): void {
  const { route: path } = SCANNERS[scanner];
  if (!opensPane()) {
    requestRow({ scanner, code, opensNews: true });
    return navigate(path);
  }
  showStock(code);
  if (route.peek()?.hasPane !== true) navigate(path);
}

const opening = (code: string, scanner: ScannerKey): Pick<PaletteEntry, 'takesFocus' | 'focus' | 'run'> => ({
  takesFocus: true,
  focus: () => placeOf(code),
  run: () => openStock(code, scanner),
});

/**
 * The entry of a headline. It opens the stock's row if a scanner contains the stock, otherwise the document.
 * @param scannerOf returns the scanner that contains a stock
 * @returns empty if there is neither
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
  return [{ ...entry, ...opening(code, scannerOf(stock)) }];
}

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
  ...(tab ? { words: 'scanner' } : path === MARKET_PATH ? { words: 'breadth sectors glance' } : {}),
  run: () => navigate(path),
});

function screenEntries(): PaletteEntry[] {
  const { isAuthenticated, accessLevel } = session.peek();
  return ROUTES.filter((one) => isOpenTo(one, accessLevel) && !(isAuthenticated && one.forVisitors)).map(
    screenEntry,
  );
}

type Sections = readonly { id: string; title: string; words: string }[];

const sectionEntries = (path: string, page: string, sections: Sections): PaletteEntry[] =>
  sections.map(({ id, title, words }) => ({
    id: `section ${path}/${id}`,
    label: title,
    about: page,
    words,
    run: () => navigate(`${path}/${id}`),
  }));

/** The sections of Settings and Admin; none before typing, to keep the list short. */
const allSections = (typed: string): PaletteEntry[] =>
  typed.trim() === '' || !session.peek().isAuthenticated
    ? []
    : [
        ...sectionEntries(SETTINGS_PATH, 'Settings', SETTINGS_SECTIONS),
        ...(administers.peek() ? sectionEntries(ADMIN_PATH, 'Admin', ADMIN_SECTIONS) : []),
      ];

const actionEntry = (label: string, words: string, run: () => void): PaletteEntry => ({
  id: `action ${label}`,
  label,
  about: 'Action',
  words,
  run,
});

const rowEntries = (code: string, alertOn: PaletteInput['alertOn']): PaletteEntry[] => [
  actionEntry(`Add ${code} to your watchlist`, 'watch', () => void addToWatchlist(code)),
  actionEntry(`Open the chart of ${code}`, 'graph candles window', () => void openChart(code)),
  { ...actionEntry(`Set an alert on ${code}`, 'alert me', () => alertOn(code)), closesItself: true },
];

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
            `${isSummaryBarHidden.peek() ? 'Show' : 'Hide'} the summary bar`,
            'breadth glance line',
            () => hideSummaryBar(!isSummaryBarHidden.peek()),
          ),
        ]
      : []),
    ...(scanner
      ? [actionEntry('Pop out to new window', 'popup', () => void openPopup(SCANNERS[scanner].route))]
      : []),
    actionEntry('Reconnect the data stream', 'retry live', retryLive),
    actionEntry('Show the keyboard shortcuts', 'list keys help', listKeys),
    ...(isAuthenticated ? [actionEntry('Start the tour', 'help new user', startTour)] : []),
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

function rowEntry(stock: Stock): PaletteEntry {
  const { code, name } = stock;
  const scanner = scannerOf(stock);
  return {
    id: `row ${code}`,
    label: code,
    about: `${name}, in ${SCANNERS[scanner].tab}`,
    ...opening(code, scanner),
  };
}

function quoteEntries({ code }: Stock, quoteLink: string): PaletteEntry[] {
  const url = quoteLinkUrl(quoteLink, code);
  if (url === null) return [];
  const siteName = QUOTE_LINKS.find(({ id }) => id === quoteLink)?.label ?? quoteLink;
  const open = () => void window.open(url, '_blank', 'noopener,noreferrer');
  return [{ id: `quote ${code}`, label: code, about: `Quote at ${siteName}`, run: open }];
}

/** Entries of stocks. Only the best matches get charts and quote pages, to keep the list short. */
function stockEntries(found: readonly Stock[]): PaletteEntry[] {
  const quoteLink = settings.peek()?.quoteSite ?? 'none';
  return found.flatMap((stock, index) =>
    index === 0 ? [rowEntry(stock), ...quoteEntries(stock, quoteLink), chartEntry(stock)] : [rowEntry(stock)],
  );
}

/** A prefix that finds only charts: 'chart bhp'. */
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
  headlines: readonly Headline[];
  /** The code of the focused row; null for none. */
  rowCode?: string | null;
  listKeys(): void;
  alertOn(code: string): void;
};

/**
 * The palette's entries: stocks, then the rest; before typing only the rest. Headlines are last, because they arrive
 * later and must not move the list.
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
    ...findEntries(
      [...screenEntries(), ...savedScans.map(scanEntry), ...actionEntries(input), ...allSections(typed)],
      typed,
    ),
    ...headlineEntries(headlines, stocks, scannerOf),
  ];
}
