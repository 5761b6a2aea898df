import { platformTimeframe } from '#market/indicators/rules/timeframe.ts';
import type { Family, IndicatorChoice, ParamValues } from '#market/indicators/rules/types.ts';

/** An answer without these two is of no use; any other column may disappear from the platform's list. */
const REQUIRED_COLUMNS = ['name', 'close'] as const;

/**
 * The columns of every poll. `VWAP` itself is absent on purpose: the daily one is (high+low+close)/3; only the intraday
 * ones are computed over the trading session. `time` is the date of the daily bar; `last_bar_update_time` and `time|1`
 * are the times of the newest quote.
 */
export const SCREENER_COLUMNS = [
  ...REQUIRED_COLUMNS,
  'description',
  'type',
  'typespecs',
  'open',
  'high',
  'low',
  'volume',
  'change',
  'change_abs',
  'Value.Traded',
  'VWAP|1',
  'VWAP|5',
  'market_cap_basic',
  'relative_volume_intraday|5',
  'relative_volume_10d_calc',
  'sector',
  'price_52_week_high',
  'price_52_week_low',
  'update_mode',
  'time',
  'last_bar_update_time',
  'time|1',
] as const;

export type ScreenerColumn = (typeof SCREENER_COLUMNS)[number];

/**
 * A further column, in use by a table, scan or alert, and the place of its value: `indicators[tf][key][valueKey]`, or with
 * `into: 'htf'` `htf[tf][key]`.
 */
export type ExtraColumn = { column: string; tf: string; key: string; valueKey: string; into?: 'htf' };

/**
 * The column list of one request, each name once.
 * @param extra columns in use besides those of every poll
 * @param unknown names that the platform has refused, which are left out
 */
export const columnsFor = (extra: readonly ExtraColumn[], unknown: ReadonlySet<string>): string[] => [
  ...new Set([...SCREENER_COLUMNS, ...extra.map((one) => one.column)].filter((name) => !unknown.has(name))),
];

/** True for a column that the product can do without. */
export const isOptional = (column: string): boolean =>
  !REQUIRED_COLUMNS.some((required) => required === column);

/** The parameter value in the form of the column name; null for a family without parameters. */
function writtenValue(family: Family, params: ParamValues): string | null {
  const [param] = family.params;
  if (!param) return null;
  const value = params[param.name] ?? param.default;
  return value === null ? null : String(value);
}

/**
 * The name of the charting platform's column for a choice, e.g. RSI[1]|60, DonchCh20.Upper|1W.
 * @returns null when the platform has no such column: a timeframe, delay or value that the family lacks
 */
export function platformColumn(family: Family, choice: Omit<IndicatorChoice, 'family'>): string | null {
  const { params, tf, delay } = choice;
  const suffix = platformTimeframe(tf);
  if (suffix === null || !family.timeframes.includes(tf)) return null;
  if (delay !== 0 && !family.delaysAvailable.includes(delay)) return null;
  const value = writtenValue(family, params);
  if (value !== null && !family.params[0]?.values?.includes(value)) return null;
  const written = value === null || value === family.ignoreParam ? '' : `${family.separator}${value}`;
  const back = delay === 0 ? '' : `[${delay}]`;
  return `${family.tvPrefix}${written}${family.tvSuffix}${back}${suffix === '' ? '' : `|${suffix}`}`;
}

/** All choices that a family offers: every value on every timeframe with every delay. */
export function choicesOf(family: Family): IndicatorChoice[] {
  const [param] = family.params;
  const values: ParamValues[] = param
    ? (param.values ?? []).map((value): ParamValues => ({ [param.name]: value }))
    : [{}];
  return values.flatMap((params) =>
    family.timeframes.flatMap((tf) =>
      [0, ...family.delaysAvailable].map((delay) => ({ family: family.family, params, tf, delay })),
    ),
  );
}

/**
 * The inverse of `platformColumn`.
 * @returns a function from a column's name to its choice; null for a column of no family
 */
export function createPlatformColumnIndex(
  families: Readonly<Record<string, Family>>,
): (column: string) => IndicatorChoice | null {
  const index = new Map<string, IndicatorChoice>();
  for (const family of Object.values(families)) {
    for (const choice of choicesOf(family)) {
      const column = platformColumn(family, choice);
      if (column !== null) index.set(column, choice);
    }
  }
  return (column) => index.get(column) ?? null;
}
