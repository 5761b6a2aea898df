/** What is remembered of a stock that alerts are on. Dates are those of Sydney, YYYY-MM-DD. */
export type PresenceRow = {
  symbol: string;
  /** What it was called when it was listed last; '' where it never was on this source. */
  company: string;
  lookedOn: string;
  missingSince: string | null;
  missingDays: number;
  haltedSince: string | null;
};

/** What was seen of a stock that alerts are on. Dates are those of Sydney, YYYY-MM-DD. */
export type StockPresence = {
  missingSince: string | null;
  /** Sessions in a row. */
  missingDays: number;
  haltedSince: string | null;
  /** A listed stock whose company is called the same; null for none. */
  renamedTo: string | null;
};

/** What is seen of a stock in a session: its company's name, and whether it is halted; null when it is not listed. */
export type SeenStock = { company: string; isHalted: boolean } | null;

/** What is remembered of a stock after one more session. @param date of the session */
export function afterSession(
  before: PresenceRow | null,
  symbol: string,
  seen: SeenStock,
  date: string,
): PresenceRow {
  const company = before?.company ?? '';
  const listed = { symbol, lookedOn: date, missingSince: null, missingDays: 0 };
  if (seen !== null) {
    const haltedSince = seen.isHalted ? (before?.haltedSince ?? date) : null;
    return { ...listed, company: seen.company || symbol, haltedSince };
  }
  // A source has its own stocks: what it never had has not left it.
  if (company === '') return { ...listed, company, haltedSince: null };
  return {
    symbol,
    company,
    lookedOn: date,
    missingSince: before?.missingSince ?? date,
    missingDays: (before?.missingDays ?? 0) + 1,
    haltedSince: before?.haltedSince ?? null,
  };
}

/** Sessions whose sizes of the list are remembered. */
export const REMEMBERED_SIZES = 5;
const WHOLE_SHARE = 0.9;

/**
 * Whether a list of stocks is whole enough to say what left it: one that a fault cut short says nothing.
 * @param sizes of the last sessions
 */
export const isWholeList = (size: number, sizes: readonly number[]): boolean =>
  size > 0 && size >= WHOLE_SHARE * Math.max(0, ...sizes);
