/**
 * The custom family htf_candle (specification, section 3): a price of the running candle of one or several
 * calendar months, counted from January, so 3M candles are quarters.
 */
export const HTF_PERIODS = ['1M', '2M', '3M', '6M', '12M'] as const;
export const HTF_FIELDS = ['open', 'high', 'low', 'close'] as const;
export type HtfPeriod = (typeof HTF_PERIODS)[number];
export type HtfField = (typeof HTF_FIELDS)[number];
export type HtfChoice = { period: HtfPeriod; field: HtfField };

export const isHtfPeriod = (value: unknown): value is HtfPeriod =>
  HTF_PERIODS.some((period) => period === value);
const isField = (value: unknown): value is HtfField => HTF_FIELDS.some((field) => field === value);

/** Null unless both are known (specification, section 5). */
export function checkHtf(params: Readonly<Record<string, unknown>>): HtfChoice | null {
  const { period, field } = params;
  return isHtfPeriod(period) && isField(field) ? { period, field } : null;
}

/** E.g. '3M:high'; the id of its column is `custom:htf_candle:3M:high`. */
export const htfKey = ({ period, field }: HtfChoice): string => `${period}:${field}`;
