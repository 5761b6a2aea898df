import type { FieldOption } from '#market/indicators/rules/types.ts';
import type { Stock } from '#market/rules/stock.ts';
import { isActive } from '#market/rules/stockState.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { filtersOfScan, type ScanFilters } from '#market/scanners/rules/filters.ts';
import { isInScan } from '#market/scanners/rules/historyTables.ts';
import { lookUp, parseJson } from '#lib/json.ts';
import { createSessionReader } from '#market/rules/sessionClock.ts';

const SCANNER_OF: Readonly<Record<string, ScannerKey>> = {
  in_pre_market: 'preMarket',
  in_intra_day_small: 'intraDaySmall',
  in_intra_day_mid_large: 'intraDayMidLarge',
  in_intra_day_large_cap: 'intraDayLargeCap',
  // The filter bar above a saved scan, as a scanner that contains every stock.
  in_custom: 'custom',
};

/** Fields that are 1 if a stock is in a scanner, with its default filters and every price group, otherwise 0. */
export const SCAN_FIELDS: readonly FieldOption[] = [
  { key: 'in_pre_market', label: 'Pre-Market Scan' },
  { key: 'in_intra_day_small', label: 'Intra-Day < $1 Scan' },
  { key: 'in_intra_day_mid_large', label: 'Intra-Day ≥ $1 Scan' },
  { key: 'in_intra_day_large_cap', label: 'Large Cap Scan' },
];

/** The scanner of a field. The key of a filtered field ends with its filters as JSON. */
const scannerOfField = (key: string): ScannerKey | undefined =>
  lookUp(SCANNER_OF, key.split(' ', 1)[0] ?? '');

export const isScanField = (key: string): boolean => scannerOfField(key) !== undefined;

/** Whether a scan field makes an alert check stocks before the open. A filter bar does not. */
export const isLiveScanField = (key: string): boolean => isScanField(key) && scannerOfField(key) !== 'custom';

/** Whether a scan field reads values that restart each day. */
export function isScanFieldOfDay(key: string): boolean {
  if (scannerOfField(key) !== 'custom') return isScanField(key);
  const { minValue, minChange, newsOnly, sensitiveOnly } = filtersOfField(key) ?? { minValue: 0 };
  return minValue > 0 || minChange !== undefined || newsOnly === true || sensitiveOnly === true;
}

function filtersOfField(key: string): ScanFilters | null {
  const json = parseJson(key.slice(key.indexOf(' ') + 1));
  return json.ok ? (json.value as ScanFilters) : null;
}

/** The scanner that a field reads; `filters` is null for the default ones. Null for any other field. */
export function scanOfField(key: string): { scanner: ScannerKey; filters: ScanFilters | null } | null {
  const scanner = scannerOfField(key);
  return scanner === undefined ? null : { scanner, filters: filtersOfField(key) };
}

/**
 * The field of a scanner. Only alerts on whole scans have filters; conditions in requests never name such a field.
 * @param filters null for the default ones; without watchlists, which differ between users
 */
export function scanFieldOf(scanner: ScannerKey, filters: ScanFilters | null = null): string {
  const field = Object.keys(SCANNER_OF).find((key) => SCANNER_OF[key] === scanner) ?? '';
  if (filters === null) return field;
  const { lists: _, ...own } = filters;
  return `${field} ${JSON.stringify(own)}`;
}

/** Whether scanners currently ignore a stock's status, as `flags.ignoreStatus` of the stream says. */
export type IgnoresStatus = () => boolean;

export const NEVER_IGNORES: IgnoresStatus = () => false;

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
  const sessionOf = createSessionReader();
  return (stock, now) => {
    const today = now === undefined ? '' : sessionOf(now).date;
    return Number(isInScan(scanner, stock, { filters, today, ignoreStatus: ignoreStatus() }));
  };
}

/**
 * Whether a scan field is known for a stock without a price of this session. Before the open only the pre-market
 * scanner has stocks. A stock that trades but still shows an earlier day's figures may be in any scanner.
 */
export const isScanKnown = (key: string, stock: Stock): boolean =>
  scannerOfField(key) === 'preMarket' || !isActive(stock);

/** The questions about a scan, each with the comparison that stores it. */
export const SCAN_QUESTIONS = [
  { id: 'enters', label: 'Enters', op: 'crosses_above', word: 'enters', seen: 'entered' },
  { id: 'leaves', label: 'Leaves', op: 'crosses_below', word: 'leaves', seen: 'left' },
  { id: 'in', label: 'Is in it', op: '>', word: 'is in', seen: 'in' },
  { id: 'out', label: 'Is not in it', op: '<', word: 'is not in', seen: 'not in' },
] as const;

export type ScanQuestion = (typeof SCAN_QUESTIONS)[number]['id'];

/** The border between out (0) and in (1). */
export const SCAN_BORDER = 0.5;

const LABELS: ReadonlySet<string> = new Set(SCAN_FIELDS.map(({ label }) => label));

const SAVED = 'my scan ';

/** The name of a saved scan among fields and scanners: 'my scan Breakouts'. */
export const savedScanLabel = (name: string): string => `${SAVED}${name}`;

/** The label without 'my scan', for events: 'entered Breakouts'. */
export const scanNameOf = (label: string): string =>
  label.startsWith(SAVED) ? label.slice(SAVED.length) : label;

/** The question of an evaluated condition; null if it is not on a scan. @param label of the left side */
export const scanQuestionOf = (
  label: string,
  op: string,
  right: number | null,
): (typeof SCAN_QUESTIONS)[number] | null =>
  (LABELS.has(label) || label.startsWith(SAVED)) && right === SCAN_BORDER
    ? (SCAN_QUESTIONS.find((question) => question.op === op) ?? null)
    : null;
