import { hasNewsIcon, hasSensitiveNews } from '#market/rules/announcements.ts';
import { type Breadth, isOnSide, type PriceRanges } from '#market/rules/breadth.ts';
import type { Stock } from '#market/rules/stock.ts';
import { isOfSecurities, type Securities } from '#market/rules/stockState.ts';

export type PriceGroup = 'underOne' | 'oneOrOver' | 'largeCap';

export const PRICE_GROUPS: readonly { id: PriceGroup | null; label: string }[] = [
  { id: null, label: 'All' },
  { id: 'underOne', label: 'Under $1' },
  { id: 'oneOrOver', label: '$1 or over' },
  { id: 'largeCap', label: 'Large cap' },
];

export const GAPS: readonly { id: 'down' | undefined; label: string }[] = [
  { id: undefined, label: 'Gap ups' },
  { id: 'down', label: 'Gap downs' },
];

export const hasGap = (
  { indicativeChangePercent: gap }: Pick<Stock, 'indicativeChangePercent'>,
  gaps: ScannerFilters['gaps'],
): boolean => gap !== null && (gaps === 'down' ? gap < 0 : gap > 0);

export type Listed = 'all' | readonly number[];

export type ScannerFilters = {
  /** Null shows every price; only the pre-market scanner has it. */
  priceGroup: PriceGroup | null;
  /** Pre-market scanner only; absent shows gaps up, as in the specification. */
  gaps?: 'down' | undefined;
  newsOnly: boolean;
  /** Only stocks with price-sensitive news; replaces `newsOnly`, which it implies. */
  sensitiveOnly?: boolean | undefined;
  securities?: Securities | undefined;
  /** Absent shows all. Only in a view of the market overview, like the sector. */
  side?: Breadth | undefined;
  sector?: string | undefined;
  lists?: Listed | undefined;
  /** The symbols on those lists, while known; not saved. */
  listed?: ReadonlySet<string> | undefined;
  /** AUD traded today, or that the auction would trade. */
  minValue: number;
  /** Minimum percent up on the day. Only alerts have it. */
  minChange?: number | undefined;
  /** Part of a name or start of a code; '' shows all. */
  text: string;
};

export const SIDE_LABELS: Readonly<Record<Breadth, string>> = {
  advancers: 'Advancers',
  decliners: 'Decliners',
  newHighs: 'New highs',
  newLows: 'New lows',
  unusualVolume: 'Unusual volume',
};

export const OPEN_FILTERS: ScannerFilters = { priceGroup: null, newsOnly: false, minValue: 0, text: '' };

export const DEFAULT_MIN_VALUE = 5000;
const LARGE_CAP = 1e9;
const MIN_SLIDER_MAX = 50_000;
/** The specification's 1.5, 2.5, 5 and 10; the 1 keeps an exact power of ten. */
const ROUND_FACTORS = [1, 1.5, 2.5, 5, 10] as const;

/**
 * Specification, section 9.
 * @param hasPriceGroup whether it has the exclusive price group (the pre-market scanner)
 */
export const defaultFilters = (hasPriceGroup: boolean): ScannerFilters => ({
  priceGroup: hasPriceGroup ? 'underOne' : null,
  newsOnly: false,
  minValue: DEFAULT_MIN_VALUE,
  text: '',
});

export const toggleGroup = <T>(selected: T | null, clicked: T): T | null =>
  selected === clicked ? null : clicked;

/** The two news filters exclude each other; clicking the selected one clears it. */
export const toggleNews = (
  filters: ScannerFilters,
  clicked: 'newsOnly' | 'sensitiveOnly',
): ScannerFilters => ({
  ...filters,
  newsOnly: clicked === 'newsOnly' && !filters.newsOnly,
  sensitiveOnly: (clicked === 'sensitiveOnly' && !filters.sensitiveOnly) || undefined,
});

export const countFilters = (filters: ScannerFilters): number =>
  Number(filters.priceGroup !== null) +
  Number(filters.gaps !== undefined) +
  Number(filters.newsOnly) +
  Number(filters.sensitiveOnly === true) +
  Number(filters.securities !== undefined) +
  Number(filters.lists !== undefined) +
  Number(filters.minValue > 0);

/** Market cap at or above 1e9 AUD; if unknown, the source's category decides. */
export const isLargeCap = (stock: Stock): boolean =>
  stock.marketCap !== null ? stock.marketCap >= LARGE_CAP : stock.marketCapCategory === 'large';

/** AUD: match value in the pre-open, otherwise the traded value. */
export const filterValue = (stock: Stock): number | null =>
  stock.status === 'Pre Open' ? stock.match_value : stock.value;

/**
 * By match price, otherwise previous close. The price groups ignore the market cap, and the large-cap group
 * ignores the price.
 */
function inPriceGroup(stock: Stock, group: PriceGroup): boolean {
  if (group === 'largeCap') return isLargeCap(stock);
  const price = stock.match_price ?? stock.close;
  return price !== null && (group === 'underOne' ? price < 1 : price >= 1);
}

/** The code's start or a part of the name, in any case; '' matches all. */
export function matchesText(stock: Pick<Stock, 'code' | 'name'>, text: string): boolean {
  const upper = text.trim().toUpperCase();
  return upper === '' || stock.code.startsWith(upper) || stock.name.toUpperCase().includes(upper);
}

/**
 * An unknown value passes only a minimum of 0.
 * @param today Sydney date, YYYY-MM-DD
 * @param ranges of the stored daily bars, for new highs and lows; null while unknown
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
 * The slider's maximum, AUD (specification, section 9): the average of the known values, rounded up to 1.5,
 * 2.5, 5 or 10 times a power of ten, at least 50,000. The step is a hundredth of it.
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
