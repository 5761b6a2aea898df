import type { ScannerKey } from '#subjects/scanners/rules/scanners.ts';

/** The tables in the order of the configurator, with the names that specification 2.9 gives them. */
export const COLUMN_TABLES: readonly { key: ScannerKey; label: string }[] = [
  { key: 'preMarket', label: 'Pre-open (gap ups)' },
  { key: 'intraDaySmall', label: 'Intra-day < $1' },
  { key: 'intraDayMidLarge', label: 'Intra-day ≥ $1' },
  { key: 'intraDayLargeCap', label: 'Intra-day Large Cap' },
  { key: 'custom', label: 'Custom Scanner' },
];
