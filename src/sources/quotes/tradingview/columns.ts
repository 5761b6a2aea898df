/** Without these two an answer says nothing; every other column may be missing from the platform's list one day. */
export const REQUIRED_COLUMNS = ['name', 'close'] as const;

/**
 * What every poll asks for. `VWAP` itself is absent on purpose: the daily one is (high+low+close)/3; only the
 * intraday ones run over the session. `time` dates the daily bar; `last_bar_update_time` and `time|1` tell how old
 * the newest quote is.
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
  'update_mode',
  'time',
  'last_bar_update_time',
  'time|1',
] as const;

export type ScreenerColumn = (typeof SCREENER_COLUMNS)[number];

/**
 * A further column that somebody's tables, scans or alerts use, and where its value goes: `indicators[tf][key][valueKey]`,
 * or with `into: 'htf'` to `htf[tf][key]`.
 */
export type ExtraColumn = { column: string; tf: string; key: string; valueKey: string; into?: 'htf' };

/**
 * The column list of one request, each name once, without those the platform said it does not know.
 * @param extra columns in use beyond the base ones
 * @param unknown names that the platform refused
 */
export const columnsFor = (extra: readonly ExtraColumn[], unknown: ReadonlySet<string>): string[] => [
  ...new Set([...SCREENER_COLUMNS, ...extra.map((one) => one.column)].filter((name) => !unknown.has(name))),
];

/** True for a column that the product can do without. */
export const isOptional = (column: string): boolean =>
  !REQUIRED_COLUMNS.some((required) => required === column);
