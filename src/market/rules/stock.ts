import type { SurplusFlip } from '../auctions/rules/auction.ts';

/**
 * The trading status of a stock. The first six follow the exchange's phases; a halted or suspended stock keeps that
 * status through all of them, see halted.ts.
 */
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

/** How many daily and weekly closes in a row rose or fell, counted back from the newest; both zero means flat. */
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
  /** What a model wrote of the announcement `summary_of`; null when there is none, or a later one matters more. */
  summary: string | null;
  summary_generated_at: string | null;
  /** The id of the announcement that the summary is of. */
  summary_of?: string | null;
  /** What the summary was made of, when that was not the document: a sentence. */
  summary_note?: string | null;
  /** True once a price-sensitive announcement of the day was told to those who watch. */
  alerted: boolean;
  announcements: Record<string, Announcement>;
};

/** The last indicative result of the opening auction, kept after the stock has opened. */
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
  /** Volume-weighted average price of the trading session. */
  vwap: number | null;
  volume: number | null;
  /** Traded value today. */
  value: number | null;
  match_price: number | null;
  match_vol: number | null;
  match_value: number | null;
  /** Surplus at the match price: unmatched buy volume, negative when sellers are left over. */
  buy_surplus: number | null;
  /** The surplus changed sides within the last 60 s: 1 to buyers, −1 to sellers. Absent at any other time. */
  surplusFlip?: SurplusFlip;
  /** (match_price / close − 1) × 100. */
  indicativeChangePercent: number | null;
  marketCap: number | null;
  marketCapCategory: MarketCapCategory | null;
  /** Relative volume: today's volume over the usual volume by this time of day. */
  relativeVolume: number | null;
  /** How many price-sensitive announcements came today. */
  sensitiveAnnouncements: number | null;
  trend: Trend | null;
  /** The highest and lowest price of 52 weeks, as the source states them. */
  yearRange?: { high: number | null; low: number | null };
  /** By Sydney date, YYYY-MM-DD: today and the previous trading day. */
  news?: Record<string, NewsDay>;
  preOpen?: { snapshot: PreOpenSnapshot };
  /** By timeframe, indicator key and value key: `indicators['60'].rsi_14.now`. */
  indicators?: Record<string, Record<string, Record<string, number | null>>>;
  /** Higher-timeframe candles by period and field: `htf['3M'].high`. */
  htf?: Record<string, Record<string, number | null>>;
};

/** What a source may state of a stock. The Market derives the rest. An absent field keeps its value, null clears it. */
export type StockUpdate = { code: string } & Partial<
  Omit<
    Stock,
    | 'code'
    | 'change'
    | 'change_percent'
    | 'match_value'
    | 'indicativeChangePercent'
    | 'marketCapCategory'
    | 'surplusFlip'
    | 'preOpen'
    | 'news'
    | 'yearRange'
  >
> & {
    yearRange?: { high?: number | null; low?: number | null } | null;
    /** Merged into what is known: a day's members and announcements that are not named stay. */
    news?: Record<string, Partial<NewsDay>> | null;
    /** How today's opening auction ended; used only for a stock that is first listed after it. */
    preOpen?: Pick<PreOpenSnapshot, 'capturedAt' | 'match_price' | 'match_vol' | 'buy_surplus'>;
    /** When the provider says this quote was made, epoch ms; kept by the Market, not streamed. */
    quoteTime?: number;
  };

/**
 * The record of a stock of which only the code is known; what is unknown is null, never 0. Patches have the order of its
 * members: what nearly every trade changes stands together, which compresses a little better.
 */
export const emptyStock = (code: string): Stock => ({
  code,
  name: code,
  status: 'Adjust',
  securityType: 'stock',
  sector: null,
  open: null,
  close: null,
  value: null,
  volume: null,
  relativeVolume: null,
  vwap: null,
  high: null,
  low: null,
  last: null,
  change: null,
  change_percent: null,
  match_price: null,
  match_vol: null,
  match_value: null,
  buy_surplus: null,
  indicativeChangePercent: null,
  marketCap: null,
  marketCapCategory: null,
  sensitiveAnnouncements: null,
  trend: null,
});
