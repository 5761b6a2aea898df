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

export const platformTimeframe = (tf: Timeframe): string | null => (tf === '3' ? null : TO_PLATFORM[tf]);

export const timeframeOf = (suffix: string): Timeframe | null => FROM_PLATFORM.get(suffix) ?? null;

type ParamType = 'enum' | 'number' | 'string' | 'text';
export type ParamValue = string | number | null;
export type ParamValues = Readonly<Record<string, ParamValue>>;

/** Specification, section 3. Only an enum has `values`; only a number has min, max, step. */
export type Param = {
  name: string;
  label: string;
  type: ParamType;
  values?: readonly string[];
  min?: number;
  max?: number;
  step?: number;
  default: ParamValue;
  required: boolean;
  readOnly: boolean;
  /** A blank choice is allowed, shown as `noneLabel` and omitted from the values. */
  allowNone: boolean;
  noneLabel?: string;
};

/** A formula with parameters, timeframes and delays (specification, section 3). */
export type Family = {
  /** The slug, e.g. 'rsi', 'adx-plus-di', 'donch-ch-upper'. */
  family: string;
  label: string;
  fullName: string;
  params: readonly Param[];
  defaultTimeframes: readonly Timeframe[];
  timeframes: readonly Timeframe[];
  tvPrefix: string;
  /** The part after the parameter, e.g. '.Upper' of DonchCh20.Upper; '' for most families. */
  tvSuffix: string;
  separator: string;
  /** The parameter value of the bare prefix; null if there is none. */
  ignoreParam: string | null;
  /** Offered bars back, in addition to now. */
  delaysAvailable: readonly number[];
  familySlug: string;
  type: string;
  hasTimeframes: boolean;
};

export type FieldOption = { key: string; label: string };

export type Catalog = {
  indicators: Readonly<Record<string, Family>>;
  fields: readonly FieldOption[];
  /** When the platform's list was read or recorded, epoch ms. Null if unknown. */
  fetchedAt: number | null;
};
export type DatedCatalog = Catalog & { fetchedAt: number };

export type IndicatorChoice = {
  family: string;
  params: ParamValues;
  tf: Timeframe;
  delay: number;
};

/** Fields of a stock for columns and conditions (specification, section 3). `pips` is derived. */
export const BROKER_FIELDS: readonly FieldOption[] = [
  { key: 'last', label: 'Last' },
  { key: 'close', label: 'P. Close' },
  { key: 'open', label: 'Open' },
  { key: 'high', label: 'High' },
  { key: 'low', label: 'Low' },
  { key: 'volume', label: 'Volume' },
  { key: 'value', label: 'Value' },
  { key: 'pips', label: 'Pips' },
  { key: 'match_price', label: 'Match' },
  { key: 'match_vol', label: 'Match Volume' },
];
