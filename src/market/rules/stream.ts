import { mergePatch } from '#lib/mergePatch.ts';
import type { CalendarEvent } from '../calendar/rules/calendarEvent.ts';
import type { SpecialDay } from './tradingDay.ts';
import { type Announcement, emptyStock, type NewsDay, type PreOpenSnapshot, type Stock } from './stock.ts';

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
  /** Why it is not healthy, or what it lacks although it is: a sentence for the trader. */
  problem: string | null;
};

/** The state of the source of announcements or of the economic calendar. */
export type ProviderInfo = {
  /** 'Simulated', 'ASX', 'FXStreet', 'ForexFactory'. */
  label: string;
  healthy: boolean;
  /** Why it is not healthy: a sentence for the trader. */
  problem: string | null;
  /** Epoch ms of the server's wall clock; null before the first good answer. */
  lastUpdate: number | null;
};

/** How the playing of a recording stands. Times are epoch ms on the market's clock. */
export type ReplayState = {
  /** The first and the last moment of the recording. */
  from: number;
  until: number;
  isPaused: boolean;
  /** As it was chosen; the stream's `clockSpeed` is 0 while it is paused or at its end. */
  speed: number;
  /** It came to the end of the recording and stays there. */
  hasEnded: boolean;
  /** The recording was cut off: it ends before it was meant to. */
  isCutOff: boolean;
  /** How often the market was taken to another moment: what was collected over time is to be asked for again. */
  jumps: number;
};

/** A market that is played from a recording, as its pages are told of it. */
export type ReplayInfo = ReplayState & {
  /** Anybody may control it, not only administrators. */
  isOpenToAll: boolean;
};

/** What the stream says of the market as a whole. */
export type StreamMeta = {
  stockCount: number;
  /** Sydney date of the session that is shown, YYYY-MM-DD: from its pre-open to that of the next trading day. */
  dateToday: string;
  flags: { ignoreStatus: boolean };
  feed: FeedInfo;
  /** Null when it is switched off. */
  announcements: ProviderInfo | null;
  /** Null when it is switched off. `onMarketClock`: its events happen by the market's clock, otherwise by the wall clock. */
  calendar: (ProviderInfo & { onMarketClock: boolean }) | null;
  /** The market's own time when this was built, epoch ms. */
  marketTime: number;
  /** marketTime minus the server's wall clock, ms; 0 when the market runs on the wall clock. */
  clockOffsetMs: number;
  /** How fast the market's clock runs: 1 is real time. */
  clockSpeed: number;
  /** Absent for a market that is not played from a recording. */
  replay?: ReplayInfo;
  /** Days on which the exchange does otherwise than its calendar's rules say; absent where there were never any. */
  closures?: readonly SpecialDay[];
};

/** JSON Merge Patch (RFC 7396) of one stock: only changed fields, null removes. */
export type StockPatch = { [K in keyof Stock]?: unknown };

/** JSON Merge Patch of one economic event; null removes. The wire calls events fx. */
export type EventPatch = { [K in keyof CalendarEvent]?: CalendarEvent[K] | null };

/** The `snapshot` event (specification, section 7.3). */
export type Snapshot = {
  /** By code; what is unknown is null. Another server may leave it out: read them with `readStocks`. */
  stocks: Record<string, StockPatch>;
  meta: StreamMeta;
  /** Events without those of our own members that say nothing, to save bytes: read them with `applyEventPatch`. */
  fx: { data: Record<string, EventPatch>; lastUpdated: number | null };
};

/** The `delta_update` event (specification, section 7.3). */
export type Delta = {
  stocks: { upsert: Record<string, StockPatch>; delete: string[] };
  /** Each member that is present replaces that member of the last known meta as a whole. */
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
 * Applies the patch of one stock. The result is a complete record: members that the patch removes, or that were left out
 * of the stream because they are unknown, are null. When nothing changes it is the identical object.
 */
function applyStockPatch(code: string, stock: Stock | undefined, patch: StockPatch): Stock {
  const merged = mergePatch(stock ?? {}, patch);
  if (stock && merged === stock) return stock;
  const isWhole = stock !== undefined && !Object.values(patch).includes(null);
  // The merge made a copy already; a second one is made only where members may be missing.
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

/** The stocks of a snapshot as complete records, by code. */
export function readStocks(stocks: Snapshot['stocks']): ReadonlyMap<string, Stock> {
  const result = new Map<string, Stock>();
  for (const [code, patch] of Object.entries(stocks))
    result.set(code, applyStockPatch(code, undefined, patch));
  return result;
}

/**
 * Applies the stocks of a delta: upserts are merged, deletions removed.
 * @returns a new map in which stocks that did not change are the identical objects; the identical map when none did
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
