/**
 * The opening auction of one stock as it formed: its changes since 07:00, oldest first, as columns. `time` is epoch ms on the
 * market's clock, `price` the match price in AUD, `volume` the match volume, `surplus` the shares left over at it: bought
 * where positive, sold where negative. Null where it was not known.
 */
export type AuctionColumns = {
  time: number[];
  price: (number | null)[];
  volume: (number | null)[];
  surplus: (number | null)[];
};

/** The answer of `GET /api/data/auction`. */
export type AuctionAnswer = {
  symbol: string;
  /** The session's Sydney date, YYYY-MM-DD. */
  date: string;
  columns: AuctionColumns;
  /** Changes that were left out to keep the series bounded. */
  thinned: boolean;
};

/** How a stock's status went today, and at what its auctions traded: the answer of `GET /api/data/day-events`. */
export type DayEventsAnswer = {
  symbol: string;
  date: string;
  /** Since when this day's events are known, epoch ms; null while nothing is. */
  knownSince: number | null;
  /** Each change of status, oldest first; `time` is epoch ms on the market's clock. */
  statuses: { time: number; status: string }[];
  /** What the opening and closing auctions traded at; volume null where it was not known. */
  auctions: { time: number; kind: 'open' | 'close'; price: number; volume: number | null }[];
};
