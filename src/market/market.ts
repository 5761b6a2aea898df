import type { PreOpenSnapshot, StockUpdate } from './rules/stock.ts';
import type { Clock } from '../lib/clock.ts';
import type { MarketSource, RefusedUpdate } from '../sources/quotes/source.ts';
import { changeSetOf } from './changeSet.ts';
import { createListings, type Listings } from './listings.ts';
import { createMarketSession, type MarketSession } from './marketSession.ts';
import { ofSession, startPhase, startSession } from './newSession.ts';
import { nextStock } from './nextStock.ts';
import { factsOf, restoreState } from './restoreState.ts';
import type { Market } from './types.ts';
import { takeQuote } from './quoteOrder.ts';
import { refusalOf } from './validate.ts';

export type MarketDeps = { clock: Clock; days?: MarketSource['days'] };

/**
 * The Market in memory. Records are immutable: a change replaces the record, so whoever holds the old one keeps
 * a consistent picture and "did it change" is a comparison of references.
 * @param deps.clock the market's clock (the source's), not the wall clock
 * @param deps.days what the source declares of its days: how a new session begins
 */
export function createMarket({ clock, days = 'consecutive' }: MarketDeps): Market {
  const listings = createListings();
  const readSession = createMarketSession(clock);
  let session = readSession();
  /** The number of the last change set. */
  let seq = 0;

  /** Brings the Market to the clock's session and phase. */
  function advance(): MarketSession {
    const before = session;
    session = readSession();
    if (session.date !== before.date) startSession(listings, session, days);
    if (session.phase !== before.phase) startPhase(listings, session);
    return session;
  }

  const apply: Market['apply'] = (updates) => applyUpdates(listings, updates, advance(), days);

  function remove(codes: readonly string[]): void {
    for (const code of codes) {
      const listing = listings.get(code);
      if (listing?.stock) listings.delist(listing);
    }
  }

  return {
    apply,
    setValues(code, { indicators, htf }, patch) {
      const listing = listings.get(code);
      const before = listing?.stock;
      if (!listing || !before) return;
      if (indicators && patch) listing.patch = { to: indicators, from: before.indicators, patch };
      const after = { ...before };
      if (indicators) after.indicators = indicators;
      else delete after.indicators;
      if (htf) after.htf = htf;
      else delete after.htf;
      listings.put(listing, after);
    },
    setNews(code, { news, sensitiveAnnouncements }) {
      const listing = listings.get(code);
      if (!listing?.stock) return;
      const { news: _before, ...rest } = listing.stock;
      listings.put(listing, { ...rest, ...(news && { news }), sensitiveAnnouncements });
    },
    setSurplusFlip(code, flip) {
      const listing = listings.get(code);
      if (!listing?.stock || (listing.stock.surplusFlip ?? null) === flip) return;
      const { surplusFlip: _before, ...rest } = listing.stock;
      listings.put(listing, flip === null ? rest : { ...rest, surplusFlip: flip });
    },
    remove,
    jump(state, play) {
      session = readSession();
      restoreState(listings, state, session);
      play({ apply, remove });
    },
    facts(code) {
      const listing = listings.get(code);
      return listing?.stock ? factsOf(listing) : null;
    },
    get: (code) => listings.get(code)?.stock ?? undefined,
    all: listings.stocks,
    *flushed() {
      if (seq === 0) return yield* listings.stocks().values();
      for (const { flushed } of listings.all()) if (flushed) yield flushed;
    },
    flush() {
      advance();
      const changes = changeSetOf(listings.touched(), seq);
      listings.settle();
      if (changes) seq = changes.seq;
      return changes;
    },
    quoteTime: (code) => listings.get(code)?.quoteTime ?? null,
    statedQuoteTime: (code) => listings.get(code)?.statedTime ?? null,
    date: () => advance().date,
    restorePreOpen(date, snapshots) {
      const { date: today, now } = advance();
      if (date === today) restoreSnapshots(listings, snapshots, now);
    },
  };
}

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
    const next = nextStock(listing, takeQuote(listing, stated, session.now), session);
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
