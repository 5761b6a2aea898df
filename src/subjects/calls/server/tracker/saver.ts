import { WriteBehind } from '#lib/writeBehind.ts';
import type { ExitTrade } from '#subjects/calls/rules/watch.ts';
import { eventsBetween, type TrackState } from '#subjects/calls/rules/tracker.ts';
import { implausibleReason, verifiedExit, verifiedResult } from '#subjects/calls/rules/verifiedResult.ts';
import type { CallParts } from '../parts.ts';
import { fromState, toTracked } from '../rows.ts';
import type { CallChange, CallRow } from '../store.ts';
import type { FollowedCall } from './followedCalls.ts';
import type { Urgency } from './observe.ts';

/** Write delays of changes that are not urgent, to save SD cards; ms. */
const EVERY_MS = { soon: 10_000, later: 10 * 60_000 };
/** Maximum writes per tick, so that no tick takes long. */
const MAX_SAVED_AT_ONCE = 200;
/** Changes older than this join an urgent write, because a transaction costs more than its rows; ms. */
const ALONG_AFTER_MS = 30_000;
/** Maximum number of changes that join, so that urgent writes stay fast. */
const MAX_ALONG = 20;

const ADJUSTED_TEXT =
  'The previous close differs from the last price of the session before, so the stock was split or consolidated. Prices are no longer followed.';

/** Checks a pocketed value against the whole recorded price history, unless an administrator has already decided. */
function reviewOf(row: CallRow, state: TrackState, price: number | null): CallChange {
  if (row.pocketedValue === null || row.closedAt === null) return {};
  if (row.adminStatus !== 'normal' || row.reviewReason !== null) return {};
  const closing = { time: row.closedAt, price };
  const reviewReason = implausibleReason(row.pocketedValue, toTracked(row), state, closing);
  return reviewReason === null ? {} : { adminStatus: 'review', reviewReason };
}

/** Changes at the first trade after a call's end: exit, verified result, and whether the value needs review. */
function settlementOf(row: CallRow, state: TrackState, exit: ExitTrade): CallChange {
  const price = verifiedExit(row, row.priceAtClose, exit.price);
  const closing = { time: row.closedAt ?? exit.time, price };
  return {
    ...fromState(state),
    isAwaitingExit: false,
    exitTradeAt: exit.time,
    exitTradePrice: exit.price,
    verifiedPercent: verifiedResult(toTracked(row), state, closing)?.percent ?? null,
    ...reviewOf(row, state, price),
  };
}

/** Writes the tracker's changes: urgent ones immediately, others in batches every 10 s or 10 min. */
export class CallSaver {
  readonly #unsaved: WriteBehind<FollowedCall>;
  /** Calls with a change that this tick must write. */
  readonly #urgent = new Set<FollowedCall>();
  #savedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly parts: CallParts,
    private readonly settled: (followed: FollowedCall) => void,
  ) {
    const write = (some: readonly FollowedCall[]): void =>
      parts.store.inTransaction(() => some.forEach((followed) => this.#write(followed)));
    this.#unsaved = new WriteBehind({
      clock: parts.app.clock,
      atOnce: MAX_SAVED_AT_ONCE,
      write,
    });
  }

  get size(): number {
    return this.#unsaved.size;
  }

  /** Marks a call as changed; `saveUrgent` writes urgent ones. */
  add(followed: FollowedCall, urgency: Exclude<Urgency, 'none'>): void {
    if (urgency === 'atOnce') this.#urgent.add(followed);
    const dueAt = urgency === 'atOnce' ? Number.POSITIVE_INFINITY : this.#savedAt + EVERY_MS[urgency];
    this.#unsaved.note(followed, dueAt - this.parts.app.clock.monotonic());
  }

  /** Forgets a call, because the caller writes it. */
  drop(followed: FollowedCall): void {
    this.#unsaved.forget(followed);
    this.#urgent.delete(followed);
  }

  /** Writes urgent changes. On a full disk it throws, and the next tick retries. */
  saveUrgent(): void {
    if (this.#urgent.size === 0) return;
    const now = this.parts.app.clock.monotonic();
    const others = this.#unsaved.size - this.#urgent.size;
    const takesOthers = others > 0 && others <= MAX_ALONG && now - this.#savedAt >= ALONG_AFTER_MS;
    this.#save([...(takesOthers ? this.#unsaved.waiting() : this.#urgent)]);
    if (takesOthers) this.#savedAt = now;
  }

  /** Writes a batch of the other changes when due; call it at every tick. */
  saveDue(): void {
    const due = this.#unsaved.due();
    if (due.length === 0) return;
    this.#savedAt = this.parts.app.clock.monotonic();
    this.#save(due);
  }

  saveAll(): void {
    this.#save([...this.#unsaved.waiting()]);
  }

  #save(some: readonly FollowedCall[]): void {
    this.#unsaved.save(some);
    const seen = new Set<number>();
    for (const followed of some) {
      followed.newStops = [];
      followed.saved = followed.state;
      if (this.#urgent.delete(followed)) seen.add(followed.userId);
      if (followed.exit !== null) this.settled(followed);
    }
    if (seen.size > 0) this.parts.changed([...seen]);
  }

  /** Writes one call. Call it in a transaction. */
  #write({ id, userId, publicId, state, saved, watch, isPaused, exit, newStops }: FollowedCall): void {
    const { store, paths, ledger, following, levels } = this.parts;
    store.saveTrack({ id, ...fromState(state), watch });
    ledger.marked(publicId, saved, state);
    const events = eventsBetween(saved, state);
    if (exit !== null || events.some((event) => event !== 'target')) levels.note();
    following.note(
      { id, userId },
      events.filter((event) => event !== 'entry'),
    );
    if (newStops.length > 0) paths.addStops(id, newStops);
    if (!isPaused && exit === null) return;
    const before = store.byId(id);
    if (isPaused) store.pause(id, ADJUSTED_TEXT);
    else if (exit !== null) store.settle(id, settlementOf(before, state, exit));
    ledger.changed(before, store.byId(id), 'rules');
  }
}
