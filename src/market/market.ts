import { diffPatch, type KnownPatches } from '../lib/mergePatch.ts';
import { statusFor } from '../domain/market/sessionClock.ts';
import type { PreOpenSnapshot, Stock, StockUpdate } from '../domain/market/stock.ts';
import { type StockPatch } from '../domain/market/stream.ts';
import { emptyStock } from '../domain/market/stock.ts';
import type { Refusal } from '../sources/quotes/source.ts';
import type { Clock } from '../lib/clock.ts';
import { byPrice } from './byPrice.ts';
import { createMarketDay, type MarketDay } from './marketDay.ts';
import { derive, mergeUpdate } from './derive.ts';
import { endOfPreOpen, pastPreOpen } from './preOpen.ts';
import type { ChangeSet, Market } from './types.ts';
import { refusalOf } from './validate.ts';

/**
 * The Market in memory. Records are immutable: a change replaces the record, so whoever holds the old one keeps
 * a consistent picture and "did it change" is a comparison of references.
 * @param deps.clock the market's clock (the source's), not the wall clock
 */
export function createMarket(deps: { clock: Clock }): Market {
  const stocks = new Map<string, Stock>();
  /** What each record touched since the last flush was at that flush; undefined when it was not listed. */
  const bases = new Map<string, Stock | undefined>();
  const quoteTimes = new Map<string, number>();
  const statesValue = new Set<string>();
  /** Listings whose source never said a status: theirs is that of the session. */
  const followsSession = new Set<string>();
  const restored = new Map<string, PreOpenSnapshot>();
  const known: KnownPatches = new Map();
  const readClock = createMarketDay(deps.clock);
  let today = readClock();
  let seq = 0;

  function put(code: string, before: Stock | undefined, after: Stock): void {
    if (before === after) return;
    if (!bases.has(code)) bases.set(code, before);
    stocks.set(code, after);
  }

  /** Brings the Market to the clock's date and phase. */
  function advance(): MarketDay {
    const before = today;
    today = readClock();
    if (today.date !== before.date) startDay();
    if (today.phase !== before.phase) {
      const status = statusFor(today.phase);
      for (const code of followsSession) change({ code, status });
    }
    return today;
  }

  function startDay(): void {
    restored.clear();
    for (const [code, stock] of stocks) {
      const news = stock.news && recentNews(stock.news, today.previous);
      if (!stock.preOpen && news === stock.news && stock.sensitiveAnnouncements === null) continue;
      const { preOpen: _yesterday, news: _old, ...rest } = stock;
      const fresh = { ...rest, sensitiveAnnouncements: null };
      put(code, stock, news ? { ...fresh, news } : fresh);
    }
  }

  function list(code: string, update: StockUpdate): Stock {
    const stock = emptyStock(code);
    stock.status = statusFor(today.phase);
    if (!update.status) followsSession.add(code);
    const snapshot = restored.get(code);
    if (snapshot) stock.preOpen = { snapshot };
    return stock;
  }

  function change(update: StockUpdate): void {
    const { code } = update;
    const before = stocks.get(code);
    const start = before ?? list(code, update);
    const after = mergeUpdate(start, update);
    if (after === before) return;
    if (update.value !== undefined) {
      if (update.value === null) statesValue.delete(code);
      else statesValue.add(code);
    }
    derive(after, update, statesValue.has(code));
    const snapshot = before
      ? endOfPreOpen(before, after, today.phase, today.now)
      : pastPreOpen(after, update.preOpen, today);
    if (snapshot) after.preOpen = { snapshot };
    put(code, before, after);
  }

  return {
    apply(updates) {
      const { now } = advance();
      const refused: Refusal[] = [];
      for (const update of updates) {
        const reason = refusalOf(update, stocks.get(update.code));
        if (reason) {
          refused.push({ code: String(update.code), reason });
          continue;
        }
        if (update.status) followsSession.delete(update.code);
        change(update);
        quoteTimes.set(update.code, update.quoteTime ?? now);
      }
      return { applied: updates.length - refused.length, refused };
    },
    setValues(code, { indicators, htf }, patch) {
      const before = stocks.get(code);
      if (!before) return;
      if (indicators && patch) known.set(indicators, { from: before.indicators, patch });
      const after = { ...before };
      if (indicators) after.indicators = indicators;
      else delete after.indicators;
      if (htf) after.htf = htf;
      else delete after.htf;
      put(code, before, after);
    },
    remove(codes) {
      for (const code of codes) {
        const before = stocks.get(code);
        if (!before) continue;
        if (!bases.has(code)) bases.set(code, before);
        stocks.delete(code);
        quoteTimes.delete(code);
        statesValue.delete(code);
        followsSession.delete(code);
      }
    },
    get: (code) => stocks.get(code),
    all: () => stocks,
    *flushed() {
      if (seq === 0) return yield* stocks.values();
      for (const [code, stock] of stocks) {
        const seen = bases.has(code) ? bases.get(code) : stock;
        if (seen) yield seen;
      }
      for (const [code, base] of bases) if (base && !stocks.has(code)) yield base;
    },
    flush() {
      advance();
      const changes = collect(stocks, bases, seq, known);
      bases.clear();
      known.clear();
      if (changes) seq = changes.seq;
      return changes;
    },
    quoteTime: (code) => quoteTimes.get(code) ?? null,
    date: () => advance().date,
    restorePreOpen(date, snapshots) {
      const { now, date: current } = advance();
      if (date !== current) return;
      for (const [code, snapshot] of snapshots) {
        if (Date.parse(snapshot.capturedAt) > now) continue;
        const stock = stocks.get(code);
        if (!stock) restored.set(code, snapshot);
        else if (!stock.preOpen) put(code, stock, { ...stock, preOpen: { snapshot } });
      }
    },
  };
}

/** Only the days from `oldest` on; the identical record when all of them are. */
function recentNews(news: NonNullable<Stock['news']>, oldest: string): NonNullable<Stock['news']> {
  const days = Object.entries(news);
  const kept = days.filter(([date]) => date >= oldest);
  return kept.length === days.length ? news : Object.fromEntries(kept);
}

function collect(
  stocks: ReadonlyMap<string, Stock>,
  bases: ReadonlyMap<string, Stock | undefined>,
  seq: number,
  known: KnownPatches,
): ChangeSet | null {
  const removed: string[] = [];
  const touched: Stock[] = [];
  for (const [code, base] of bases) {
    const stock = stocks.get(code);
    if (stock) touched.push(stock);
    // Before the first flush a snapshot may have shown a stock that has no base.
    else if (base || seq === 0) removed.push(code);
  }
  const upsert: Record<string, StockPatch> = {};
  let count = 0;
  for (const stock of touched.sort(byPrice)) {
    const patch = diffPatch(bases.get(stock.code), stock, known);
    if (patch === undefined) continue;
    upsert[stock.code] = patch as StockPatch;
    count += 1;
  }
  return count + removed.length === 0 ? null : { seq: seq + 1, upsert, delete: removed };
}
