import type { Stock } from '#market/rules/stock.ts';
import { isActive, isHalted } from '#market/rules/stockState.ts';
import { FLIP_KEYS, SENSITIVE_FIELD } from '#subjects/conditions/rules/conditionFields.ts';
import { isLiveScanField } from '#subjects/conditions/rules/scanFields.ts';

/**
 * Which values of a stock can be evaluated now.
 * - `halted`: only whether a price-sensitive announcement came today, because a halt is often made for one. Other
 *   values are from before the halt.
 * - `auction`: the stock has no price of this session: before its first trade, and in the auction after a halt. Live
 *   are match price, match volume, indicative gap, surplus flips and price-sensitive announcements. Previous close,
 *   market cap, sector, indicators and higher-timeframe candles are known from the last session. Traded values are
 *   unknown even if the record has them. An alert that reads nothing live is not evaluated, because another day's
 *   values would decide it.
 * - `traded`: everything, from the first trade until the next session. A crossing overnight starts from the last
 *   session's values.
 */
export type Readiness = 'halted' | 'auction' | 'traded';

/** The readiness of a stock. @param isEarlierDay whether the source still shows figures of an earlier session */
export function readinessOf(stock: Pick<Stock, 'status' | 'last'>, isEarlierDay: boolean): Readiness {
  if (isHalted(stock)) return 'halted';
  return isActive(stock) && stock.last !== null && !isEarlierDay ? 'traded' : 'auction';
}

const TRADED_FIELDS: ReadonlySet<string> = new Set([
  'last',
  'open',
  'high',
  'low',
  'volume',
  'value',
  'vwap',
  'pips',
  'change_percent',
  'relativeVolume',
  'day_range',
]);

const OPENING_FIELDS: ReadonlySet<string> = new Set(['match_price', 'match_vol', ...FLIP_KEYS]);

const AUCTION_FIELDS: ReadonlySet<string> = new Set([...OPENING_FIELDS, 'gap_percent', SENSITIVE_FIELD.key]);

export const isTradedField = (key: string): boolean => TRADED_FIELDS.has(key);

/** Whether a value exists only in an auction, usually the opening one. */
export const isOpeningField = (key: string): boolean => OPENING_FIELDS.has(key);

export const isAuctionField = (key: string): boolean => AUCTION_FIELDS.has(key) || isLiveScanField(key);

export const isHaltField = (key: string): boolean => key === SENSITIVE_FIELD.key;

/** The live values that conditions can read while the stock has no price of the session. */
export type LiveReads = {
  readonly readsAuction: boolean;
  readonly readsHalt: boolean;
};

export const isReady = (readiness: Readiness, { readsAuction, readsHalt }: LiveReads): boolean =>
  readiness === 'traded' || (readiness === 'auction' ? readsAuction : readsHalt);

/** Ordered so that AND is the minimum and OR the maximum. UNKNOWN then counts only if it decides. */
export const FALSE = 0;
export const UNKNOWN = 1;
export const TRUE = 2;
export type Truth = typeof FALSE | typeof UNKNOWN | typeof TRUE;
