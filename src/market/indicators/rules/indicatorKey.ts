import { type Family, type IndicatorChoice, type ParamValues, timeframeLabel } from './types.ts';

/**
 * The custom family htf_candle (specification, section 3): a price of the running candle of one or several
 * calendar months, counted from January, so 3M candles are quarters.
 */
export const HTF_PERIODS = ['1M', '2M', '3M', '6M', '12M'] as const;
export const HTF_FIELDS = ['open', 'high', 'low', 'close'] as const;
export type HtfPeriod = (typeof HTF_PERIODS)[number];
export type HtfField = (typeof HTF_FIELDS)[number];
export type HtfChoice = { period: HtfPeriod; field: HtfField };

/** The 52 weeks before today, for conditions only: not one of the candles that columns show. */
export const YEAR = '52W';
export const YEAR_FIELDS = ['high', 'low'] as const;
export type YearField = (typeof YEAR_FIELDS)[number];
export type YearChoice = { period: typeof YEAR; field: YearField };

export const isHtfPeriod = (value: unknown): value is HtfPeriod =>
  HTF_PERIODS.some((period) => period === value);
const isField = (value: unknown): value is HtfField => HTF_FIELDS.some((field) => field === value);

export function checkHtf(params: Readonly<Record<string, unknown>>): HtfChoice | null {
  const { period, field } = params;
  return isHtfPeriod(period) && isField(field) ? { period, field } : null;
}

/** Checks a candle's price, or the high or low of 52 weeks. */
export function checkHtfOrYear(params: Readonly<Record<string, unknown>>): HtfChoice | YearChoice | null {
  const field = YEAR_FIELDS.find((one) => one === params['field']);
  return params['period'] === YEAR && field ? { period: YEAR, field } : checkHtf(params);
}

export const htfKey = ({ period, field }: HtfChoice | YearChoice): string => `${period}:${field}`;

/**
 * The key in `indicators[tf][key]`: slug and parameter values in the family's order, e.g. 'rsi_14',
 * 'stoch-k_14_3_3', 'ao'. It does not depend on the market source.
 */
export const indicatorKey = (family: Family, params: ParamValues): string =>
  [
    family.familySlug,
    ...family.params
      .map(({ name, default: fallback }) => params[name] ?? fallback)
      .filter((value) => value !== null),
  ].join('_');

/** The member of `indicators[tf][key]`: 'now', or the bars back as text. */
export const valueKeyOf = (delay: number): string => (delay === 0 ? 'now' : String(delay));

/** The delay in bars: 0 for 'now' and for invalid keys, which have no delay (specification, section 5). */
export function delayOf(valueKey: unknown): number {
  const delay = typeof valueKey === 'string' || typeof valueKey === 'number' ? Number(valueKey) : 0;
  return Number.isInteger(delay) ? delay : 0;
}

export type DemandItem =
  | {
      kind: 'indicator';
      choice: IndicatorChoice;
      key: string;
    }
  | { kind: 'htf'; choice: HtfChoice | YearChoice };

export const demandItemId = (item: DemandItem): string =>
  item.kind === 'htf'
    ? `htf:${htfKey(item.choice)}`
    : `indicator:${item.choice.tf}:${item.key}:${item.choice.delay}`;

export const paramText = (value: string | number): string => String(value).replaceAll('_', ', ');

export function indicatorLabel(family: Family, choice: Omit<IndicatorChoice, 'family'>): string {
  const values = family.params.flatMap((param) => choice.params[param.name] ?? []).map(paramText);
  const name = values.length === 0 ? family.label : `${family.label}(${values.join(', ')})`;
  const back = choice.delay === 0 ? '' : `, ${choice.delay} bar${choice.delay === 1 ? '' : 's'} ago`;
  return `${name} ${timeframeLabel(choice.tf)}${back}`;
}
