import {
  type Family,
  type IndicatorChoice,
  type ParamValues,
  platformTimeframe,
} from '#market/indicators/rules/types.ts';

/** An answer is useless without these; any other column may disappear. */
const REQUIRED_COLUMNS = ['name', 'close'] as const;

/**
 * The columns of every poll. Daily `VWAP` is excluded, because it is (high+low+close)/3; only the intraday
 * ones cover the trading session. `time` is the date of the daily bar; `last_bar_update_time` and
 * `time|1` are the times of the newest quote.
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
 * A column in use by a table, scan or alert, and the place of its value: `indicators[tf][key][valueKey]`, or
 * with `into: 'htf'` `htf[tf][key]`.
 */
export type ExtraColumn = { column: string; tf: string; key: string; valueKey: string; into?: 'htf' };

/** @param extra further columns @param unknown columns to omit, because the platform refused them */
export const columnsFor = (extra: readonly ExtraColumn[], unknown: ReadonlySet<string>): string[] => [
  ...new Set([...SCREENER_COLUMNS, ...extra.map((one) => one.column)].filter((name) => !unknown.has(name))),
];

export const isOptional = (column: string): boolean =>
  !REQUIRED_COLUMNS.some((required) => required === column);

/** The parameters in the column's notation; null for a family without parameters. */
function writtenValue(family: Family, params: ParamValues): string | null {
  const [param] = family.params;
  if (!param) return null;
  const value = params[param.name] ?? param.default;
  return value === null ? null : String(value);
}

/**
 * The platform's column for a choice, e.g. RSI[1]|60, DonchCh20.Upper|1W.
 * @returns null if the family lacks the timeframe, delay or value
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

/** The inverse of `platformColumn`. @returns the choice of a column; null if no family has it */
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
