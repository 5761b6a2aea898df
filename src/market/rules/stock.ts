/** 1: the surplus became positive (to buyers). −1: it became negative (to sellers). */
export type SurplusFlip = 1 | -1;

/** The first six follow the exchange's phases. A halted or suspended stock stays so, see `isHalted`. */
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

/** Consecutive daily and weekly closes that rose or fell, from the newest; both zero means flat. */
export type Trend = { daysUp: number; daysDown: number; weeksUp: number; weeksDown: number };

export type Announcement = {
  headline: string;
  url: string | null;
  announcementTypes: string[];
  isPriceSensitive: boolean;
  time: string;
};

export type NewsDay = {
  headline: string | null;
  /** A model's summary of `summary_of`; null if there is none, or a later announcement matters more. */
  summary: string | null;
  summary_generated_at: string | null;
  summary_of?: string | null;
  summary_note?: string | null;
  /** True once alerts for a price-sensitive announcement of the day were sent. */
  alerted: boolean;
  announcements: Record<string, Announcement>;
};

/** The last indicative result of the opening auction, kept after the open. */
export type PreOpenSnapshot = {
  capturedAt: string;
  indicativeChangePercent: number | null;
  match_price: number | null;
  match_vol: number | null;
  match_value: number | null;
  buy_surplus: number | null;
};

/**
 * A listing on the stream, keyed by its upper-case code. Prices and values are AUD, volumes shares, percents
 * percent (1.5 means 1.5 %). An unknown value is null or absent, never 0.
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
  close: number | null;
  last: number | null;
  change: number | null;
  change_percent: number | null;
  vwap: number | null;
  volume: number | null;
  value: number | null;
  match_price: number | null;
  match_vol: number | null;
  match_value: number | null;
  /** Surplus at the match price: unmatched buy volume, negative if sellers are left over. */
  buy_surplus: number | null;
  /** The surplus changed sides within the last 60 s: 1 to buyers, −1 to sellers; otherwise absent. */
  surplusFlip?: SurplusFlip;
  indicativeChangePercent: number | null;
  marketCap: number | null;
  marketCapCategory: MarketCapCategory | null;
  /** Today's volume over the usual volume by this time of day. */
  relativeVolume: number | null;
  sensitiveAnnouncements: number | null;
  trend: Trend | null;
  /** High and low of 52 weeks as the source states them, before today if that is known. */
  yearRange?: { high: number | null; low: number | null };
  /** By Sydney date, YYYY-MM-DD: today and the previous trading day. */
  news?: Record<string, NewsDay>;
  preOpen?: { snapshot: PreOpenSnapshot };
  /** By timeframe, indicator key and value key: `indicators['60'].rsi_14.now`. */
  indicators?: Record<string, Record<string, Record<string, number | null>>>;
  /**
   * Higher-timeframe candles by period and field: `htf['3M'].high`. `htf['52W']` has the high and low of the 52 weeks
   * before the last daily bar, and `highWithLast` and `lowWithLast` with it.
   */
  htf?: Record<string, Record<string, number | null>>;
};

/** Fields that a source may state; the rest is derived. An absent field stays, null clears it. */
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
    news?: Record<string, Partial<NewsDay>> | null;
    /** The end of today's opening auction; used only for a stock first listed after it. */
    preOpen?: Pick<PreOpenSnapshot, 'capturedAt' | 'match_price' | 'match_vol' | 'buy_surplus'>;
    quoteTime?: number;
  };

/**
 * A record with only a code; unknown values are null, never 0. Patches follow its order: fields that nearly
 * every trade changes are adjacent, which compresses slightly better.
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
