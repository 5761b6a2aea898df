/** The scanners. The names are also the table keys of saved column layouts. */
export type ScannerKey = 'preMarket' | 'intraDaySmall' | 'intraDayMidLarge' | 'intraDayLargeCap' | 'custom';

export const SCANNER_KEYS: readonly ScannerKey[] = [
  'preMarket',
  'intraDaySmall',
  'intraDayMidLarge',
  'intraDayLargeCap',
  'custom',
];

export type Sort = { id: string; desc: boolean };

export type Scanner = {
  key: ScannerKey;
  route: string;
  tab: string;
  title: string;
  /** The column that it ranks by, and its label on a narrow screen. */
  metric: { id: string; label: string };
  defaultSort: Sort;
};

const scanner = (
  key: ScannerKey,
  route: string,
  tab: string,
  title: string,
  metric: Scanner['metric'],
): Scanner => ({ key, route, tab, title, metric, defaultSort: { id: metric.id, desc: true } });

export const SNAPSHOT_TITLE = 'Pre-Open Snapshot';

export const SCANNERS: Readonly<Record<ScannerKey, Scanner>> = {
  preMarket: scanner('preMarket', '/pre-market', 'Pre-Market', 'Live Pre-Open', {
    id: 'indicativeChangePercent',
    label: 'Gap %',
  }),
  intraDaySmall: scanner('intraDaySmall', '/intra-day-small', 'Intra-Day < $1', 'Top Movers under $1', {
    id: 'pips',
    label: 'Pips',
  }),
  intraDayMidLarge: scanner(
    'intraDayMidLarge',
    '/intra-day-mid-large',
    'Intra-Day ≥ $1',
    'Top Movers above $1',
    { id: 'pips', label: 'Pips' },
  ),
  intraDayLargeCap: scanner('intraDayLargeCap', '/intra-day-large-cap', 'Large Cap', 'Top Movers Large Cap', {
    id: 'change_percent',
    label: 'Change',
  }),
  custom: scanner('custom', '/custom-scanner', 'Custom', 'Custom Scanner', { id: 'last', label: 'Price' }),
};

export const isScannerKey = (value: unknown): value is ScannerKey =>
  SCANNER_KEYS.some((key) => key === value);
