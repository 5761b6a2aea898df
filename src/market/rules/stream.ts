import { mergePatch } from '#lib/mergePatch.ts';
import type { CalendarEvent } from '../calendar/rules/calendarEvent.ts';
import type { SpecialDay } from './tradingDay.ts';
import { type Announcement, emptyStock, type NewsDay, type PreOpenSnapshot, type Stock } from './stock.ts';

export type FeedInfo = {
  name: string;
  label: string;
  delayMinutes: number;
  /** When the Market last received an update, epoch ms by the server's wall clock; null before the first. */
  lastUpdate: number | null;
  healthy: boolean;
  problem: string | null;
};

export type ProviderInfo = {
  label: string;
  healthy: boolean;
  problem: string | null;
  /** Epoch ms by the server's wall clock; null before the first good answer. */
  lastUpdate: number | null;
};

/** Times are epoch ms on the market's clock. */
export type ReplayState = {
  from: number;
  until: number;
  isPaused: boolean;
  speed: number;
  hasEnded: boolean;
  isCutOff: boolean;
  /** Number of jumps; after one, clients request collected data again. */
  jumps: number;
};

export type ReplayInfo = ReplayState & {
  isOpenToAll: boolean;
};

export type StreamMeta = {
  stockCount: number;
  /** The session shown, YYYY-MM-DD in Sydney: from its pre-open to that of the next trading day. */
  dateToday: string;
  flags: { ignoreStatus: boolean };
  feed: FeedInfo;
  announcements: ProviderInfo | null;
  /** Null if it is off. `onMarketClock`: its events use the market's clock instead of the wall clock. */
  calendar: (ProviderInfo & { onMarketClock: boolean }) | null;
  /** The market's time of this message, epoch ms. */
  marketTime: number;
  /** marketTime minus the server's wall clock, ms; 0 if the market uses the wall clock. */
  clockOffsetMs: number;
  clockSpeed: number;
  replay?: ReplayInfo;
  closures?: readonly SpecialDay[];
};

/** JSON Merge Patch (RFC 7396): only changed fields, null removes. */
export type StockPatch = { [K in keyof Stock]?: unknown };

/** JSON Merge Patch; null removes. The wire calls events fx. */
export type EventPatch = { [K in keyof CalendarEvent]?: CalendarEvent[K] | null };

export type Snapshot = {
  /** By code; unknown values are null. Another server may omit them: use `readStocks`. */
  stocks: Record<string, StockPatch>;
  meta: StreamMeta;
  /** Own members without information are omitted to save bytes: use `applyEventPatch`. */
  fx: { data: Record<string, EventPatch>; lastUpdated: number | null };
};

export type Delta = {
  stocks: { upsert: Record<string, StockPatch>; delete: string[] };
  /** Each member replaces that member of the last meta as a whole. */
  meta: Partial<StreamMeta> & { stockCount: number };
  fx: { upsert: Record<string, EventPatch>; delete: string[]; lastUpdated: number | null };
};

export type StreamEvents = { snapshot: Snapshot; delta_update: Delta; ping: { time: number } };

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
 * Applies a stock's patch. The result is complete: removed and omitted members are null. Returns the
 * identical object if nothing changed.
 */
function applyStockPatch(code: string, stock: Stock | undefined, patch: StockPatch): Stock {
  const merged = mergePatch(stock ?? {}, patch);
  if (stock && merged === stock) return stock;
  const isWhole = stock !== undefined && !Object.values(patch).includes(null);
  // Copies again only if members may be missing, because the merge already made a copy.
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

export function readStocks(stocks: Snapshot['stocks']): ReadonlyMap<string, Stock> {
  const result = new Map<string, Stock>();
  for (const [code, patch] of Object.entries(stocks))
    result.set(code, applyStockPatch(code, undefined, patch));
  return result;
}

/**
 * Applies the stocks of a delta.
 * @returns a new map with identical objects for unchanged stocks; the identical map if nothing changed
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
