import { mergePatch } from '#lib/mergePatch.ts';
import { type Announcement, emptyStock, type NewsDay, type PreOpenSnapshot, type Stock } from './stock.ts';
import type { Delta, Snapshot, StockPatch } from './stream.ts';

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
export function applyStockPatch(code: string, stock: Stock | undefined, patch: StockPatch): Stock {
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
