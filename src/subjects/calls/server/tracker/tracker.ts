import type { Counting } from '#subjects/calls/rules/correction.ts';
import { type Ending, trustedPrice, type Watch } from '#subjects/calls/rules/watch.ts';
import type { TrackState } from '#subjects/calls/rules/tracker.ts';
import { isActive } from '#market/rules/stockState.ts';
import type { LongList } from '#lib/inspection.ts';
import type { ChangeSet } from '#market/types.ts';
import type { CallParts } from '../parts.ts';
import type { CallRow } from '../store.ts';
import {
  type FollowedCall,
  FollowedCalls,
  type RunningResult,
  runningResults,
  quoteNow,
} from './followedCalls.ts';
import { observe, pauseAdjusted } from './observe.ts';
import { CallSaver } from './saver.ts';

const isFollowable = ({ isPaused, exit, source }: FollowedCall, running: string): boolean =>
  !isPaused && exit === null && source === running;

/**
 * Follows every call that is live or waits for its exit. Fills, levels, highs of trailing stops and settlements are on
 * disk before visitors see them. Best and worst price are written within 10 s, or later if the session's range would
 * restore them after a restart.
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

  resume(): void {
    for (const row of this.parts.store.unsettled()) if (!this.#calls.get(row.id)) this.add(row);
  }

  add(row: CallRow): void {
    this.#calls.add(row);
  }

  /**
   * Checks stocks whose quotes just arrived, so that a later quote of the same tick hides no trade. Visible changes are
   * on disk when it returns.
   */
  update(codes: Iterable<string>): void {
    if (this.#calls.counts().followed === 0) return;
    this.#compare(codes);
    this.#saver.saveUrgent();
  }

  /** The replay jumped: prices after the jump are not trades since the last comparison. */
  jump(): void {
    for (const followed of this.#calls.all()) {
      if (followed.source !== this.parts.app.source.name) continue;
      followed.watch = null;
      followed.stock = null;
    }
    this.#compare(new Set(this.#calls.all().map(({ symbol }) => symbol)));
  }

  track(changes: ChangeSet | null): void {
    if (changes !== null && this.#calls.counts().followed > 0) this.#compare(Object.keys(changes.upsert));
    this.#saver.saveUrgent();
    this.#saver.saveDue();
  }

  /**
   * Updates one call to current prices; trades after this moment count as later.
   * @returns its state, and the last trusted price of its stock; null if it is not followed
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
    // An adjustment that paused the call may have set a later time, which stays.
    if (before)
      followed.watch = {
        ...before,
        takenAt: Math.max(before.takenAt, this.parts.app.clock.now()),
      };
    const { state, watch } = followed;
    return { state, watch, lastPrice: watch && trustedPrice(watch) };
  }

  /** Records the owner's end of a call. The call is followed until the next trade, or dropped now. */
  end(id: number, end: Ending, isAwaitingExit: boolean): void {
    const followed = this.#calls.get(id);
    if (!followed) return;
    this.#saver.drop(followed);
    followed.saved = followed.state;
    if (isAwaitingExit) followed.end = end;
    else this.#calls.remove(followed);
  }

  /** Updates which results of a call count, after moderation. */
  moderated(id: number, counting: Counting): void {
    const followed = this.#calls.get(id);
    if (followed) followed.counting = counting;
  }

  replace(row: CallRow): void {
    const before = this.#calls.get(row.id);
    if (before) {
      this.#saver.drop(before);
      this.#calls.remove(before);
    }
    if (row.closedAt === null || row.isAwaitingExit) this.add(row);
  }

  /** The current state of a followed call, which may be newer than on disk; null if the call is not followed. */
  stateOf(id: number): TrackState | null {
    return this.#calls.get(id)?.state ?? null;
  }

  /** Results of filled calls without an exit at the last price. */
  running(): RunningResult[] {
    return runningResults(this.#calls.all());
  }

  flush(): void {
    this.#saver.saveAll();
  }

  counts() {
    return { ...this.#calls.counts(), unsaved: this.#saver.size };
  }

  held(): LongList {
    return this.#calls.held();
  }

  /** Pauses calls at a split or consolidation, even before the stock trades. */
  #pauseAdjusted(code: string, calls: Iterable<FollowedCall>): void {
    const { clock, source, values } = this.parts.app;
    const adjustment = values.adjustments.latest(code);
    if (adjustment === null) return;
    for (const followed of calls) {
      if (!isFollowable(followed, source.name)) continue;
      if (pauseAdjusted(followed, adjustment, clock.now())) this.#saver.add(followed, 'atOnce');
    }
  }

  #compare(codes: Iterable<string>): void {
    const { app } = this.parts;
    const { market, source } = app;
    const feed = { days: source.days, delayMs: source.delayMinutes() * 60_000 };
    const date = market.date();
    for (const code of codes) {
      const same = this.#calls.on(code);
      const stock = same.size > 0 ? market.get(code) : undefined;
      if (stock) this.#pauseAdjusted(code, same);
      // Nothing trades before the open or in a halt, so the prices may be from another day.
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
