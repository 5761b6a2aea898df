/** An answer without these two is of no use; any other column may disappear from the platform's list. */
export const REQUIRED_COLUMNS = ['name', 'close'] as const;

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
