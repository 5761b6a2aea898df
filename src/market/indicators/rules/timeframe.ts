/** Specification, section 3: minutes, or day, week, month. */
export const TIMEFRAMES = ['1', '3', '5', '15', '30', '60', '120', '240', 'D', 'W', 'M'] as const;
export type Timeframe = (typeof TIMEFRAMES)[number];

export const DEFAULT_TIMEFRAME: Timeframe = 'D';

const LABELS: Readonly<Record<Timeframe, string>> = {
  '1': '1m',
  '3': '3m',
  '5': '5m',
  '15': '15m',
  '30': '30m',
  '60': '1h',
  '120': '2h',
  '240': '4h',
  D: '1D',
  W: '1W',
  M: '1M',
};

/** The suffix after the `|` in a platform column. The platform has no three-minute bars. */
const TO_PLATFORM: Readonly<Record<Exclude<Timeframe, '3'>, string>> = {
  '1': '1',
  '5': '5',
  '15': '15',
  '30': '30',
  '60': '60',
  '120': '120',
  '240': '240',
  D: '',
  W: '1W',
  M: '1M',
};

const FROM_PLATFORM = new Map<string, Timeframe>(
  Object.entries(TO_PLATFORM).map(([key, suffix]) => [suffix, key as Timeframe]),
);

export const isTimeframe = (key: unknown): key is Timeframe =>
  TIMEFRAMES.some((timeframe) => timeframe === key);

export const timeframeLabel = (tf: Timeframe): string => LABELS[tf];

/** The list sent with the catalog (specification, section 3). */
export const timeframeOptions = (): { key: Timeframe; label: string }[] =>
  TIMEFRAMES.map((key) => ({ key, label: LABELS[key] }));

/** '' for the day, '1W' for the week; null without such bars. */
export const platformTimeframe = (tf: Timeframe): string | null => (tf === '3' ? null : TO_PLATFORM[tf]);

export const timeframeOf = (suffix: string): Timeframe | null => FROM_PLATFORM.get(suffix) ?? null;
