import { isRecord } from '../../lib/json.ts';
import { mergePatch } from '../../lib/mergePatch.ts';
import type { Announcement, NewsDay, PreOpenSnapshot, Stock } from './stock.ts';

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
export type CalendarEvent = Record<string, unknown> & { id: string };

/** RFC 7396 merge patch of one stock: only changed fields, null removes. */
export type StockPatch = { [K in keyof Stock]?: unknown };

export type Snapshot = {
  /** Stocks without their unknown (null) members, to save bytes: read them with `readStocks`. */
  stocks: Record<string, StockPatch>;
  meta: StreamMeta;
  fx: { data: Record<string, CalendarEvent>; lastUpdated: number | null };
};

export type Delta = {
  stocks: { upsert: Record<string, StockPatch>; delete: string[] };
  /** Members present replace those of the last known meta whole; the others stand. */
  meta: Partial<StreamMeta> & { stockCount: number };
  fx: { upsert: Record<string, Partial<CalendarEvent>>; delete: string[]; lastUpdated: number | null };
};

export type StreamEvents = { snapshot: Snapshot; delta_update: Delta; ping: { time: number } };

/** A listing of which nothing but the code is known; unknown is null, never 0. */
export const emptyStock = (code: string): Stock => ({
  code,
  name: code,
  status: 'Adjust',
  securityType: 'stock',
  sector: null,
  open: null,
  high: null,
  low: null,
  close: null,
  last: null,
  change: null,
  change_percent: null,
  vwap: null,
  volume: null,
  value: null,
  match_price: null,
  match_vol: null,
  match_value: null,
  buy_surplus: null,
  indicativeChangePercent: null,
  marketCap: null,
  marketCapCategory: null,
  relativeVolume: null,
  sensitiveAnnouncements: null,
  trend: null,
});

const EMPTY_SNAPSHOT: PreOpenSnapshot = {
  capturedAt: '',
  indicativeChangePercent: null,
  match_price: null,
  match_vol: null,
  match_value: null,
  buy_surplus: null,
};
const EMPTY_DAY: Omit<NewsDay, 'alerted' | 'announcements'> = {
  headline: null,
  summary: null,
  summary_generated_at: null,
};
const EMPTY_ANNOUNCEMENT: Announcement = {
  headline: '',
  url: null,
  announcementTypes: [],
  isPriceSensitive: false,
  time: '',
};
const ANNOUNCEMENT_MEMBERS = Object.keys(EMPTY_ANNOUNCEMENT);

/**
 * Merges one stock's patch and gives back a complete record: members that the patch removed, or that the wire
 * left out because they are unknown, are null again. The identical object comes back when nothing changed.
 */
export function applyStockPatch(code: string, stock: Stock | undefined, patch: StockPatch): Stock {
  const merged = mergePatch(stock ?? {}, patch);
  if (stock && merged === stock) return stock;
  const isWhole = stock !== undefined && !Object.values(patch).includes(null);
  // The merge has copied the record already: a second copy only where members may be missing.
  const complete: Stock = isWhole
    ? (merged as Stock)
    : { ...emptyStock(code), ...(merged as Partial<Stock>), code };
  complete.code = code;
  if (complete.preOpen !== stock?.preOpen) completePreOpen(complete);
  if (complete.news !== stock?.news) completeNews(complete);
  return complete;
}

function completePreOpen(stock: Stock): void {
  const snapshot = stock.preOpen?.snapshot;
  if (snapshot) stock.preOpen = { snapshot: { ...EMPTY_SNAPSHOT, ...snapshot } };
  else delete stock.preOpen;
}

function completeNews(stock: Stock): void {
  if (!stock.news) return;
  const news: Record<string, NewsDay> = {};
  for (const [date, day] of Object.entries(stock.news)) {
    const announcements: Record<string, Announcement> = {};
    for (const [id, item] of Object.entries(day.announcements ?? {})) {
      const isWhole = ANNOUNCEMENT_MEMBERS.every((name) => name in item);
      announcements[id] = isWhole ? item : { ...EMPTY_ANNOUNCEMENT, ...item };
    }
    news[date] = { ...EMPTY_DAY, ...day, alerted: day.alerted ?? false, announcements };
  }
  stock.news = news;
}

/** The complete records of a snapshot's stocks, by code. */
export function readStocks(stocks: Snapshot['stocks']): ReadonlyMap<string, Stock> {
  const result = new Map<string, Stock>();
  for (const [code, patch] of Object.entries(stocks))
    result.set(code, applyStockPatch(code, undefined, patch));
  return result;
}

/**
 * Applies a delta's stocks: upserts are merged, deletions removed. Stocks that did not change keep their
 * identical object, and the identical map comes back when none did.
 */
export function applyDelta(
  stocks: ReadonlyMap<string, Stock>,
  delta: Pick<Delta, 'stocks'>,
): ReadonlyMap<string, Stock> {
  let result: Map<string, Stock> | null = null;
  for (const [code, patch] of Object.entries(delta.stocks.upsert)) {
    const before = stocks.get(code);
    const after = applyStockPatch(code, before, patch);
    if (after === before) continue;
    result ??= new Map(stocks);
    result.set(code, after);
  }
  for (const code of delta.stocks.delete) {
    if (!(result ?? stocks).has(code)) continue;
    result ??= new Map(stocks);
    result.delete(code);
  }
  return result ?? stocks;
}

/** Meta after a delta: members the delta names replace the known ones. */
export const applyMeta = (meta: StreamMeta, delta: Delta): StreamMeta => ({ ...meta, ...delta.meta });
const isRecordOfRecords = (value: unknown): boolean =>
  isRecord(value) && Object.values(value).every(isRecord);

const isCount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0;

const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const isTimeOrNull = (value: unknown): boolean => value === null || typeof value === 'number';

const isMeta = (value: unknown): boolean =>
  isRecord(value) &&
  isCount(value.stockCount) &&
  typeof value.dateToday === 'string' &&
  isRecord(value.flags) &&
  isRecord(value.feed) &&
  typeof value.marketTime === 'number' &&
  typeof value.clockOffsetMs === 'number' &&
  typeof value.clockSpeed === 'number';

/** Whether a value has every member of a snapshot as this server sends it. Browsers ask for less. */
export function isSnapshot(value: unknown): value is Snapshot {
  return (
    isRecord(value) &&
    isRecordOfRecords(value.stocks) &&
    isMeta(value.meta) &&
    isRecord(value.fx) &&
    isRecordOfRecords(value.fx.data) &&
    isTimeOrNull(value.fx.lastUpdated)
  );
}

/** Whether a value has every member of a delta as this server sends it. Browsers ask for less. */
export function isDelta(value: unknown): value is Delta {
  return (
    isRecord(value) &&
    isRecord(value.stocks) &&
    isRecordOfRecords(value.stocks.upsert) &&
    isTextList(value.stocks.delete) &&
    isRecord(value.meta) &&
    isCount(value.meta.stockCount) &&
    isRecord(value.fx) &&
    isRecordOfRecords(value.fx.upsert) &&
    isTextList(value.fx.delete) &&
    isTimeOrNull(value.fx.lastUpdated)
  );
}
