import type { Counting } from '#subjects/calls/rules/correction.ts';
import { type Ending, trustedPrice, type Watch } from '#subjects/calls/rules/watch.ts';
import type { TrackState } from '#subjects/calls/rules/tracker.ts';
import { isActive } from '#market/rules/stockState.ts';
import type { LongList } from '#lib/inspection.ts';
import type { ChangeSet } from '#market/types.ts';
import type { CallParts } from '../parts.ts';
import type { CallRow, OwnedResult } from '../store.ts';
import { type FollowedCall, FollowedCalls, runningResults } from './followedCalls.ts';
import { observe, pauseAdjusted } from './observe.ts';
import { CallSaver } from './saver.ts';
import { quoteNow } from './watchStore.ts';

const isFollowable = ({ isPaused, exit, source }: FollowedCall, running: string): boolean =>
  !isPaused && exit === null && source === running;

/**
 * Follows every call that is live or awaits its exit. Fills, levels, the high that a trailing stop follows and settlements
 * are on disk before anybody can see them. The best and the worst price follow within ten seconds, or within a minute where
 * they are ends of the session's range: a restart in the same session finds those there.
 */
export class CallTracker {
  readonly #calls = new FollowedCalls();
  readonly #saver: CallSaver;

  constructor(private readonly parts: CallParts) {
    this.#saver = new CallSaver(parts, (followed) => {
      this.#calls.remove(followed);
      parts.keeper.settled(followed.id);
    });
  }

  /** Takes up the calls of an earlier run. */
  resume(): void {
    for (const row of this.parts.store.unsettled()) if (!this.#calls.get(row.id)) this.add(row);
  }

  add(row: CallRow): void {
    this.#calls.add(row);
  }

  /**
   * Looks at stocks that a source has just sent, so that no trade hides behind a later one of the same tick. What
   * visitors can see is on disk when it returns.
   */
  look(codes: Iterable<string>): void {
    if (this.#calls.counts().followed === 0) return;
    this.#compare(codes);
    this.#saver.saveUrgent();
  }

  /** The market was taken to another moment: nothing of what its stocks show now was traded since they were compared. */
  jump(): void {
    for (const followed of this.#calls.all()) {
      if (followed.source !== this.parts.app.source.name) continue;
      followed.watch = null;
      followed.stock = null;
    }
    this.#compare(new Set(this.#calls.all().map(({ symbol }) => symbol)));
  }

  /** One tick: compares every changed stock that a call is on, and writes what visitors can see. */
  track(changes: ChangeSet | null): void {
    if (changes !== null && this.#calls.counts().followed > 0) this.#compare(Object.keys(changes.upsert));
    this.#saver.saveUrgent();
    this.#saver.saveDue();
  }

  /**
   * Brings one call up to this moment's prices, which the next tick would bring. What trades from now on is traded after
   * this moment.
   *
   * @returns how it stands, and the last price of its stock that is not in doubt; null when it is not followed
   */
  settle(id: number): {
    state: TrackState;
    watch: Watch | null;
    lastPrice: number | null;
  } | null {
    const followed = this.#calls.get(id);
    if (!followed) return null;
    this.#compare([followed.symbol]);
    this.#saver.saveUrgent();
    const before = followed.watch;
    // An adjustment that paused it stays before.
    if (before)
      followed.watch = {
        ...before,
        takenAt: Math.max(before.takenAt, this.parts.app.clock.now()),
      };
    const { state, watch } = followed;
    return { state, watch, lastPrice: watch && trustedPrice(watch) };
  }

  /** Its owner ended a call; until the first trade after that it is followed on, or forgotten at once. */
  end(id: number, end: Ending, isAwaitingExit: boolean): void {
    const followed = this.#calls.get(id);
    if (!followed) return;
    this.#saver.drop(followed);
    followed.saved = followed.state;
    if (isAwaitingExit) followed.end = end;
    else this.#calls.remove(followed);
  }

  /** An administrator decided on a call, or it waits for one: what of it counts from now on. */
  moderated(id: number, counting: Counting): void {
    const followed = this.#calls.get(id);
    if (followed) followed.counting = counting;
  }

  /** Takes a call as it is stored now: it was corrected. */
  replace(row: CallRow): void {
    const before = this.#calls.get(row.id);
    if (before) {
      this.#saver.drop(before);
      this.#calls.remove(before);
    }
    if (row.closedAt === null || row.isAwaitingExit) this.add(row);
  }

  /** How a followed call stands now, which may be newer than what is on disk; null when it is not followed. */
  stateOf(id: number): TrackState | null {
    return this.#calls.get(id)?.state ?? null;
  }

  /** Results of filled calls without an exit, at the last price. */
  running(): OwnedResult[] {
    return runningResults(this.#calls.all());
  }

  /** Writes whatever is not on disk yet. */
  flush(): void {
    this.#saver.saveAll();
  }

  /** How many calls are followed, on how many symbols, and how many wait to be written. */
  counts() {
    return { ...this.#calls.counts(), unsaved: this.#saver.size };
  }

  held(): LongList {
    return this.#calls.held();
  }

  /** Pauses calls at the split or consolidation of their stock, also before it trades. */
  #pauseAdjusted(code: string, calls: Iterable<FollowedCall>): void {
    const { clock, source, values } = this.parts.app;
    const adjustment = values.adjustments.latest(code);
    if (adjustment === null) return;
    for (const followed of calls) {
      if (!isFollowable(followed, source.name)) continue;
      if (pauseAdjusted(followed, adjustment, clock.now())) this.#saver.add(followed, 'atOnce');
    }
  }

  /** Compares the calls on these stocks with the market. */
  #compare(codes: Iterable<string>): void {
    const { app } = this.parts;
    const { market, source } = app;
    const feed = { days: source.days, delayMs: source.delayMinutes() * 60_000 };
    const date = market.date();
    for (const code of codes) {
      const same = this.#calls.on(code);
      const stock = same.size > 0 ? market.get(code) : undefined;
      if (stock) this.#pauseAdjusted(code, same);
      // Nothing trades before the open or in a halt, and prices may still be those of another day.
      if (!stock || !isActive(stock)) continue;
      const seen = quoteNow(app, stock, date);
      for (const followed of same) {
        if (followed.stock === stock || !isFollowable(followed, source.name)) continue;
        followed.stock = stock;
        const urgency = observe(followed, seen, feed);
        if (urgency !== 'none') this.#saver.add(followed, urgency);
      }
    }
  }
}
