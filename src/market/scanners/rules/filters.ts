import { hasNewsIcon, hasSensitiveNews } from '#market/rules/announcements.ts';
import { type Breadth, isOnSide, type PriceRanges } from '#market/rules/breadth.ts';
import type { Stock } from '#market/rules/stock.ts';
import { isOfSecurities, type Securities } from '#market/rules/stockState.ts';

/** The pre-market scanner's exclusive price group. */
export type PriceGroup = 'underOne' | 'oneOrOver' | 'largeCap';

export const PRICE_GROUPS: readonly { id: PriceGroup | null; label: string }[] = [
  { id: null, label: 'All' },
  { id: 'underOne', label: 'Under $1' },
  { id: 'oneOrOver', label: '$1 or over' },
  { id: 'largeCap', label: 'Large cap' },
];

/** Which gaps the pre-market scanner shows: those up, or in their place those down. */
export const GAPS: readonly { id: 'down' | undefined; label: string }[] = [
  { id: undefined, label: 'Gap ups' },
  { id: 'down', label: 'Gap downs' },
];

/** Whether a stock's indicative gap is one of those that are shown; one that is not known is none. */
export const hasGap = (
  { indicativeChangePercent: gap }: Pick<Stock, 'indicativeChangePercent'>,
  gaps: ScannerFilters['gaps'],
): boolean => gap !== null && (gaps === 'down' ? gap < 0 : gap > 0);

/** Lists of the user's that are chosen, by their ids. */
export type Listed = 'all' | readonly number[];

export type ScannerFilters = {
  /** Null shows every price; only the pre-market scanner offers the group. */
  priceGroup: PriceGroup | null;
  /** Of the pre-market scanner; absent shows gaps up, as the specification has it. */
  gaps?: 'down' | undefined;
  newsOnly: boolean;
  /** Only stocks with price-sensitive news; takes the place of `newsOnly`, which it implies. */
  sensitiveOnly?: boolean | undefined;
  /** Absent shows shares and funds. */
  securities?: Securities | undefined;
  /** One side of the market; absent shows all. Only in a view of the market overview, as is the sector. */
  side?: Breadth | undefined;
  /** A sector as its source names it; absent shows all. */
  sector?: string | undefined;
  /** Only what stands on these lists of the user's; absent shows all. */
  lists?: Listed | undefined;
  /** The symbols on those lists, while they are known; kept nowhere. */
  listed?: ReadonlySet<string> | undefined;
  /** AUD traded today, or that would trade in the auction. */
  minValue: number;
  /** Percent up on the day at least. Only alerts have it: no filter bar does. */
  minChange?: number | undefined;
  /** Part of a name or start of a code; '' shows all. */
  text: string;
};

/** What a view of that side is called. */
export const SIDE_LABELS: Readonly<Record<Breadth, string>> = {
  advancers: 'Advancers',
  decliners: 'Decliners',
  newHighs: 'New highs',
  newLows: 'New lows',
  unusualVolume: 'Unusual volume',
};

/** Filters that every stock passes. */
export const OPEN_FILTERS: ScannerFilters = { priceGroup: null, newsOnly: false, minValue: 0, text: '' };

export const DEFAULT_MIN_VALUE = 5000;
const LARGE_CAP = 1e9;
const MIN_SLIDER_MAX = 50_000;
/** The specification's 1.5, 2.5, 5 and 10; the 1 keeps a maximum that is a power of ten already. */
const ROUND_FACTORS = [1, 1.5, 2.5, 5, 10] as const;

/**
 * A scanner's filters until somebody changes them (specification, section 9).
 * @param hasPriceGroup whether it offers the exclusive price group (the pre-market scanner)
 */
export const defaultFilters = (hasPriceGroup: boolean): ScannerFilters => ({
  priceGroup: hasPriceGroup ? 'underOne' : null,
  newsOnly: false,
  minValue: DEFAULT_MIN_VALUE,
  text: '',
});

/** Clicking a member of an exclusive group selects it; clicking the selected one clears it. */
export const toggleGroup = <T>(selected: T | null, clicked: T): T | null =>
  selected === clicked ? null : clicked;

/** Clicking a news filter selects it in the place of the other one; clicking the selected one clears it. */
export const toggleNews = (
  filters: ScannerFilters,
  clicked: 'newsOnly' | 'sensitiveOnly',
): ScannerFilters => ({
  ...filters,
  newsOnly: clicked === 'newsOnly' && !filters.newsOnly,
  sensitiveOnly: (clicked === 'sensitiveOnly' && !filters.sensitiveOnly) || undefined,
});

/** How many filters are on, the text apart. */
export const countFilters = (filters: ScannerFilters): number =>
  Number(filters.priceGroup !== null) +
  Number(filters.gaps !== undefined) +
  Number(filters.newsOnly) +
  Number(filters.sensitiveOnly === true) +
  Number(filters.securities !== undefined) +
  Number(filters.lists !== undefined) +
  Number(filters.minValue > 0);

/** Market cap at or above 1e9 AUD; where the market cap is not known, the source's category decides. */
export const isLargeCap = (stock: Stock): boolean =>
  stock.marketCap !== null ? stock.marketCap >= LARGE_CAP : stock.marketCapCategory === 'large';

/** The value that the minimum-value filter compares, AUD: match value in the pre-open, else the traded value. */
export const filterValue = (stock: Stock): number | null =>
  stock.status === 'Pre Open' ? stock.match_value : stock.value;

/**
 * Whether a pre-market stock is in a price group: by its match price, else by its previous close. The two price groups
 * take no account of the market cap, and the large-cap group none of the price.
 */
function inPriceGroup(stock: Stock, group: PriceGroup): boolean {
  if (group === 'largeCap') return isLargeCap(stock);
  const price = stock.match_price ?? stock.close;
  return price !== null && (group === 'underOne' ? price < 1 : price >= 1);
}

/** True when the code starts with the text or the name contains it, regardless of case; '' matches all. */
export function matchesText(stock: Pick<Stock, 'code' | 'name'>, text: string): boolean {
  const upper = text.trim().toUpperCase();
  return upper === '' || stock.code.startsWith(upper) || stock.name.toUpperCase().includes(upper);
}

/**
 * Whether a stock passes every filter that is on. An unknown value passes only a minimum of 0.
 * @param today Sydney date, YYYY-MM-DD
 * @param ranges of the kept daily bars, for new highs and lows; null while they are not known
 */
export const passesFilters = (
  stock: Stock,
  filters: ScannerFilters,
  today: string,
  ranges: PriceRanges | null = null,
): boolean =>
  (filters.minValue <= 0 || (filterValue(stock) ?? 0) >= filters.minValue) &&
  (filters.priceGroup === null || inPriceGroup(stock, filters.priceGroup)) &&
  isOfSecurities(stock, filters.securities) &&
  (filters.listed === undefined || filters.listed.has(stock.code)) &&
  (filters.sector === undefined || stock.sector === filters.sector) &&
  (filters.side === undefined || isOnSide(filters.side, stock, ranges)) &&
  (filters.minChange === undefined || (stock.change_percent ?? -Infinity) >= filters.minChange) &&
  (!filters.newsOnly || hasNewsIcon(stock, today)) &&
  (!filters.sensitiveOnly || hasSensitiveNews(stock, today)) &&
  matchesText(stock, filters.text);

/**
 * The maximum of the minimum-value slider, AUD (specification, section 9): the average of the known values rounded up to
 * 1.5, 2.5, 5 or 10 times a power of ten, at least 50,000. The slider's step is a hundredth of it.
 */
export function sliderMax(values: Iterable<number | null>): number {
  let sum = 0;
  let count = 0;
  for (const value of values) {
    if (value === null || !Number.isFinite(value)) continue;
    sum += value;
    count += 1;
  }
  if (count === 0) return MIN_SLIDER_MAX;
  return Math.max(MIN_SLIDER_MAX, roundedUp(sum / count));
}

function roundedUp(average: number): number {
  if (average <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(average));
  const factor = ROUND_FACTORS.find((round) => round * power >= average) ?? 10;
  return factor * power;
}
