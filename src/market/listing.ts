import type { PreOpenSnapshot, Stock } from './rules/stock.ts';

type Indicators = NonNullable<Stock['indicators']>;

/** Everything that the Market keeps of one stock code. */
export type Listing = {
  readonly code: string;
  /** The record now; null while the code is not listed. */
  stock: Stock | null;
  /** The record as the last change set left it; null when the code was not listed then. */
  flushed: Stock | null;
  /** When the last quote was made, epoch ms; else when the Market took it. Null while nothing was applied. */
  quoteTime: number | null;
  /** The session that the record's figures are of: its Sydney date, YYYY-MM-DD; '' before anything was applied. */
  session: string;
  /** When its provider says that the last quote with a price was made, epoch ms; null when it does not say. */
  statedTime: number | null;
  /** The newest of the times that its provider stated, never in the market's future; null while there was none. */
  newestStated: number | null;
  /** Whether the source states the traded value; else it is computed from VWAP and volume. */
  hasOwnValue: boolean;
  /** Whether the source states the status; else it is the one of the exchange's phase. */
  hasOwnStatus: boolean;
  /** The session's pre-open snapshot of an earlier run, kept for the moment when the code is listed. */
  restored: PreOpenSnapshot | null;
  /** The patch from the indicators `from` to those `to`, where the engine supplied it. */
  patch: { to: Indicators; from: Indicators | undefined; patch: Indicators } | null;
};

export const newListing = (code: string): Listing => ({
  code,
  stock: null,
  flushed: null,
  quoteTime: null,
  session: '',
  statedTime: null,
  newestStated: null,
  hasOwnValue: false,
  hasOwnStatus: false,
  restored: null,
  patch: null,
});
