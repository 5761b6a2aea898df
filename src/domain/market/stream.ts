import type { Stock } from './stock.ts';

/** The state of the market source, as the scanner strip shows it. */
export type FeedInfo = {
  /** The configured source: simulator, tradingview, ingest, replay. */
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

/** What the stream says of the market as a whole. */
export type StreamMeta = {
  stockCount: number;
  /** Sydney date of the session that is shown, YYYY-MM-DD: from its pre-open to that of the next trading day. */
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

/** An economic event; the stream calls them fx. */
export type CalendarEvent = Record<string, unknown> & { id: string };

/** JSON Merge Patch (RFC 7396) of one stock: only changed fields, null removes. */
export type StockPatch = { [K in keyof Stock]?: unknown };

/** The `snapshot` event (specification, section 7.3). */
export type Snapshot = {
  /** By code, without unknown (null) members to save bytes: read them with `readStocks`. */
  stocks: Record<string, StockPatch>;
  meta: StreamMeta;
  fx: { data: Record<string, CalendarEvent>; lastUpdated: number | null };
};

/** The `delta_update` event (specification, section 7.3). */
export type Delta = {
  stocks: { upsert: Record<string, StockPatch>; delete: string[] };
  /** Each member that is present replaces that member of the last known meta as a whole. */
  meta: Partial<StreamMeta> & { stockCount: number };
  fx: { upsert: Record<string, Partial<CalendarEvent>>; delete: string[]; lastUpdated: number | null };
};

export type StreamEvents = { snapshot: Snapshot; delta_update: Delta; ping: { time: number } };
