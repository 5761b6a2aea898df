import type { CountedCall } from '../../../admin/channels/rules/callWeek.ts';
import { countingOf } from '../rules/counting.ts';
import type { SentCall } from '../rules/callRules.ts';
import type { CorrectionInput } from '../rules/correction.ts';
import type { CallLife } from '../rules/life.ts';
import type { SubmitterRecord } from '../rules/record.ts';
import type { AdminStatus, CallsNotifier, OwnCall } from '../rules/types.ts';
import type { PastBars } from '../../../market/bars/pastBars.ts';
import type { ChangeSet } from '../../../market/types.ts';
import type { Core } from '../../../part.ts';
import { createMarketTimes } from './marketTimes.ts';
import { cancelCall, closeCall, endCallSoon, keepCall } from './close.ts';
import { type AskedEnd, createEndings } from './endings.ts';
import { callEndingStore } from './endingStore.ts';
import { callLife, type LifeDeps, type Viewer } from './life.ts';
import { correctCall } from './correct.ts';
import type { CallsDeps, Submitter } from './deps.ts';
import { type Audience, createLeaderboard, type EncodedAnswer, type Leaderboard } from './leaderboard.ts';
import { setAdminStatus } from './moderate.ts';
import { fromState, toCall, toOwnCall } from './rows.ts';
import { type CallRow, callStore, type SubmittedCall } from './store.ts';
import { createPathKeeper } from './paths/keeper.ts';
import { callPathStore } from './paths/store.ts';
import { createRepeats } from './repeats.ts';
import { createRecords } from './records/records.ts';
import { recordStore } from './records/store.ts';
import { submitCall } from './submit.ts';
import { type CallTracker, createCallTracker } from './tracker/tracker.ts';

/** What calls use of the core. */
export type CallsCore = Pick<Core, 'db' | 'clock' | 'log'> & {
  source: Pick<Core['source'], 'name' | 'days' | 'delayMinutes' | 'clock'>;
};

export type CallsServiceNeeds = Pick<CallsDeps, 'market' | 'randomToken' | 'audit'> & {
  /** What is known of stocks' past. */
  past: PastBars;
  /** Tells submitters; asked for when there is something to tell. */
  notifier(): CallsNotifier;
};

/** Own calls as the tracker has them now. */
function asTheyStand({ tracker, contextOf }: CallsDeps, rows: readonly SubmittedCall[]): OwnCall[] {
  const context = contextOf(rows);
  return rows.map((row) => {
    const state = tracker.stateOf(row.id);
    return toOwnCall(state === null ? row : { ...row, ...fromState(state) }, context);
  });
}

function countedSince({ store, source, contextOf }: CallsDeps, wall: number): CountedCall[] {
  const rows = store.since(source.name, wall);
  const context = contextOf(rows);
  return rows.map((row) => ({
    call: toCall(row, context),
    counting: countingOf(row),
    isHidden: row.adminStatus === 'rejected',
  }));
}

/**
 * Everything that is done with calls: submitting, closing, cancelling, moderating, showing, and following their
 * prices. One of these per process, as it keeps the followed calls and the leaderboard's bytes.
 */
export function createCallsService({ db, clock, log, source }: CallsCore, needs: CallsServiceNeeds) {
  const store = callStore(db);
  const endNow = (user: Submitter, publicId: string, { kind, pocketedValue }: AskedEnd): OwnCall => {
    times.look();
    return kind === 'close'
      ? closeCall(deps, user, publicId, pocketedValue)
      : cancelCall(deps, user, publicId);
  };
  const endings = createEndings({ store: callEndingStore(db), clock, log: log.child('calls'), end: endNow });
  const times = createMarketTimes({ db, clock, source });
  const contextOf = (rows: readonly CallRow[]) => ({
    source: source.name,
    corrections: store.correctionsOf(rows.map(({ id }) => id)),
    marketTime: times.shown,
    endingOf: endings.of,
  });
  const { market, past } = needs;
  const paths = callPathStore(db);
  const prices = { past, market, clock: source.clock };
  const keeper = createPathKeeper({ clock, source: source.name, prices, times, store: paths });
  const tracker: CallTracker = createCallTracker({
    clock,
    source,
    market,
    store: { ...store, addStops: paths.addStops },
    changed: (userIds) => changed(userIds),
    settled: keeper.settled,
  });
  const { running } = tracker;
  const board: Leaderboard = createLeaderboard({ store, clock, source, running, contextOf });
  const repeats = createRepeats(clock);
  const records = createRecords({
    store: recordStore(db),
    ...{ source: source.name, times, running },
    ranked: board.ranked,
  });
  const changed = (userIds: Iterable<number>): void => {
    const ids = [...userIds];
    board.changed(ids);
    records.changed(ids);
    for (const id of ids) needs.notifier().callsChanged(id);
  };
  const leaderboard: Leaderboard = { ...board, changed };
  const deps: CallsDeps = {
    ...{ clock, source, store, tracker, leaderboard, contextOf, endings, keeper, paths },
    ...needs,
  };
  const lifeDeps: LifeDeps = { store, paths, keeper, times, contextOf, now: source.clock.now };
  return {
    /** The leaderboard and the recent calls as bytes; administrators get more of each call. */
    leaderboard: (audience: Audience): EncodedAnswer => leaderboard.answer(audience),
    /** The submitters that the leaderboard ranks now, best first. */
    ranks: () => leaderboard.ranks(),
    /**
     * The calls on the source that runs which were submitted or ended since a moment of the wall clock, and what of each
     * counts; newest first.
     */
    since: (wall: number): CountedCall[] => countedSince(deps, wall),
    /** Results of open calls on the source that runs, at the last price, those that count; percent. */
    runningResults: (): number[] =>
      running()
        .filter((result) => result.source === source.name)
        .map(({ percent }) => percent),
    /** A person's own calls, newest first. */
    mine: (user: Submitter) => asTheyStand(deps, store.ofUser(user.id)),
    /** A call with its price path; null stands for a visitor. @throws AppError 404 */
    life: (viewer: Viewer, publicId: string): CallLife => callLife(lifeDeps, viewer, publicId),
    /** What a submitter's verified results say. @throws AppError 404 */
    record: (name: string): SubmitterRecord => records.of(name),
    /**
     * @param key names the request: one that is sent again, because its answer was lost, is answered with the call that
     *   it made; null where the caller gives none
     */
    submit(user: Submitter, sent: SentCall, key: string | null = null): OwnCall {
      const before = store.byPublicId(repeats.find(user.id, key) ?? '');
      const [made] = before === undefined ? [] : asTheyStand(deps, [before]);
      if (made !== undefined) return made;
      times.look();
      const call = submitCall(deps, user, sent);
      repeats.keep(user.id, key, call.publicId);
      return call;
    },
    close: (user: Submitter, publicId: string, pocketedValue: number | null): OwnCall =>
      endNow(user, publicId, { kind: 'close', pocketedValue }),
    cancel: (user: Submitter, publicId: string): OwnCall =>
      endNow(user, publicId, { kind: 'cancel', pocketedValue: null }),
    /** Ends a call in so many ms, in which `keep` takes that back; at once with 0. */
    end(user: Submitter, publicId: string, { inMs, ...asked }: AskedEnd & { inMs: number }): OwnCall {
      if (inMs === 0) return endNow(user, publicId, asked);
      const call = endCallSoon(deps, user, publicId, { ...asked, inMs });
      needs.notifier().callsChanged(user.id);
      return call;
    },
    /** Leaves a call as it is, whose end was asked for. */
    keep(user: Submitter, publicId: string): OwnCall {
      const call = keepCall(deps, user, publicId);
      needs.notifier().callsChanged(user.id);
      return call;
    },
    setAdminStatus: (admin: Submitter, publicId: string, status: AdminStatus) =>
      setAdminStatus(deps, admin, publicId, status),
    correct: (admin: Submitter, publicId: string, correction: CorrectionInput) =>
      correctCall(deps, admin, publicId, correction),

    /** The submitter's account is about to be deleted: the calls stay. @returns what is to be done after that */
    leaving: (userId: number) => (): void => changed([userId]),
    /** Takes up calls that are in the database and not followed yet: those of an earlier run, or of seeding. */
    resume(): void {
      times.look();
      tracker.resume();
      leaderboard.forget();
      records.forget();
      keeper.resume();
      endings.resume();
    },
    /** A source has just sent these stocks. */
    look: (codes: Iterable<string>): void => tracker.look(codes),
    /** The market was taken to another moment. */
    jump(): void {
      times.look();
      tracker.jump();
    },
    /** One tick of the Market; hand it to the tick loop as a listener. */
    track(changes: ChangeSet | null): void {
      times.look();
      tracker.track(changes);
      endings.tick();
      keeper.tick();
    },
    /** Writes what is not on disk yet; to be called before the database closes. */
    flush(): void {
      tracker.flush();
      keeper.flush();
    },
    /** How many calls are followed, on how many symbols, and how many wait to be written. */
    counts: () => tracker.counts(),
    /** What is followed of each call, for whoever looks into the running server. */
    held: () => tracker.held(),
  };
}

export type Calls = ReturnType<typeof createCallsService>;
