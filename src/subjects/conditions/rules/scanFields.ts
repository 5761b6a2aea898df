import type { FieldOption } from '../../../market/indicators/rules/types.ts';
import { isActive } from '../../../market/rules/halted.ts';
import type { Stock } from '../../../market/rules/stock.ts';
import type { ScannerKey } from '../../scanners/rules/scanners.ts';
import { isInScan } from '../../scanners/rules/tape/tapeTables.ts';

type SharedScanner = Exclude<ScannerKey, 'custom'>;

const SCANNER_OF: Readonly<Record<string, SharedScanner>> = {
  in_pre_market: 'preMarket',
  in_intra_day_small: 'intraDaySmall',
  in_intra_day_mid_large: 'intraDayMidLarge',
  in_intra_day_large_cap: 'intraDayLargeCap',
};

/** Whether a stock stands in a scanner, with the filters that it begins with and every group of prices: 1 or 0. */
export const SCAN_FIELDS: readonly FieldOption[] = [
  { key: 'in_pre_market', label: 'Pre-Market Scan' },
  { key: 'in_intra_day_small', label: 'Intra-Day < $1 Scan' },
  { key: 'in_intra_day_mid_large', label: 'Intra-Day ≥ $1 Scan' },
  { key: 'in_intra_day_large_cap', label: 'Large Cap Scan' },
];

export const isScanField = (key: string): boolean => SCANNER_OF[key] !== undefined;

/** The field that says whether a stock stands in a scanner. */
export const scanFieldOf = (scanner: SharedScanner): string =>
  Object.keys(SCANNER_OF).find((key) => SCANNER_OF[key] === scanner) ?? '';

/** A reader of a scan field; null for any other key. */
export function scanReader(key: string): ((stock: Stock) => number) | null {
  const scanner = SCANNER_OF[key];
  return scanner === undefined ? null : (stock) => Number(isInScan(scanner, stock));
}

/**
 * Whether a scan field is known of a stock without a price of the session: before the open it is in no scanner but the
 * pre-market's. One that trades already, but whose figures are still those of an earlier day, may be in any.
 */
export const isScanKnown = (key: string, stock: Stock): boolean =>
  SCANNER_OF[key] === 'preMarket' || !isActive(stock);

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
