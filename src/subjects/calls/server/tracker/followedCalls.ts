import type { Quote } from '#subjects/calls/rules/pricePath.ts';
import type { PriceUpdate, TrackedCall, TrackState } from '#subjects/calls/rules/tracker.ts';
import {
  type LastTrade,
  type SuspectPrint,
  type TimedQuote,
  type Watch,
  type Ending,
  type ExitTrade,
  trustedPrice,
} from '#subjects/calls/rules/watch.ts';
import type { Stock } from '#market/rules/stock.ts';
import { isRecord } from '#lib/json.ts';
import { readNumber } from '#lib/read.ts';
import type { App } from '#platform/app.ts';
import type { CallRow, OwnedResult } from '../store.ts';
import { type Counting, countingOf, countsResult } from '#subjects/calls/rules/correction.ts';
import { verifiedExit, verifiedResult } from '#subjects/calls/rules/verifiedResult.ts';
import type { StopStep } from '#subjects/calls/rules/trailingStop.ts';
import { LongList } from '#lib/inspection.ts';
import { toEnding, toState, toTracked } from '../rows.ts';

/** Quote time of a stock, epoch ms of the wall clock: the provider's, otherwise now minus the delay. */
function timeOfQuote({ clock, market, source }: App, code: string): number {
  const stated = market.statedQuoteTime(code);
  if (stated === null) return clock.now() - source.delayMinutes() * 60_000;
  const age = Math.max(0, source.clock.now() - stated);
  // A stopped clock does not say how fast it ran at the time of the quote.
  return clock.now() - age / (source.clock.speed || 1);
}

/** The current quote of a stock, to compare with later ones. @param date the market's, if the caller knows it */
export const quoteNow = (app: App, stock: Stock, date = app.market.date()): TimedQuote => ({
  quote: {
    date,
    open: stock.open,
    high: stock.high,
    low: stock.low,
    last: stock.last,
    volume: stock.volume,
    close: stock.close,
  },
  time: timeOfQuote(app, stock.code),
  takenAt: app.clock.now(),
  statedAt: app.market.statedQuoteTime(stock.code),
});

function readQuote(stored: unknown): Quote | null {
  if (!isRecord(stored) || typeof stored['date'] !== 'string') return null;
  return {
    date: stored['date'],
    open: readNumber(stored['open']),
    high: readNumber(stored['high']),
    low: readNumber(stored['low']),
    last: readNumber(stored['last']),
    volume: readNumber(stored['volume']),
    close: readNumber(stored['close']),
  };
}

function readTrade(stored: unknown): LastTrade | null {
  if (!isRecord(stored) || typeof stored['date'] !== 'string') return null;
  const price = readNumber(stored['price']);
  return price === null ? null : { price, date: stored['date'] };
}

function readPrint(stored: unknown): PriceUpdate[] {
  if (!isRecord(stored)) return [];
  const time = readNumber(stored['time']);
  if (time === null) return [];
  const print: PriceUpdate = { time };
  for (const member of ['since', 'open', 'high', 'low', 'last'] as const) {
    const value = readNumber(stored[member]);
    if (value !== null) print[member] = value;
  }
  return [print];
}

function readSuspectPrint(stored: unknown): SuspectPrint | null {
  if (!isRecord(stored) || !Array.isArray(stored['prints'])) return null;
  const before = readNumber(stored['before']);
  return before === null ? null : { before, prints: stored['prints'].flatMap(readPrint) };
}

function storedWatch(stored: CallRow['watch']): Watch | null {
  if (stored === null) return null;
  const quote = readQuote(stored['quote']);
  const time = readNumber(stored['time']);
  const takenAt = readNumber(stored['takenAt']);
  if (quote === null || time === null || takenAt === null) return null;
  return {
    quote,
    time,
    takenAt,
    trade: readTrade(stored['trade']),
    doubt: readSuspectPrint(stored['doubt']),
  };
}

/** A call in memory that is live or waits for its exit trade. */
export type FollowedCall = {
  readonly id: number;
  readonly publicId: string;
  readonly userId: number;
  readonly symbol: string;
  readonly source: string;
  readonly call: TrackedCall;
  state: TrackState;
  /** The state on disk, which the ledger compares with. */
  saved: TrackState;
  /** Null while the call is live. */
  end: Ending | null;
  /** The first trade after the end; null until then. */
  exit: ExitTrade | null;
  /** Steps of the trailing stop that are not on disk yet. */
  newStops: readonly StopStep[];
  /** The last quote of the stock; null before the first one. */
  watch: Watch | null;
  /** The stock as compared last. */
  stock: Stock | null;
  /** True if prices are no longer followed although the call is not closed. */
  isPaused: boolean;
  counting: Counting;
};

const toFollowed = (row: CallRow): FollowedCall => ({
  id: row.id,
  publicId: row.publicId,
  userId: row.userId,
  symbol: row.symbol,
  source: row.source,
  call: toTracked(row),
  state: toState(row),
  saved: toState(row),
  end: toEnding(row),
  exit: null,
  newStops: [],
  watch: storedWatch(row.watch),
  stock: null,
  isPaused: row.trackingPaused !== null,
  counting: countingOf(row),
});

const shownCall = ({ stock: _stock, ...followed }: FollowedCall): unknown => followed;

const NONE: ReadonlySet<FollowedCall> = new Set();

export class FollowedCalls {
  readonly #byId = new Map<number, FollowedCall>();
  readonly #bySymbol = new Map<string, Set<FollowedCall>>();

  get(id: number): FollowedCall | undefined {
    return this.#byId.get(id);
  }

  on(symbol: string): ReadonlySet<FollowedCall> {
    return this.#bySymbol.get(symbol) ?? NONE;
  }

  all(): IteratorObject<FollowedCall> {
    return this.#byId.values();
  }

  add(row: CallRow): void {
    const followed = toFollowed(row);
    this.#byId.set(row.id, followed);
    const same = this.#bySymbol.get(row.symbol) ?? new Set();
    this.#bySymbol.set(row.symbol, same.add(followed));
  }

  remove(followed: FollowedCall): void {
    this.#byId.delete(followed.id);
    const same = this.#bySymbol.get(followed.symbol);
    same?.delete(followed);
    if (same?.size === 0) this.#bySymbol.delete(followed.symbol);
  }

  held(): LongList {
    return new LongList(this.#byId.size, () => this.all().map(shownCall));
  }

  counts(): { followed: number; symbols: number } {
    return { followed: this.#byId.size, symbols: this.#bySymbol.size };
  }
}

function percentOf({ call, state, end, watch }: FollowedCall): number | null {
  const last = watch && trustedPrice(watch);
  const price = verifiedExit(call, end?.price ?? null, last);
  return verifiedResult(call, state, { time: 0, price })?.percent ?? null;
}

/** `postedAt`: epoch ms of the wall clock. */
export type RunningResult = OwnedResult & { postedAt: number };

/**
 * Results that count, of filled calls without an exit: at the last price or at the reached stop. Paused calls have
 * none.
 */
export function runningResults(calls: Iterable<FollowedCall>): RunningResult[] {
  const results: RunningResult[] = [];
  for (const followed of calls) {
    // A reached stop stays valid whatever happens to the stock.
    if (followed.isPaused && followed.state.stopAt === null) continue;
    const percent = percentOf(followed);
    if (percent === null || !countsResult(followed.counting, percent)) continue;
    const { userId, source, symbol, call, state, end } = followed;
    const from = state.entryTradeAt ?? state.filledAt ?? call.submittedAt;
    const until = state.stopAt ?? end?.time ?? null;
    const { isShort, submittedAt: postedAt } = call;
    results.push({ userId, source, symbol, isShort, percent, from, until, postedAt });
  }
  return results;
}
