import { COOLDOWN_MS } from '../../rules/cooldown.ts';
import { lookAtDay, noteDay } from '../../rules/dayMemory.ts';
import {
  type Firing,
  firesNow,
  HOLDING,
  type Latch,
  latchHolding,
  NEW,
  RELEASED,
} from '../../rules/latch.ts';
import { TRUE, type Truth, UNKNOWN } from '../../rules/truth.ts';
import { isReady, readinessOf } from '../../rules/readiness.ts';
import { createRunawayGuard, RUNAWAY_REASON } from '../../rules/runaway.ts';
import { type OperandText, seenOf } from '../../rules/seen.ts';
import { splitReason } from '../../rules/stoppedMessage.ts';
import type { Stock } from '../../../../market/rules/stock.ts';
import type { SystemClock } from '../../../../lib/clock.ts';
import type { Log } from '../../../../lib/log.ts';
import type { Arming } from './arming.ts';
import type { Book, Entries, Entry } from './entries.ts';
import type { Saver } from './saver.ts';
import type { AlertOutcome } from './triggers.ts';
import type { AlertEngineCore, AlertEngineNeeds } from './types.ts';

export type EvaluateDeps = Pick<AlertEngineNeeds, 'market'> &
  Pick<AlertEngineCore, 'source'> & {
    clock: SystemClock;
    entries: Entries;
    saver: Pick<Saver, 'add'>;
    arming: Pick<Arming, 'holdsBack'>;
    textOf: OperandText;
    log: Log;
    /** An alert fired, or must be stopped. */
    happened(outcome: AlertOutcome): void;
  };

/** Evaluates the alerts on stocks that changed. One moment holds for a whole tick. */
export function createEvaluate(deps: EvaluateDeps) {
  const { market, source, clock, entries, saver } = deps;
  const { program, columns } = entries;
  const runaway = createRunawayGuard();
  /** Symbols of which it was logged already that something on them fails. */
  const failing = new Set<string>();
  /** The moment of the running tick: the market's clock, the wall clock, the stopwatch, the session shown. */
  const moment = { market: 0, wall: 0, monotonic: 0, date: '' };
  /** Used again for every alert whose conditions hold. */
  const firing: Firing = { isPersistent: false, isSnoozed: false, isCooling: false };

  function fire(entry: Entry, stock: Stock): void {
    const { wall, monotonic } = moment;
    const isRunaway = runaway.count(entry.id, monotonic);
    const silent = firing.isSnoozed;
    entry.coolUntil = monotonic + COOLDOWN_MS;
    const trigger = {
      id: 0,
      alertId: entry.id,
      userId: entry.userId,
      symbol: entry.book.symbol,
      triggeredAt: wall,
      marketAt: moment.market,
      seen: seenOf(program, entry, deps.textOf, true),
      quoteAt: market.statedQuoteTime(entry.book.symbol),
      source: source.name,
      delayMinutes: source.delayMinutes(),
      deactivated: isRunaway || (!entry.persistent && !silent),
      silent,
    };
    deps.happened({ entry, trigger, reason: isRunaway ? RUNAWAY_REASON : null, stock });
  }

  /** Of an alert whose conditions hold. @returns the latch after it */
  function hold(entry: Entry, stock: Stock): Latch {
    firing.isPersistent = entry.persistent;
    firing.isSnoozed = entry.snoozedUntil !== null && entry.snoozedUntil > moment.wall;
    firing.isCooling = moment.monotonic < entry.coolUntil;
    const { latch } = entry;
    if (firesNow(latch, firing)) fire(entry, stock);
    return latchHolding(latch, firing);
  }

  /** A crossing is not true already: it happens now. */
  const standingTruth = ({ first, count, hasCrossings }: Entry, truth: Truth): Truth =>
    hasCrossings ? program.standingTruthOf(first, count) : truth;

  function evaluate(entry: Entry, stock: Stock): void {
    const { first, count, hasCrossings } = entry;
    const truth = program.truthOf(first, count);
    if (truth === UNKNOWN) return;
    if (moment.monotonic < entry.armAt && deps.arming.holdsBack(entry, standingTruth(entry, truth))) return;
    const { latch } = entry;
    // Before the previous values are replaced: a trigger tells of them.
    const next = truth === TRUE ? (entry.isPriming ? HOLDING : hold(entry, stock)) : RELEASED;
    entry.isPriming = false;
    const hasCrossed = hasCrossings && program.note(first, count);
    entry.latch = next;
    entry.evaluatedAt = moment.market;
    // An alert that was never evaluated and one whose conditions do not hold go on the same way.
    const isReleasedAtFirst = latch === NEW && next === RELEASED;
    if (hasCrossed || (next !== latch && !isReleasedAtFirst)) saver.add(entry);
  }

  function stopForSplit({ symbol, entries: all }: Book, stock: Stock): void {
    for (const entry of all) {
      if (!entry.isWaiting) deps.happened({ entry, trigger: null, reason: splitReason(symbol), stock });
    }
  }

  /** Prices of a day that was made up anew are no continuation of those of another. */
  function forgetOtherDay({ days, entries: all }: Book): void {
    if (source.days !== 'independent' || !days.quote || days.quote.date === moment.date) return;
    for (const { first, count } of all) program.forget(first, count);
  }

  /** A fault of one alert or one stock keeps none of the others from being evaluated. */
  function failed(symbol: string, error: unknown): void {
    if (failing.has(symbol)) return;
    failing.add(symbol);
    deps.log.error('An alert could not be evaluated; the others go on', { symbol, error });
  }

  function evaluateStock(book: Book): void {
    const stock = market.get(book.symbol);
    if (!stock) return endPriming(book);
    forgetOtherDay(book);
    const day = lookAtDay(book.days, stock, moment.date, source.days);
    if (day === 'split') return stopForSplit(book, stock);
    const readiness = readinessOf(stock, day === 'earlierDay');
    if (readiness === 'traded') noteDay(book.days, stock, moment.date);
    columns.read(book.columns, stock, moment.market, readiness);
    for (const entry of book.entries) {
      if (entry.isWaiting) continue;
      if (!isReady(readiness, entry)) {
        entry.isPriming = false;
        continue;
      }
      try {
        evaluate(entry, stock);
      } catch (error) {
        failed(book.symbol, error);
      }
    }
  }

  function evaluateBook(book: Book): void {
    try {
      evaluateStock(book);
    } catch (error) {
      failed(book.symbol, error);
    }
  }

  /** What can't be evaluated at the moment that the market was taken to may fire as soon as it can. */
  function endPriming({ entries: all }: Book): void {
    for (const entry of all) entry.isPriming = false;
  }

  /** Begins a tick. */
  function begin(): void {
    moment.market = source.clock.now();
    moment.wall = clock.now();
    moment.monotonic = clock.monotonic();
    moment.date = market.date();
  }

  /** Forgets what alerts on a stock remember, and takes what holds at this moment as given. */
  function primeBook(book: Book): void {
    book.days.quote = null;
    book.days.prior = null;
    for (const entry of book.entries) {
      program.forget(entry.first, entry.count);
      entry.latch = NEW;
      entry.evaluatedAt = null;
      entry.isPriming = true;
    }
    evaluateBook(book);
  }

  return {
    begin,
    evaluateBook,

    /** Evaluates all alerts at another moment of the market, without that any of them fires. */
    prime(): void {
      begin();
      for (const book of entries.books()) primeBook(book);
    },
  };
}
