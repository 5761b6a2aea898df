import { hasNewsIcon } from '../market/announcements.ts';
import type { Stock } from '../market/stock.ts';

/** The pre-market scanner's exclusive price group. */
export type PriceGroup = 'underOne' | 'oneOrOver' | 'largeCap';

export const PRICE_GROUPS: readonly { id: PriceGroup; label: string }[] = [
  { id: 'underOne', label: 'Under $1' },
  { id: 'oneOrOver', label: '$1 or over' },
  { id: 'largeCap', label: 'Large cap' },
];

export type ScannerFilters = {
  /** Null shows every price; only the pre-market scanner offers the group. */
  priceGroup: PriceGroup | null;
  newsOnly: boolean;
  /** AUD traded today, or that would trade in the auction. */
  minValue: number;
  /** Part of a name or start of a code; '' shows all. */
  text: string;
};

/** Lets every stock through. */
export const OPEN_FILTERS: ScannerFilters = { priceGroup: null, newsOnly: false, minValue: 0, text: '' };

export const DEFAULT_MIN_VALUE = 5000;
const LARGE_CAP = 1e9;
const SMALLEST_MAX = 50_000;
/** 1 is the 10 of the power below: a hundred thousand is nice itself. */
const NICE = [1, 1.5, 2.5, 5, 10] as const;

/**
 * A scanner's filters before anyone touches them.
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

/** How many filters besides the text hold stocks back. */
export const countFilters = ({ priceGroup, newsOnly, minValue }: ScannerFilters): number =>
  Number(priceGroup !== null) + Number(newsOnly) + Number(minValue > 0);

/** Market cap at or above 1e9 AUD, or classed 'large' by the source. An unknown market cap is not large. */
export const isLargeCap = (stock: Stock): boolean =>
  stock.marketCap !== null ? stock.marketCap >= LARGE_CAP : stock.marketCapCategory === 'large';

/** What the minimum-value filter looks at, AUD: the auction's match value in pre-open, else the traded value. */
export const filterValue = (stock: Stock): number | null =>
  stock.status === 'Pre Open' ? stock.match_value : stock.value;

/**
 * The price that puts a pre-market stock in its group: the indicated match price, else the previous close.
 * Large cap is a group of its own; the two price groups look at the price alone.
 */
function inPriceGroup(stock: Stock, group: PriceGroup): boolean {
  if (group === 'largeCap') return isLargeCap(stock);
  const price = stock.match_price ?? stock.close;
  return price !== null && (group === 'underOne' ? price < 1 : price >= 1);
}

/** True when the code starts with the text or the name contains it, regardless of case; '' matches all. */
export function matchesText(stock: Pick<Stock, 'code' | 'name'>, text: string): boolean {
  const wanted = text.trim().toUpperCase();
  return wanted === '' || stock.code.startsWith(wanted) || stock.name.toUpperCase().includes(wanted);
}

/**
 * Whether a stock passes every filter that is on. An unknown value passes only a minimum of 0.
 * @param today Sydney date, YYYY-MM-DD
 */
export const passesFilters = (stock: Stock, filters: ScannerFilters, today: string): boolean =>
  (filters.minValue <= 0 || (filterValue(stock) ?? 0) >= filters.minValue) &&
  (filters.priceGroup === null || inPriceGroup(stock, filters.priceGroup)) &&
  (!filters.newsOnly || hasNewsIcon(stock, today)) &&
  matchesText(stock, filters.text);

/**
 * The slider's end, AUD: the average of the known values taken up to the next 1.5, 2.5, 5 or 10 times a power of
 * ten, at least 50,000; 50,000 when none is known. Its step is a hundredth of it.
 */
export function sliderMax(values: Iterable<number | null>): number {
  let sum = 0;
  let count = 0;
  for (const value of values) {
    if (value === null || !Number.isFinite(value)) continue;
    sum += value;
    count += 1;
  }
  if (count === 0) return SMALLEST_MAX;
  return Math.max(SMALLEST_MAX, niceAbove(sum / count));
}

function niceAbove(average: number): number {
  if (average <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(average));
  const factor = NICE.find((nice) => nice * power >= average) ?? 10;
  return factor * power;
}
