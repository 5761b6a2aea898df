/**
 * The one custom family (specification 3): a price of the running candle of a longer period, as `open|1M` is on the
 * platform. Candles of several months begin with January, so that those of 3M are the quarters of the year.
 */
export const HTF_PERIODS = ['1M', '2M', '3M', '6M', '12M'] as const;
export const HTF_FIELDS = ['open', 'high', 'low', 'close'] as const;
export type HtfPeriod = (typeof HTF_PERIODS)[number];
export type HtfField = (typeof HTF_FIELDS)[number];
export type HtfChoice = { period: HtfPeriod; field: HtfField };

const isPeriod = (value: unknown): value is HtfPeriod => HTF_PERIODS.some((period) => period === value);
const isField = (value: unknown): value is HtfField => HTF_FIELDS.some((field) => field === value);

/** Checks the parameters of htf_candle: null unless both are of the lists (specification 5). */
export function checkHtf(params: Readonly<Record<string, unknown>>): HtfChoice | null {
  const { period, field } = params;
  return isPeriod(period) && isField(field) ? { period, field } : null;
}

/** '3M:high': the key of a choice; its column's id is `custom:htf_candle:3M:high`. */
export const htfKey = ({ period, field }: HtfChoice): string => `${period}:${field}`;
