import type { Stock } from './stock.ts';

export type FeedInfo = {
  /** simulator, tradingview, ingest, replay. */
  name: string;
  /** What the scanner strip shows: 'Simulated', 'Delayed 20 min', 'Live'. */
  label: string;
  delayMinutes: number;
  /** When the Market last took an update, epoch ms of the server's wall clock; null before the first. */
  lastUpdate: number | null;
  healthy: boolean;
  /** Why it is not healthy: a sentence for the trader. */
  problem: string | null;
};

export type StreamMeta = {
  stockCount: number;
  /** Sydney date of the market's clock, YYYY-MM-DD. */
  dateToday: string;
  flags: { ignoreStatus: boolean };
  feed: FeedInfo;
  /** The market's own time when this was built, epoch ms. */
  marketTime: number;
  /** marketTime minus the server's wall clock, ms; 0 when the market runs on the wall clock. */
  clockOffsetMs: number;
  /** How fast the market's clock runs: 1 is real time. */
  clockSpeed: number;
};

/** An economic event; filled by the calendar feature. */
export type FxEvent = Record<string, unknown> & { id: string };

export type Snapshot = {
  stocks: Record<string, Stock>;
  meta: StreamMeta;
  fx: { data: Record<string, FxEvent>; lastUpdated: number | null };
};

/** RFC 7396 merge patch of one stock: only changed fields, null removes. */
export type StockPatch = { [K in keyof Stock]?: unknown };

export type Delta = {
  stocks: { upsert: Record<string, StockPatch>; delete: string[] };
  meta: Partial<StreamMeta> & { stockCount: number };
  fx: { upsert: Record<string, Partial<FxEvent>>; delete: string[]; lastUpdated: number | null };
};

export type StreamEvents = { snapshot: Snapshot; delta_update: Delta; ping: { time: number } };
