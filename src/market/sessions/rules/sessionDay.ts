/**
 * What is recorded of a stock, by minute.
 * - `open`, `high`, `low`, `last`: prices of the trades within the minute, AUD; NaN without a trade. After minutes that
 * were not recorded, they are of the day so far.
 * - `volume`, `value`: shares and AUD traded since the start of the day.
 * - `relativeVolume`: two decimals.
 * - `marketCap`: AUD.
 * - `matchPrice`, `matchVolume`, `surplus`: of the auction; NaN outside of one.
 * - `status`: index in `STOCK_STATUSES`.
 * - `vwap`: six decimals.
 * - `sensitive`, `news`: number of price-sensitive, and of all, announcements since the previous close.
 */
export const SESSION_COLUMNS = [
  'open',
  'high',
  'low',
  'last',
  'volume',
  'value',
  'relativeVolume',
  'marketCap',
  'matchPrice',
  'matchVolume',
  'surplus',
  'status',
  'sensitive',
  'news',
  'vwap',
] as const;

export type SessionColumn = (typeof SESSION_COLUMNS)[number];

/** The last indicative result of the opening auction, and the minute in which the auction ended. NaN is unknown. */
export type OpeningResult = { minute: number; price: number; volume: number; surplus: number };

/** Known of a stock before its minutes are read. Prices are AUD as traded on that day, NaN if unknown. */
export type SessionFacts = {
  code: string;
  isFund: boolean;
  sector: string | null;
  /** The previous close, in the prices of that day. */
  close: number;
  /** High and low of the 52 weeks before that day. */
  yearHigh: number;
  yearLow: number;
  /** Null until the auction has ended, and without one. */
  opening: OpeningResult | null;
  /** Prices of the day's trades, and its last volume and value; NaN without trades. */
  dayHigh: number;
  dayLow: number;
  dayOpen: number;
  dayVolume: number;
  dayValue: number;
};

/** A stock's session. It has a row for each minute in which something of the stock changed. */
export type StockSession = SessionFacts & {
  rows: number;
  /** Sydney minutes of the day, ascending; 600 is 10:00. Valid until the next stock, only the first `rows`. */
  readonly minutes: Uint16Array;
  /** Drops the rows after a minute. Columns that were read before are not valid after it. */
  cutAfter(minute: number): void;
  /** Decodes a column when it is first requested. Valid until the next stock, only the first `rows` values. */
  column(name: SessionColumn): Float64Array;
};

/** Minutes of the day without data, from `from` until before `until`. */
export type SessionGap = { from: number; until: number };

export type SessionReader = {
  /** Sydney date, YYYY-MM-DD. */
  date: string;
  source: string;
  gaps: readonly SessionGap[];
  /** False while the session is being recorded. */
  isComplete: boolean;
  stocks(): Generator<StockSession>;
};
