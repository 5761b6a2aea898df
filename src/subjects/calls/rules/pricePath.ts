/** What a stock's session showed at one moment, kept to be compared with the next. Prices AUD, volume shares. */
export type Quote = {
  /** Sydney date of the market's clock, YYYY-MM-DD. */
  date: string;
  open: number | null;
  high: number | null;
  low: number | null;
  last: number | null;
  volume: number | null;
  /** Previous close. */
  close: number | null;
};

/** Prices that were traded between two quotes. `open` only when the session's first trade lies between them. */
export type TradedPrices = { open?: number; high?: number; low?: number; last?: number };

const isHigher = (now: number | null, before: number | null): now is number =>
  now !== null && (before === null || now > before);

const isLower = (now: number | null, before: number | null): now is number =>
  now !== null && (before === null || now < before);

/** The session began again or was corrected: its range does not show what traded since. */
const hasShrunk = (before: Quote, now: Quote): boolean =>
  (before.high !== null && (now.high === null || now.high < before.high)) ||
  (before.low !== null && (now.low === null || now.low > before.low)) ||
  (before.volume !== null && now.volume !== null && now.volume < before.volume);

/** Whether a new date's quote shows trades of that date, not what was left over from the day before. */
const isNewSession = (before: Quote, now: Quote, isOfDate: boolean): boolean =>
  now.volume !== 0 &&
  !(now.volume === null && before.volume !== null) &&
  (isOfDate ||
    now.open !== before.open ||
    now.high !== before.high ||
    now.low !== before.low ||
    now.volume !== before.volume);

/**
 * Whether the session of a new date lies whole between the two quotes.
 * @param isOfDate whether the later quote's own time says that it is of its date's trading
 */
export const isOpened = (before: Quote, now: Quote, isOfDate: boolean): boolean =>
  now.date !== before.date && isNewSession(before, now, isOfDate);

/** Whether two quotes show the same trading, whatever their dates. */
export const isSameTrading = (before: Quote, now: Quote): boolean =>
  now.open === before.open &&
  now.high === before.high &&
  now.low === before.low &&
  now.last === before.last &&
  now.volume === before.volume;

/** The open and the range are still those of the day before: only the last price is new. */
const hasOldRange = (before: Quote, now: Quote): boolean =>
  now.open === before.open && now.high === before.high && now.low === before.low;

const lastAlone = ({ last }: Quote): TradedPrices | null => (last === null ? null : { last });

function lastOf(before: Quote, now: Quote): TradedPrices | null {
  if (now.last === null) return null;
  const grew = now.volume !== null && before.volume !== null && now.volume > before.volume;
  return grew || now.last !== before.last ? { last: now.last } : null;
}

/**
 * Works out what traded between two quotes of a stock from its session's range: a high that rose was traded at,
 * although `last` may never have shown it. So neither coalesced ticks nor a restart lose a trade that matters.
 *
 * @param before the earlier quote
 * @param now the later quote
 * @param isOfDate whether its own time says that it is of its date's trading
 * @returns the prices traded in between, or null when nothing traded
 */
export function tradedBetween(before: Quote, now: Quote, isOfDate = false): TradedPrices | null {
  if (isOpened(before, now, isOfDate)) {
    return hasOldRange(before, now) && !isOfDate ? lastAlone(now) : wholeSession(now);
  }
  if (hasShrunk(before, now)) return now.last !== before.last ? lastOf(before, now) : null;
  const traded: TradedPrices = { ...lastOf(before, now) };
  if (before.high === null && before.low === null && before.volume === null && now.open !== null) {
    traded.open = now.open;
  }
  if (isHigher(now.high, before.high)) traded.high = now.high;
  if (isLower(now.low, before.low)) traded.low = now.low;
  return hasAny(traded) ? traded : null;
}

const hasAny = (traded: TradedPrices): boolean =>
  traded.last !== undefined || traded.high !== undefined || traded.low !== undefined;

function wholeSession(now: Quote): TradedPrices | null {
  const traded: TradedPrices = {};
  if (now.open !== null) traded.open = now.open;
  if (now.high !== null) traded.high = now.high;
  if (now.low !== null) traded.low = now.low;
  if (now.last !== null) traded.last = now.last;
  return hasAny(traded) ? traded : null;
}
