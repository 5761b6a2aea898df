import { lookAtDay, noteDay } from '../../../rules/dayMemory.ts';
import { readinessOf } from '../../../rules/readiness.ts';
import type { Stock } from '../../../../../market/rules/stock.ts';
import { IN, membershipNextDay, NEW } from '../../../rules/scanAlerts/membership.ts';
import type { Log } from '../../../../../lib/log.ts';
import type { ChangeSet } from '../../../../../market/types.ts';
import { createJudge, type JudgeDeps } from './judge.ts';
import type { Known } from './stocks.ts';
import type { ScanEngineCore, ScanEngineNeeds } from './types.ts';

/** Scans that are evaluated in one tick besides those whose values came to stand elsewhere: one for each stock. */
const WHOLE_LOOKS = 20_000;

export type LookDeps = Pick<ScanEngineNeeds, 'market'> &
  Pick<ScanEngineCore, 'source'> &
  JudgeDeps & { log: Log };

/** Looks at stocks for the scans that are watched. One moment holds for a whole tick. */
export function createLook(deps: LookDeps) {
  const { market, source, watches, log } = deps;
  const { columns, index, members, stocks } = watches;
  const { mark, unmark, judge, grow } = createJudge(deps);
  /** Stocks that every scan must look at, whether or not they change. */
  const waiting = new Set<string>();
  let date = '';
  let now = 0;
  let budget = 0;
  let hasFailed = false;

  function forget({ number, days }: Known): void {
    members.forget(number);
    index.forget(number);
    days.prior = null;
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
    judge(known, stock, readiness);
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
      unmark();
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
      grow(watches.slots());
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
