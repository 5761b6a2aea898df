import { isRecord } from '#lib/json.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import { hasNewsIcon, hasSensitiveNews } from '#market/rules/announcements.ts';
import { type Breadth, isOnSide, type PriceRanges } from '#market/rules/breadth.ts';
import type { Stock } from '#market/rules/stock.ts';
import { isOfSecurities, type Securities, SECURITIES } from '#market/rules/stockState.ts';
import { formatNumber } from '#texts/format.ts';
import type { ScannerKey } from './scanners.ts';

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
  /** Only used in a view of the market overview, like the sector; absent shows all. */
  side?: Breadth | undefined;
  sector?: string | undefined;
  lists?: Listed | undefined;
  /** The symbols on those lists, while known; not saved. */
  listed?: ReadonlySet<string> | undefined;
  /** AUD traded today, or that the auction would trade. */
  minValue: number;
  /** Minimum percent up on the day. Only alerts have it. */
  minChange?: number | undefined;
  text: string;
};

export const SIDE_LABELS: Readonly<Record<Breadth, string>> = {
  advancers: 'Advancers',
  decliners: 'Decliners',
  gappingUp: 'Gapping up',
  gappingDown: 'Gapping down',
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
 * The default filters (specification, section 9).
 * @param hasPriceGroup whether the scanner has the exclusive price group (pre-market)
 */
export const defaultFilters = (hasPriceGroup: boolean): ScannerFilters => ({
  priceGroup: hasPriceGroup ? 'underOne' : null,
  newsOnly: false,
  minValue: DEFAULT_MIN_VALUE,
  text: '',
});

export const toggleGroup = <T>(selected: T | null, clicked: T): T | null =>
  selected === clicked ? null : clicked;

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

export const filterValue = (stock: Stock): number | null =>
  stock.status === 'Pre Open' ? stock.match_value : stock.value;

/**
 * Uses the match price, otherwise the previous close. The price groups ignore the market cap, and the
 * large-cap group ignores the price.
 */
function inPriceGroup(stock: Stock, group: PriceGroup): boolean {
  if (group === 'largeCap') return isLargeCap(stock);
  const price = stock.match_price ?? stock.close;
  return price !== null && (group === 'underOne' ? price < 1 : price >= 1);
}

function matchesText(stock: Pick<Stock, 'code' | 'name'>, text: string): boolean {
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

export type FilterList = { id: number; name: string };

/** A scanner's filters, as stored in an alert. Absent ones do not filter. */
export type ScanFilters = {
  minValue: number;
  minChange?: number;
  priceGroup?: PriceGroup;
  gaps?: 'down';
  newsOnly?: true;
  sensitiveOnly?: true;
  securities?: 'shares' | 'funds';
  text?: string;
  lists?: 'all' | readonly FilterList[];
};

/** The filters of the scanner history, and of conditions that name a scanner. */
export const USUAL_FILTERS: ScanFilters = { minValue: DEFAULT_MIN_VALUE };
const NO_FILTERS: ScanFilters = { minValue: 0 };

/** The filters of an alert without stored ones. Older alerts on a saved scan filtered nothing. */
export const usualFilters = (scanner: ScannerKey): ScanFilters =>
  scanner === 'custom' ? NO_FILTERS : USUAL_FILTERS;

const MAX_FILTER_TEXT = 80;
const MAX_FILTER_LISTS = 20;
export const MIN_CHANGE_LIMITS = { min: 0.1, max: 1000 } as const;

/** The filters to store, in a fixed order. @param named the chosen lists, unless all are */
export function keptFilters(filters: ScannerFilters, named: readonly FilterList[]): ScanFilters {
  const { priceGroup, gaps, newsOnly, sensitiveOnly, securities, text, lists, minValue, minChange } = filters;
  return {
    minValue,
    ...(minChange !== undefined && { minChange }),
    ...(priceGroup !== null && { priceGroup }),
    ...(gaps !== undefined && { gaps }),
    ...(newsOnly && { newsOnly }),
    ...(sensitiveOnly === true && { sensitiveOnly }),
    ...(securities !== undefined && { securities }),
    ...(text.trim() !== '' && { text: text.trim() }),
    ...(lists !== undefined && { lists: lists === 'all' ? lists : named }),
  };
}

export const filtersOfScan = ({ lists: _, ...filters }: ScanFilters): ScannerFilters => ({
  ...OPEN_FILTERS,
  ...filters,
});

export const filtersOnScreen = ({ minChange: _, ...filters }: ScanFilters): ScanFilters => filters;

export const isSameFilters = (one: ScanFilters, other: ScanFilters): boolean =>
  filtersKey(one) === filtersKey(other);

function filtersKey({ lists, ...filters }: ScanFilters): string {
  const ids =
    lists === undefined || lists === 'all' ? lists : lists.map(({ id }) => id).sort((a, b) => a - b);
  return JSON.stringify([filtersOfScan(filters), ids]);
}

const BAND: Readonly<Record<Exclude<ScannerKey, 'custom' | 'preMarket'>, string>> = {
  intraDaySmall: 'Opened under $1, and not a large cap',
  intraDayMidLarge: 'Opened at $1 or over, and not a large cap',
  intraDayLargeCap: 'Large cap: market cap of $1 billion or more',
};
const PRICE_TEXTS: Readonly<Record<PriceGroup, string>> = {
  underOne: 'Price under $1',
  oneOrOver: 'Price of $1 or over',
  largeCap: 'Large cap: market cap of $1 billion or more',
};

function scannerLines(scanner: ScannerKey, { gaps }: ScanFilters): string[] {
  if (scanner === 'custom') return [];
  if (scanner === 'preMarket') return [`In the pre-open, with a gap ${gaps === 'down' ? 'down' : 'up'}`];
  return ['Trading, and up or flat on the day (or previous close above VWAP)', BAND[scanner]];
}

function listsText(lists: NonNullable<ScanFilters['lists']>): string {
  if (lists === 'all') return 'On my lists';
  const names = lists.map(({ name }) => `“${name}”`).join(' or ');
  return `On my ${lists.length === 1 ? 'list' : 'lists'} ${names}`;
}

function filterLines(filters: ScanFilters, isPreMarket: boolean): string[] {
  const { minValue, minChange, priceGroup, newsOnly, sensitiveOnly, securities, text, lists } = filters;
  const value = `At least $${formatNumber(minValue, 0)} ${isPreMarket ? 'match value' : 'traded'}`;
  return [
    priceGroup && PRICE_TEXTS[priceGroup],
    securities && (securities === 'shares' ? 'Shares only, no funds' : 'Funds only'),
    newsOnly && 'With news today',
    sensitiveOnly && 'With price-sensitive news today',
    text && `Code starts with, or name contains, “${text}”`,
    lists && listsText(lists),
    Number.isFinite(minChange) && `Up at least ${minChange}% on the day`,
    minValue > 0 && value,
  ].filter((line): line is string => typeof line === 'string');
}

export const scanLines = (scanner: ScannerKey, filters: ScanFilters): string[] => [
  ...scannerLines(scanner, filters),
  ...filterLines(filters, scanner === 'preMarket'),
];

/** Unusual filters, within a sentence: 'price under $1, with news today'; null if there are none. */
export function filtersText(scanner: ScannerKey, filters: ScanFilters): string | null {
  const isPreMarket = scanner === 'preMarket';
  const usual = filterLines(usualFilters(scanner), isPreMarket);
  const parts = [
    ...(filters.gaps === 'down' ? ['gap down'] : []),
    ...filterLines(filters, isPreMarket).filter((line) => !usual.includes(line)),
    ...(filters.minValue > 0 || scanner === 'custom' ? [] : ['any value']),
  ];
  const lower = parts.map((part) => `${part.charAt(0).toLowerCase()}${part.slice(1)}`);
  return lower.length === 0 ? null : lower.join(', ');
}

const refused = (message: string, field: string): Result<never> => refuse(message, `scan.filters.${field}`);

function checkLists(sent: unknown, own: readonly FilterList[]): Result<ScanFilters['lists']> {
  if (sent === undefined || sent === null) return ok(undefined);
  if (sent === 'all') return ok('all');
  if (!Array.isArray(sent) || sent.length === 0 || sent.length > MAX_FILTER_LISTS) {
    return refused(`lists must be "all", or the ids of up to ${MAX_FILTER_LISTS} lists.`, 'lists');
  }
  const ids = new Set((sent as unknown[]).map((one) => (isRecord(one) ? one['id'] : one)));
  const found = own.filter(({ id }) => ids.has(id)).map(({ id, name }) => ({ id, name }));
  return found.length === ids.size
    ? ok(found)
    : refused('A list in this filter no longer exists. Choose another one.', 'lists');
}

function checkMinChange(sent: unknown, scanner: ScannerKey): Result<number | undefined> {
  if (sent === null || sent === undefined) return ok(undefined);
  if (scanner === 'preMarket')
    return refused('The pre-market scan cannot filter by the change of the day.', 'minChange');
  const { min, max } = MIN_CHANGE_LIMITS;
  return typeof sent === 'number' && sent >= min && sent <= max
    ? ok(sent)
    : refused(`The minimum change must be a percentage from ${min} to ${max}.`, 'minChange');
}

const SWITCHES = ['newsOnly', 'sensitiveOnly'] as const;

export function checkScanFilters(
  scanner: ScannerKey,
  sent: unknown,
  own: readonly FilterList[],
): Result<ScanFilters | null> {
  if (sent === undefined || sent === null) return ok(null);
  if (!isRecord(sent)) return refuse('`filters` must be an object.', 'scan.filters');
  const {
    minValue = 0,
    minChange = null,
    priceGroup = null,
    gaps = null,
    securities = null,
    text = '',
  } = sent;
  if (typeof minValue !== 'number' || !Number.isFinite(minValue) || minValue < 0) {
    return refused('The minimum value must be a dollar amount, 0 or more.', 'minValue');
  }
  const change = checkMinChange(minChange, scanner);
  if (!change.ok) return change;
  const group = PRICE_GROUPS.find(({ id }) => id === priceGroup);
  const gap = GAPS.find(({ id }) => (id ?? null) === gaps);
  const hasGroups = scanner === 'preMarket';
  if (!group || (group.id !== null && !hasGroups)) {
    return refused(
      'Only the pre-market scan accepts `price`: underOne, oneOrOver or largeCap.',
      'priceGroup',
    );
  }
  if (!gap || (gap.id !== undefined && !hasGroups)) {
    return refused('Only the pre-market scan accepts `gaps` "down".', 'gaps');
  }
  const kind = SECURITIES.find(({ id }) => (id ?? null) === securities);
  if (!kind) return refused('`securities` must be "shares" or "funds".', 'securities');
  if (typeof text !== 'string' || text.length > MAX_FILTER_TEXT) {
    return refused(`text must have at most ${MAX_FILTER_TEXT} characters.`, 'text');
  }
  const wrong = SWITCHES.find((name) => typeof (sent[name] ?? false) !== 'boolean');
  if (wrong) return refused(`${wrong} must be true or false.`, wrong);
  const lists = checkLists(sent['lists'], own);
  if (!lists.ok) return lists;
  const chosen = lists.value;
  const filters = keptFilters(
    {
      minValue,
      minChange: change.value,
      priceGroup: group.id,
      gaps: gap.id,
      securities: kind.id,
      text,
      newsOnly: sent['newsOnly'] === true,
      sensitiveOnly: sent['sensitiveOnly'] === true,
      lists: chosen === undefined || chosen === 'all' ? chosen : chosen.map(({ id }) => id),
    },
    Array.isArray(chosen) ? (chosen as readonly FilterList[]) : [],
  );
  return ok(isSameFilters(filters, usualFilters(scanner)) ? null : filters);
}
