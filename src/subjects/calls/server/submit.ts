import { checkCall, type SentCall } from '../rules/callRules.ts';
import { formatCallPrice } from '../rules/callFormat.ts';
import { startTracking, type TrackedCall } from '../rules/tracker.ts';
import type { OwnCall } from '../rules/types.ts';
import { submissionPrice } from '../rules/verifiedResult.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import type { Stopwatch } from '#lib/clock.ts';
import type { CallParts, Submitter } from './parts.ts';
import { startWatch } from '../rules/watch.ts';
import { fromState, toOwnCall } from './rows.ts';
import { quoteNow } from './tracker/followedCalls.ts';
import { fromSydney, sydneyDate } from '#lib/sydneyTime.ts';
import type { CallStore } from './store.ts';

/** Limit per Sydney date. */
const MAX_CALLS_PER_DAY = 20;
const MAX_LIVE_PER_SYMBOL = 3;

/** @param now epoch ms @throws AppError 429 over a limit */
function refuseTooMany(store: CallStore, user: Submitter, symbol: string, now: number): void {
  if (store.countSince(user.id, fromSydney(sydneyDate(now), 0, 0)) >= MAX_CALLS_PER_DAY) {
    throw new AppError(429, `You have submitted ${MAX_CALLS_PER_DAY} calls today. Submit more tomorrow.`);
  }
  if (store.countLive(user.id, symbol) >= MAX_LIVE_PER_SYMBOL) {
    const message = `You have ${MAX_LIVE_PER_SYMBOL} pending or open calls on ${symbol}. Close or cancel one first.`;
    throw new AppError(429, { field: 'symbol', message });
  }
}

/** Refuses a typing mistake, because the loss of a short call has no limit. @throws AppError 400 */
function refuseLowEntry({ isShort, entryPrice, priceAtSubmission: last }: TrackedCall): void {
  if (!isShort || last === null || entryPrice >= last / 2) return;
  const message = `Entry price must be at least half the last price, ${formatCallPrice(last)}`;
  throw new AppError(400, { field: 'entryPrice', message });
}

/**
 * Stores a call with the server's time, source and last price, and follows it.
 * @throws AppError 400 with the first fault in the specification's order, 429 over a limit
 */
export function submitCall(parts: CallParts, user: Submitter, sent: SentCall): OwnCall {
  const { store, app, tracker, ledger } = parts;
  if (sent.isShort && !app.config.shortCalls) {
    throw new AppError(400, { field: 'isShort', message: 'Short calls are not allowed on this server.' });
  }
  const call = accepted(checkCall(sent, app.market.all()));
  const now = app.clock.now();
  refuseTooMany(store, user, call.symbol, now);
  const stock = app.market.get(call.symbol);
  const tracked = {
    ...call,
    submittedAt: now,
    priceAtSubmission: stock ? submissionPrice(call, stock) : null,
  };
  refuseLowEntry(tracked);
  const row = store.inTransaction(() => {
    const made = store.insert({
      ...tracked,
      ...fromState(startTracking(tracked)),
      publicId: app.randomToken(),
      userId: user.id,
      source: app.source.name,
      status: call.callType === 'bought' ? 'open' : 'pending',
      rationaleSalt: call.rationale ? app.randomToken() : null,
      watch: stock ? startWatch(quoteNow(app, stock)) : null,
    });
    ledger.posted(made, user);
    parts.following.note(made, ['posted']);
    return made;
  });
  tracker.add(row);
  parts.changed([user.id]);
  return toOwnCall({ ...row, username: user.username }, parts.contextOf([row]));
}

/** How long a request is remembered, ms. A client without an answer retries within minutes or never. */
const KEPT_MS = 10 * 60_000;
const MAX_KEPT = 10_000;

/** An idempotency key made by the page: long enough to be unique, short enough to store. */
const KEY = /^[\w-]{8,64}$/;

/**
 * Remembers which request created which call, so that a retry after a lost answer creates no second call. A restart
 * clears it.
 */
export class IdempotencyCache {
  /** Created calls by user and key, oldest first. */
  readonly #made = new Map<string, { at: number; publicId: string }>();

  constructor(private readonly clock: Stopwatch) {}

  /** The public id of the call that this request created; null for a first request or without a usable key. */
  find(userId: number, key: string | null): string | null {
    this.#forgetOld();
    return key === null ? null : (this.#made.get(`${userId} ${key}`)?.publicId ?? null);
  }

  keep(userId: number, key: string | null, publicId: string): void {
    if (key === null || !KEY.test(key)) return;
    this.#made.set(`${userId} ${key}`, { at: this.clock.monotonic(), publicId });
  }

  #forgetOld(): void {
    const now = this.clock.monotonic();
    for (const [name, { at }] of this.#made) {
      if (now - at < KEPT_MS && this.#made.size <= MAX_KEPT) return;
      this.#made.delete(name);
    }
  }
}
