import { lookAtDay, noteDay } from '../../../domain/alerts/dayMemory.ts';
import { type Truth, TRUE, UNKNOWN } from '../../../domain/alerts/program.ts';
import { isReady, type Readiness, readinessOf } from '../../../domain/alerts/readiness.ts';
import { type OperandText, seenOf } from '../../../domain/alerts/seen.ts';
import type { SeenCondition } from '../../../domain/alerts/trigger.ts';
import { isActive } from '../../../domain/market/halted.ts';
import type { Stock } from '../../../domain/market/stock.ts';
import {
  IN,
  type Membership,
  membershipAfter,
  membershipNextDay,
  NEW,
  OUT,
} from '../../../domain/scanAlerts/membership.ts';
import type { ScanEvent } from '../../../domain/scanAlerts/scanAlert.ts';
import { scannerSeen } from '../../../domain/scanAlerts/scannerSeen.ts';
import type { Log } from '../../../lib/log.ts';
import type { ChangeSet } from '../../../market/types.ts';
import type { Known } from './stocks.ts';
import type { Move, ScanEngineCore, ScanEngineNeeds, Watch } from './types.ts';
import type { Watches } from './watches.ts';

/** Scans that are evaluated in one tick besides those whose values came to stand elsewhere: one for each stock. */
const WHOLE_LOOKS = 20_000;

export type LookDeps = Pick<ScanEngineNeeds, 'market'> &
  Pick<ScanEngineCore, 'source'> & {
    watches: Watches;
    textOf: OperandText;
    log: Log;
    /** A stock stands elsewhere than before, with or without a move that is told. */
    changed(watch: Watch): void;
    /** Whether any alert would tell of it, by its limits. */
    isWanted(watch: Watch, event: ScanEvent, code: string): boolean;
    moved(move: Move): void;
  };

/**
 * A scanner loses all its stocks as its phase of the day ends; that is no leaving. So one is left only while the stock
 * could be in it.
 */
function isLeaving({ scanner }: Watch, { status }: Stock): boolean {
  if (scanner === null) return true;
  return scanner === 'preMarket' ? status === 'Pre Open' : isActive({ status });
}

/** Looks at stocks for the scans that are watched. One moment holds for a whole tick. */
export function createLook(deps: LookDeps) {
  const { market, source, watches, log } = deps;
  const { program, columns, index, members, stocks } = watches;
  let marked: number[] = [];
  let isMarked = new Uint8Array(64);
  /** Stocks that every scan must look at, whether or not they change. */
  const waiting = new Set<string>();
  let date = '';
  let now = 0;
  let budget = 0;
  let hasFailed = false;

  function mark(slot: number): void {
    if (isMarked[slot] === 1) return;
    isMarked[slot] = 1;
    marked.push(slot);
  }

  function seen(watch: Watch, stock: Stock): readonly SeenCondition[] {
    return watch.scanner === null
      ? seenOf(program, watch.span, deps.textOf, true)
      : scannerSeen(watch.scanner, stock);
  }

  function move(watch: Watch, event: ScanEvent, stock: Stock): void {
    if (!deps.isWanted(watch, event, stock.code)) return;
    deps.moved({ watch, event, stock, seen: seen(watch, stock) });
  }

  function truthOf(watch: Watch, { number }: Known, before: Membership, readiness: Readiness): Truth {
    const { span } = watch;
    // A scan that does not know the stock yet takes what is known of it, though nothing follows from that.
    const isAsked = before === NEW ? readiness !== 'halted' || span.readsHalt : isReady(readiness, span);
    if (!isAsked) return UNKNOWN;
    for (const { row, comparison } of watch.crossings) {
      const { left, right } = index.before(number, comparison);
      program.setBefore(row, left, right);
    }
    return program.truthOf(span.first, span.count);
  }

  function evaluate(watch: Watch, known: Known, stock: Stock, readiness: Readiness): void {
    const { slot, traits } = watch;
    const before = members.get(slot, known.number);
    const truth = truthOf(watch, known, before, readiness);
    const after = membershipAfter(before, truth, readiness, traits);
    if (after === before) return;
    if (before === OUT && after === IN && truth === TRUE) move(watch, 'enters', stock);
    if (before === IN && !traits.isMomentary && isLeaving(watch, stock)) move(watch, 'leaves', stock);
    members.set(slot, known.number, after);
    deps.changed(watch);
  }

  function forget({ number, days }: Known): void {
    members.forget(number);
    index.forget(number);
    days.prior = null;
  }

  function evaluateMarked(known: Known, stock: Stock, readiness: Readiness): void {
    const isPlain = readiness === 'traded';
    for (const slot of marked) {
      isMarked[slot] = 0;
      const watch = watches.at(slot);
      if (!watch) continue;
      // Nearly all end here: the scan stays as it is for the stock.
      if (isPlain && watch.crossings.length === 0) {
        const { first, count } = watch.span;
        const truth = program.truthOf(first, count);
        const before = members.get(slot, known.number);
        if (before === (truth === TRUE ? IN : OUT) || (truth === UNKNOWN && before !== NEW)) continue;
      }
      evaluate(watch, known, stock, readiness);
    }
    marked.length = 0;
  }

  /** @returns false where it was put off, as too much was looked at in this tick */
  function lookAt(known: Known, stock: Stock): boolean {
    const day = lookAtDay(known.days, stock, date, source.days);
    if (day === 'split') forget(known);
    const readiness = readinessOf(stock, day === 'earlierDay');
    const isWhole = known.readiness !== readiness;
    if (isWhole && budget <= 0) return false;
    known.readiness = readiness;
    if (readiness === 'traded') noteDay(known.days, stock, date);
    columns.read(watches.read(), stock, now, readiness);
    const { values } = columns;
    index.look(known.number, values, mark);
    if (isWhole) {
      budget -= watches.count();
      for (const { slot } of watches.all()) mark(slot);
    }
    for (const watch of watches.momentary())
      if (members.get(watch.slot, known.number) === IN) mark(watch.slot);
    evaluateMarked(known, stock, readiness);
    if (watches.momentary().length > 0) index.note(known.number, values);
    return true;
  }

  /** A fault of one stock keeps none of the others from being looked at. */
  function lookSafely(code: string): void {
    const stock = market.get(code);
    if (!stock) return void waiting.delete(code);
    try {
      if (lookAt(stocks.of(code), stock)) waiting.delete(code);
      else waiting.add(code);
    } catch (error) {
      marked = [];
      isMarked.fill(0);
      waiting.delete(code);
      if (!hasFailed)
        log.error('A scan could not be looked at for a stock; the others go on', { code, error });
      hasFailed = true;
    }
  }

  /** A session begins: nobody is in a scan of the day's figures yet. */
  function beginSession(): void {
    const isMadeAnew = source.days === 'independent';
    for (const watch of watches.all()) {
      const { slot, traits } = watch;
      for (const { number } of stocks.all()) {
        const after = membershipNextDay(members.get(slot, number), traits);
        // Prices of a day that was made up anew are no continuation of those of another.
        members.set(slot, number, isMadeAnew && !traits.readsDay ? NEW : after);
      }
      deps.changed(watch);
    }
    if (isMadeAnew) for (const { number } of stocks.all()) index.forget(number);
  }

  function lookAgain(): void {
    for (const known of stocks.all()) known.readiness = null;
    for (const code of market.all().keys()) waiting.add(code);
  }

  return {
    /** Begins a tick. @returns whether the session is another than at the last tick, or this is the first */
    begin(): boolean {
      now = source.clock.now();
      budget = WHOLE_LOOKS;
      if (isMarked.length < watches.slots()) isMarked = new Uint8Array(watches.slots() * 2);
      const today = market.date();
      if (today === date) return false;
      const isNext = date !== '';
      date = today;
      if (isNext) beginSession();
      return true;
    },

    changes(changes: ChangeSet | null): void {
      const upsert = changes?.upsert ?? {};
      for (const code in upsert) lookSafely(code);
      for (const code of changes?.delete ?? []) {
        const known = stocks.get(code);
        if (!known) continue;
        forget(known);
        known.readiness = null;
      }
      // What the market holds may be old: these wait until the source is back.
      if (waiting.size === 0 || !source.health().healthy) return;
      for (const code of [...waiting]) {
        if (budget <= 0) return;
        lookSafely(code);
      }
    },

    /** Has every scan look at every stock, as soon as there is time. */
    lookAgain,

    /** The market was taken to another moment: what holds there has not begun to. */
    forgetAll(): void {
      for (const known of stocks.all()) {
        forget(known);
        known.days.quote = null;
      }
      date = '';
      lookAgain();
    },

    /** The session of the last tick, YYYY-MM-DD; '' before the first. */
    session: (): string => date,
  };
}

export type Look = ReturnType<typeof createLook>;
