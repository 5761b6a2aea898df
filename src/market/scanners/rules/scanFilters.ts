import { isRecord } from '#lib/json.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import { SECURITIES } from '#market/rules/stockState.ts';
import { formatNumber } from '#texts/format.ts';
import {
  DEFAULT_MIN_VALUE,
  GAPS,
  OPEN_FILTERS,
  PRICE_GROUPS,
  type PriceGroup,
  type ScannerFilters,
} from './filters.ts';
import type { ScannerKey } from './scanners.ts';

export type FilterList = { id: number; name: string };

/** A scanner's filters, as stored in an alert. Absent ones do not filter. */
export type ScanFilters = {
  /** AUD; 0 shows every value. */
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

/** Of the scanner history, and of conditions that name a scanner. */
export const USUAL_FILTERS: ScanFilters = { minValue: DEFAULT_MIN_VALUE };
const NO_FILTERS: ScanFilters = { minValue: 0 };

/** Of an alert without stored filters: older alerts on a saved scan filtered nothing. */
export const usualFilters = (scanner: ScannerKey): ScanFilters =>
  scanner === 'custom' ? NO_FILTERS : USUAL_FILTERS;

const MAX_FILTER_TEXT = 80;
const MAX_FILTER_LISTS = 20;
export const MIN_CHANGE_LIMITS = { min: 0.1, max: 1000 } as const;

/** In a fixed order. @param named the chosen lists, unless all are */
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

/** One filter per line. @param isPreMarket whether the value is the auction's */
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

/** One condition per line; for the custom scanner only the filters. */
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
    return refused(`Filter by "all" lists, or by the ids of up to ${MAX_FILTER_LISTS} of them.`, 'lists');
  }
  const ids = new Set((sent as unknown[]).map((one) => (isRecord(one) ? one['id'] : one)));
  const found = own.filter(({ id }) => ids.has(id)).map(({ id, name }) => ({ id, name }));
  return found.length === ids.size
    ? ok(found)
    : refused('A list of that filter does not exist any more. Choose another one.', 'lists');
}

function checkMinChange(sent: unknown, scanner: ScannerKey): Result<number | undefined> {
  if (sent === null || sent === undefined) return ok(undefined);
  if (scanner === 'preMarket')
    return refused('Before the open no stock has a change of the day.', 'minChange');
  const { min, max } = MIN_CHANGE_LIMITS;
  return typeof sent === 'number' && sent >= min && sent <= max
    ? ok(sent)
    : refused(`The minimum change is a percentage from ${min} to ${max}.`, 'minChange');
}

const SWITCHES = ['newsOnly', 'sensitiveOnly'] as const;

/** @param own the lists of the alert's owner @returns null for the usual filters */
export function checkScanFilters(
  scanner: ScannerKey,
  sent: unknown,
  own: readonly FilterList[],
): Result<ScanFilters | null> {
  if (sent === undefined || sent === null) return ok(null);
  if (!isRecord(sent)) return refuse('The filters of a scan are an object.', 'scan.filters');
  const {
    minValue = 0,
    minChange = null,
    priceGroup = null,
    gaps = null,
    securities = null,
    text = '',
  } = sent;
  if (typeof minValue !== 'number' || !Number.isFinite(minValue) || minValue < 0) {
    return refused('The minimum value is a number of dollars, 0 or more.', 'minValue');
  }
  const change = checkMinChange(minChange, scanner);
  if (!change.ok) return change;
  const group = PRICE_GROUPS.find(({ id }) => id === priceGroup);
  const gap = GAPS.find(({ id }) => (id ?? null) === gaps);
  const hasGroups = scanner === 'preMarket';
  if (!group || (group.id !== null && !hasGroups)) {
    return refused('Only the pre-market scan has prices: underOne, oneOrOver or largeCap.', 'priceGroup');
  }
  if (!gap || (gap.id !== undefined && !hasGroups)) {
    return refused('Only the pre-market scan has gaps "down".', 'gaps');
  }
  const kind = SECURITIES.find(({ id }) => (id ?? null) === securities);
  if (!kind) return refused('Filter by "shares" or by "funds".', 'securities');
  if (typeof text !== 'string' || text.length > MAX_FILTER_TEXT) {
    return refused(`The text of a filter has at most ${MAX_FILTER_TEXT} characters.`, 'text');
  }
  const wrong = SWITCHES.find((name) => typeof (sent[name] ?? false) !== 'boolean');
  if (wrong) return refused(`${wrong} is true or false.`, wrong);
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
