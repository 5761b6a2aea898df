import type { FieldOption } from '#market/indicators/rules/types.ts';
import type { Stock } from '#market/rules/stock.ts';
import { isActive } from '#market/rules/stockState.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { filtersOfScan, type ScanFilters } from '#market/scanners/rules/scanFilters.ts';
import { isInScan } from '#market/scanners/rules/tapeTables.ts';
import { lookUp, parseJson } from '#lib/json.ts';
import { sessionAt } from '#market/rules/sessionClock.ts';

const SCANNER_OF: Readonly<Record<string, ScannerKey>> = {
  in_pre_market: 'preMarket',
  in_intra_day_small: 'intraDaySmall',
  in_intra_day_mid_large: 'intraDayMidLarge',
  in_intra_day_large_cap: 'intraDayLargeCap',
  // Whether a stock passes the filter bar above a saved scan; every stock is in the custom scanner.
  in_custom: 'custom',
};

/** Whether a stock stands in a scanner, with the filters that it begins with and every group of prices: 1 or 0. */
export const SCAN_FIELDS: readonly FieldOption[] = [
  { key: 'in_pre_market', label: 'Pre-Market Scan' },
  { key: 'in_intra_day_small', label: 'Intra-Day < $1 Scan' },
  { key: 'in_intra_day_mid_large', label: 'Intra-Day ≥ $1 Scan' },
  { key: 'in_intra_day_large_cap', label: 'Large Cap Scan' },
];

/** The scanner of a field; behind the key of a filtered one stand its filters as JSON. */
const scannerOfField = (key: string): ScannerKey | undefined =>
  lookUp(SCANNER_OF, key.split(' ', 1)[0] ?? '');

export const isScanField = (key: string): boolean => scannerOfField(key) !== undefined;

/** Whether a scan field makes an alert check stocks before the open. A filter bar does not. */
export const isLiveScanField = (key: string): boolean => isScanField(key) && scannerOfField(key) !== 'custom';

/** Whether a scan field reads what begins again each day. */
export function isScanFieldOfDay(key: string): boolean {
  if (scannerOfField(key) !== 'custom') return isScanField(key);
  const { minValue, minChange, newsOnly, sensitiveOnly } = filtersOfField(key) ?? { minValue: 0 };
  return minValue > 0 || minChange !== undefined || newsOnly === true || sensitiveOnly === true;
}

function filtersOfField(key: string): ScanFilters | null {
  const json = parseJson(key.slice(key.indexOf(' ') + 1));
  return json.ok ? (json.value as ScanFilters) : null;
}

/**
 * The field that says whether a stock stands in a scanner. Only alerts on whole scans have filters: no condition that is sent
 * names such a field.
 * @param filters null for the usual ones; lists are each user's own, and no part of the field
 */
export function scanFieldOf(scanner: ScannerKey, filters: ScanFilters | null = null): string {
  const field = Object.keys(SCANNER_OF).find((key) => SCANNER_OF[key] === scanner) ?? '';
  if (filters === null) return field;
  const { lists: _, ...own } = filters;
  return `${field} ${JSON.stringify(own)}`;
}

/** Whether the scanners ignore a stock's status now: the stream's `flags.ignoreStatus`. */
export type IgnoresStatus = () => boolean;

export const NEVER_IGNORES: IgnoresStatus = () => false;

/** A reader of a scan field; null for any other key. */
export function scanReader(
  key: string,
  ignoreStatus: IgnoresStatus = NEVER_IGNORES,
): ((stock: Stock, now?: number) => number) | null {
  const scanner = scannerOfField(key);
  if (scanner === undefined) return null;
  const kept = filtersOfField(key);
  if (kept === null) return (stock) => Number(isInScan(scanner, stock, { ignoreStatus: ignoreStatus() }));
  const filters = filtersOfScan(kept);
  if (!filters.newsOnly && !filters.sensitiveOnly)
    return (stock) => Number(isInScan(scanner, stock, { filters, ignoreStatus: ignoreStatus() }));
  let at: number | undefined;
  let today = '';
  return (stock, now) => {
    // All stocks are read at one moment: the session clock is asked once for it.
    if (now !== undefined && now !== at) {
      at = now;
      today = sessionAt(now).date;
    }
    return Number(isInScan(scanner, stock, { filters, today, ignoreStatus: ignoreStatus() }));
  };
}

/**
 * Whether a scan field is known of a stock without a price of the session: before the open it is in no scanner but the
 * pre-market's. One that trades already, but whose figures are still those of an earlier day, may be in any.
 */
export const isScanKnown = (key: string, stock: Stock): boolean =>
  scannerOfField(key) === 'preMarket' || !isActive(stock);

/** What a condition on a scan asks for, and the comparison that it is kept as. */
export const SCAN_QUESTIONS = [
  { id: 'enters', label: 'Enters', op: 'crosses_above', word: 'enters', seen: 'entered' },
  { id: 'leaves', label: 'Leaves', op: 'crosses_below', word: 'leaves', seen: 'left' },
  { id: 'in', label: 'Is in it', op: '>', word: 'is in', seen: 'in' },
  { id: 'out', label: 'Is not in it', op: '<', word: 'is not in', seen: 'not in' },
] as const;

export type ScanQuestion = (typeof SCAN_QUESTIONS)[number]['id'];

/** Between out, 0, and in, 1. */
export const SCAN_BORDER = 0.5;

const LABELS: ReadonlySet<string> = new Set(SCAN_FIELDS.map(({ label }) => label));

/** No field and no indicator is called so. */
const SAVED = 'my scan ';

/** What a scan that its owner saved is called where it stands beside fields and scanners: 'my scan Breakouts'. */
export const savedScanLabel = (name: string): string => `${SAVED}${name}`;

/** What a condition that was seen asked of a scan; null for any other. @param label of its left side */
export const scanQuestionOf = (
  label: string,
  op: string,
  right: number | null,
): (typeof SCAN_QUESTIONS)[number] | null =>
  (LABELS.has(label) || label.startsWith(SAVED)) && right === SCAN_BORDER
    ? (SCAN_QUESTIONS.find((question) => question.op === op) ?? null)
    : null;
