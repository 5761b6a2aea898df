import type { Stock } from '#market/rules/stock.ts';
import { isActive, isHalted } from '#market/rules/stockState.ts';
import { FLIP_KEYS, SENSITIVE_FIELD } from '#subjects/conditions/rules/conditionFields.ts';
import { isLiveScanField } from '#subjects/conditions/rules/scanFields.ts';

/**
 * What of a stock may be evaluated now.
 *
 * - `halted`: whether something price sensitive was announced today, and only alerts that read it: the announcement that
 *   a trading halt is made for often comes with it. All else is unknown: its figures are those of before the halt or the
 *   suspension.
 * - `auction`: it has no price of the session that is shown: before the open, until its first trade, and in the auction
 *   with which trading begins again after a halt. The match price, the match volume, the indicative gap, the
 *   surplus's flips and whether something price sensitive was announced today are live.
 *   What is known before the open stands beside them: previous close, market cap, sector, indicators and
 *   higher-timeframe candles as the last session left them. What was traded is unknown, even where the record still
 *   shows it. So only an alert that reads something live is evaluated; any other would be decided by another day alone.
 * - `traded`: everything, from the first trade on and after the close until the next session begins: what a session
 *   left are the newest figures there are, and a crossing over night begins with them.
 */
export type Readiness = 'halted' | 'auction' | 'traded';

/** @param isEarlierDay whether the figures are known to be those of an earlier session, repeated by the source */
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
  'pips',
  'change_percent',
  'relativeVolume',
  'day_range',
]);

const OPENING_FIELDS: ReadonlySet<string> = new Set(['match_price', 'match_vol', ...FLIP_KEYS]);

const AUCTION_FIELDS: ReadonlySet<string> = new Set([...OPENING_FIELDS, 'gap_percent', SENSITIVE_FIELD.key]);

/** Whether a field that conditions read says what was traded in one session. */
export const isTradedField = (key: string): boolean => TRADED_FIELDS.has(key);

/** Whether a field that conditions read exists only in an auction, of which the opening one is the rule. */
export const isOpeningField = (key: string): boolean => OPENING_FIELDS.has(key);

/** Whether a field that conditions read is live in an auction. */
export const isAuctionField = (key: string): boolean => AUCTION_FIELDS.has(key) || isLiveScanField(key);

/** Whether a field that conditions read goes on while the stock is halted. */
export const isHaltField = (key: string): boolean => key === SENSITIVE_FIELD.key;

/** What of an alert's conditions is live when the stock has no price of the session. */
export type LiveReads = {
  /** One of them reads a value that is live in an auction. */
  readonly readsAuction: boolean;
  /** One of them reads a value that goes on while the stock is halted. */
  readonly readsHalt: boolean;
};

/** Whether an alert is evaluated at all. */
export const isReady = (readiness: Readiness, { readsAuction, readsHalt }: LiveReads): boolean =>
  readiness === 'traded' || (readiness === 'auction' ? readsAuction : readsHalt);

/**
 * Whether something holds. In this order, so that of conditions that must all hold the least decides, and of a group
 * the greatest. So what is unknown counts only where it decides: a condition that is false makes the whole false
 * whatever else is unknown, and one that is true makes its group true.
 */
export const FALSE = 0;
export const UNKNOWN = 1;
export const TRUE = 2;
export type Truth = typeof FALSE | typeof UNKNOWN | typeof TRUE;
