import type { PreOpenSnapshot, Stock, StockUpdate, SurplusFlip } from './rules/stock.ts';
import { isHalted } from './rules/stockState.ts';
import type { Clock } from '../lib/clock.ts';
import type { MarketSource, QuoteFacts, RefusedUpdate, MarketState } from './sources/quotes.ts';
import {
  createMarketSession,
  firstStock,
  type Listing,
  Listings,
  type MarketSession,
  nextStock,
  ofSession,
  startPhase,
  startSession,
} from './newSession.ts';
import type { Market, ChangeSet, KeptStock } from './types.ts';
import { refusalOf } from './validate.ts';
import type { StockPatch } from './rules/stream.ts';
import { diffPatch, type KnownPatches } from '../lib/mergePatch.ts';
import { byPrice } from './stream/snapshots.ts';
import { phaseAt, statusFor } from './rules/sessionClock.ts';
import { derive, mergeUpdate } from './derive.ts';

const factsOf = ({ quoteTime, newestStated, hasOwnValue, hasOwnStatus }: Listing): QuoteFacts => ({
  quoteTime,
  newestStated,
  hasOwnValue,
  hasOwnStatus,
});

function putFacts(listing: Listing, facts: QuoteFacts | undefined, date: string, stock: Stock): void {
  listing.session = date;
  listing.quoteTime = facts?.quoteTime ?? null;
  listing.newestStated = facts?.newestStated ?? null;
  listing.statedTime = listing.newestStated;
  listing.hasOwnValue = facts?.hasOwnValue ?? false;
  listing.hasOwnStatus = facts?.hasOwnStatus ?? isHalted(stock);
}

/** Replaces the state of all listings. Flushed records stay, so the next change set has the difference. */
function restoreState(
  listings: Listings,
  { stocks, facts }: MarketState,
  { date }: Pick<MarketSession, 'date'>,
): void {
  listings.dropRestored();
  const listed = new Set(stocks.map(({ code }) => code));
  for (const listing of [...listings.all()]) {
    if (listing.stock && !listed.has(listing.code)) listings.delist(listing);
  }
  for (const stock of stocks) {
    const listing = listings.ensure(stock.code);
    putFacts(listing, facts[stock.code], date, stock);
    listing.patch = null;
    listings.put(listing, stock);
  }
}

/**
 * Lists a stock of an earlier run in the same session. Its quote keeps its age. A stated status is valid only
 * in the phase of its quote, but a halt stays.
 */
function restoreStock(listings: Listings, { facts, ...update }: KeptStock, session: MarketSession): void {
  const { quoteTime } = facts;
  const phase = quoteTime === null ? session.phase : phaseAt(quoteTime).phase;
  const listing = listings.ensure(update.code);
  const stock = mergeUpdate({ ...firstStock(listing, session), status: statusFor(phase) }, update);
  derive(stock, {}, facts.hasOwnValue);
  putFacts(listing, facts, session.date, stock);
  listing.hasOwnStatus = facts.hasOwnStatus && (isHalted(stock) || phase === session.phase);
  listings.put(listing, stock);
  if (listing.hasOwnStatus) return;
  const status = { code: stock.code, status: statusFor(session.phase) };
  const next = nextStock(listing, status, { ...session, now: quoteTime ?? session.now });
  if (next) listings.put(listing, next);
}

const TRADING = [
  'open',
  'high',
  'low',
  'close',
  'last',
  'vwap',
  'volume',
  'value',
  'match_price',
  'match_vol',
  'buy_surplus',
  'relativeVolume',
] as const satisfies readonly (keyof StockUpdate)[];

function withoutTrading(update: StockUpdate): StockUpdate {
  const rest = { ...update };
  for (const field of TRADING) delete rest[field];
  return rest;
}

const hasPrice = ({ last, open, high, low }: StockUpdate): boolean =>
  [last, open, high, low].some((price) => price !== undefined && price !== null);

/**
 * Records a quote's time, and drops the trading fields of an older quote than the last, because late packets
 * must not turn prices back.
 * @param now epoch ms on the market's clock; a later stated time comes from a wrong clock and counts as now
 * @returns the update to merge
 */
function applyQuote(listing: Listing, update: StockUpdate, now: number): StockUpdate {
  const { quoteTime } = update;
  if (quoteTime === undefined) {
    if (hasPrice(update)) listing.statedTime = null;
    return update;
  }
  const stated = Math.min(quoteTime, now);
  const { newestStated } = listing;
  // A newest time in the future was noted before the clock was set back.
  if (newestStated !== null && newestStated <= now && stated < newestStated) return withoutTrading(update);
  listing.newestStated = stated;
  if (hasPrice(update)) listing.statedTime = stated;
  return update;
}

/**
 * The smallest patches from the last change set to the present; new listings as a whole.
 * @param seq of the last change set; 0 if there was none
 * @returns null if nothing changed
 */
function changeSetOf(touched: Iterable<Listing>, seq: number): ChangeSet | null {
  const deleted: string[] = [];
  const changed: { before: Stock | null; stock: Stock }[] = [];
  const patches: KnownPatches = new Map();
  for (const { code, stock, flushed, patch } of touched) {
    if (stock) changed.push({ before: flushed, stock });
    // A snapshot before the first change set may have contained a stock that was in no change set.
    else if (flushed || seq === 0) deleted.push(code);
    if (patch) patches.set(patch.to, patch);
  }
  const upsert: Record<string, StockPatch> = {};
  let count = deleted.length;
  for (const { before, stock } of byPrice(changed, (item) => item.stock)) {
    // New listings are sent with their nulls, which a merge patch would drop.
    const patch = before ? diffPatch(before, stock, patches) : stock;
    if (patch === undefined) continue;
    upsert[stock.code] = patch as StockPatch;
    count += 1;
  }
  return count === 0 ? null : { seq: seq + 1, upsert, delete: deleted };
}

export type MarketDeps = { clock: Clock; days?: MarketSource['days'] };

/** The Market in memory. Records are immutable, so comparing references detects changes. */
export class MemoryMarket implements Market {
  private readonly listings = new Listings();
  private readonly days: MarketSource['days'];
  private readonly readSession: () => MarketSession;
  private session: MarketSession;
  private seq = 0;

  /** @param deps.clock the source's clock, not the wall clock @param deps.days how a session begins */
  constructor({ clock, days = 'consecutive' }: MarketDeps) {
    this.days = days;
    this.readSession = createMarketSession(clock);
    this.session = this.readSession();
  }

  apply(updates: readonly StockUpdate[]): ReturnType<Market['apply']> {
    return this.take(updates);
  }

  remove(codes: readonly string[]): void {
    this.delist(codes);
  }

  setValues(...[code, { indicators, htf }, patch]: Parameters<Market['setValues']>): void {
    const listing = this.listings.get(code);
    const before = listing?.stock;
    if (!listing || !before) return;
    if (indicators && patch) listing.patch = { to: indicators, from: before.indicators, patch };
    const after = { ...before };
    if (indicators) after.indicators = indicators;
    else delete after.indicators;
    if (htf) after.htf = htf;
    else delete after.htf;
    this.listings.put(listing, after);
  }

  setNews(code: string, { news, sensitiveAnnouncements }: Parameters<Market['setNews']>[1]): void {
    const listing = this.listings.get(code);
    if (!listing?.stock) return;
    const { news: _before, ...rest } = listing.stock;
    this.listings.put(listing, { ...rest, ...(news && { news }), sensitiveAnnouncements });
  }

  setSurplusFlip(code: string, flip: SurplusFlip | null): void {
    const listing = this.listings.get(code);
    if (!listing?.stock || (listing.stock.surplusFlip ?? null) === flip) return;
    const { surplusFlip: _before, ...rest } = listing.stock;
    this.listings.put(listing, flip === null ? rest : { ...rest, surplusFlip: flip });
  }

  jump(...[state, play]: Parameters<Market['jump']>): void {
    this.session = this.readSession();
    restoreState(this.listings, state, this.session);
    // `apply` and `remove` would notify observers, but the jump is one event.
    play({ apply: (updates) => this.take(updates), remove: (codes) => this.delist(codes) });
  }

  facts(code: string): QuoteFacts | null {
    const listing = this.listings.get(code);
    return listing?.stock ? factsOf(listing) : null;
  }

  get(code: string): Stock | undefined {
    return this.listings.get(code)?.stock ?? undefined;
  }

  all(): ReadonlyMap<string, Stock> {
    return this.listings.stocks();
  }

  *flushed(): Generator<Stock, void> {
    if (this.seq === 0) return yield* this.listings.stocks().values();
    for (const { flushed } of this.listings.all()) if (flushed) yield flushed;
  }

  flush(): ChangeSet | null {
    this.advance();
    const changes = changeSetOf(this.listings.touched(), this.seq);
    this.listings.settle();
    if (changes) this.seq = changes.seq;
    return changes;
  }

  quoteTime(code: string): number | null {
    return this.listings.get(code)?.quoteTime ?? null;
  }

  statedQuoteTime(code: string): number | null {
    return this.listings.get(code)?.statedTime ?? null;
  }

  date(): string {
    return this.advance().date;
  }

  restorePreOpen(date: string, snapshots: ReadonlyMap<string, PreOpenSnapshot>): void {
    const { date: today, now } = this.advance();
    if (date === today) restoreSnapshots(this.listings, snapshots, now);
  }

  restoreStocks(date: string, stocks: Iterable<KeptStock>): string[] {
    const session = this.advance();
    const restored: string[] = [];
    if (date !== session.date) return restored;
    for (const stock of stocks) {
      if (this.get(stock.code) || (stock.facts.quoteTime ?? 0) > session.now) continue;
      restoreStock(this.listings, stock, session);
      restored.push(stock.code);
    }
    return restored;
  }

  private take(updates: readonly StockUpdate[]): ReturnType<Market['apply']> {
    return applyUpdates(this.listings, updates, this.advance(), this.days);
  }

  private delist(codes: readonly string[]): void {
    for (const code of codes) {
      const listing = this.listings.get(code);
      if (listing?.stock) this.listings.delist(listing);
    }
  }

  private advance(): MarketSession {
    const before = this.session;
    const session = this.readSession();
    this.session = session;
    if (session.date !== before.date) startSession(this.listings, session, this.days);
    if (session.phase !== before.phase) startPhase(this.listings, session);
    return session;
  }
}

export const createMarket = (deps: MarketDeps): Market => new MemoryMarket(deps);

function applyUpdates(
  listings: Listings,
  updates: readonly StockUpdate[],
  session: MarketSession,
  days: MarketSource['days'],
): { applied: number; refused: RefusedUpdate[] } {
  const refused: RefusedUpdate[] = [];
  for (const update of updates) {
    const { code, status, quoteTime } = update;
    const known = listings.get(code)?.stock ?? null;
    const stated = ofSession(update, known, session, days);
    const refusal = refusalOf(stated, known);
    if (refusal) {
      refused.push({ code: String(code), ...refusal });
      continue;
    }
    const listing = listings.ensure(code);
    if (status) listing.hasOwnStatus = true;
    const next = nextStock(listing, applyQuote(listing, stated, session.now), session);
    if (next) listings.put(listing, next);
    listing.session = session.date;
    listing.quoteTime = quoteTime ?? session.now;
  }
  return { applied: updates.length - refused.length, refused };
}

function restoreSnapshots(
  listings: Listings,
  snapshots: ReadonlyMap<string, PreOpenSnapshot>,
  now: number,
): void {
  for (const [code, snapshot] of snapshots) {
    if (Date.parse(snapshot.capturedAt) > now) continue;
    const listing = listings.ensure(code);
    const { stock } = listing;
    if (!stock) listing.restored = snapshot;
    else if (!stock.preOpen) listings.put(listing, { ...stock, preOpen: { snapshot } });
  }
}
