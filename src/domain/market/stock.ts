/** Per-stock trading states. The first six follow the session; a halt or suspension stops trading in any of them. */
export const STOCK_STATUSES = [
  'Pre Open',
  'Open',
  'CSPA',
  'Post Close',
  'Post Trading',
  'Adjust',
  'Halted',
  'Suspended',
] as const;
export type StockStatus = (typeof STOCK_STATUSES)[number];

export const SECURITY_TYPES = ['stock', 'fund', 'cdi', 'other'] as const;
export type SecurityType = (typeof SECURITY_TYPES)[number];
export type MarketCapCategory = 'large' | 'mid' | 'small';

/** Consecutive closes in one direction, the newest first; both zero means flat. */
export type Trend = { daysUp: number; daysDown: number; weeksUp: number; weeksDown: number };

export type Announcement = {
  headline: string;
  url: string | null;
  announcementTypes: string[];
  isPriceSensitive: boolean;
  /** ISO 8601, UTC. */
  time: string;
};

export type NewsDay = {
  /** The newest headline of the day. */
  headline: string | null;
  summary: string | null;
  summary_generated_at: string | null;
  alerted: boolean;
  announcements: Record<string, Announcement>;
};

/** The last indicative auction result, kept after the stock has opened. */
export type PreOpenSnapshot = {
  /** ISO 8601, UTC, on the market's clock. */
  capturedAt: string;
  indicativeChangePercent: number | null;
  match_price: number | null;
  match_vol: number | null;
  match_value: number | null;
  buy_surplus: number | null;
};

/**
 * One listing as the stream carries it, keyed by its upper-case code. Prices and values are AUD, volumes are
 * shares, percents are percent (1.5 means 1.5 %). A value that is not known is null or absent, never 0.
 */
export type Stock = {
  code: string;
  name: string;
  status: StockStatus;
  securityType: SecurityType;
  sector: string | null;
  open: number | null;
  high: number | null;
  low: number | null;
  /** Previous close (the table column P. Close). */
  close: number | null;
  last: number | null;
  change: number | null;
  change_percent: number | null;
  /** Session volume-weighted average price. */
  vwap: number | null;
  volume: number | null;
  /** Traded value today. */
  value: number | null;
  match_price: number | null;
  match_vol: number | null;
  match_value: number | null;
  /** Unmatched buy volume at the match price; negative when sellers are left. */
  buy_surplus: number | null;
  /** (match_price / close − 1) × 100. */
  indicativeChangePercent: number | null;
  marketCap: number | null;
  marketCapCategory: MarketCapCategory | null;
  /** Today's volume over the usual volume by this time of day. */
  relativeVolume: number | null;
  /** How many price-sensitive announcements came today. */
  sensitiveAnnouncements: number | null;
  trend: Trend | null;
  /** By Sydney date, YYYY-MM-DD: today and the previous trading day. */
  news?: Record<string, NewsDay>;
  preOpen?: { snapshot: PreOpenSnapshot };
  indicators?: Record<string, Record<string, Record<string, number | null>>>;
  htf?: Record<string, Record<string, number | null>>;
};

/** What a source may say of a listing. The Market derives the rest; an absent field keeps its value, null clears it. */
export type StockUpdate = { code: string } & Partial<
  Omit<
    Stock,
    | 'code'
    | 'change'
    | 'change_percent'
    | 'match_value'
    | 'indicativeChangePercent'
    | 'marketCapCategory'
    | 'preOpen'
    | 'news'
  >
> & {
    /** Merged into what is known: a day's members and announcements that are not named stay. */
    news?: Record<string, Partial<NewsDay>> | null;
    /** How today's opening auction ended; taken of a stock that is listed after it, else the Market saw it itself. */
    preOpen?: Pick<PreOpenSnapshot, 'capturedAt' | 'match_price' | 'match_vol' | 'buy_surplus'>;
    /** When the provider says this quote was made, epoch ms; kept by the Market, not streamed. */
    quoteTime?: number;
  };
