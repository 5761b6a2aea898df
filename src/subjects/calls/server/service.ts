import type { CountedCall } from '#admin/channels/rules/dailySummary.ts';
import { callInFile } from '../rules/callSummary.ts';
import { type CorrectionInput, countingOf } from '../rules/correction.ts';
import type { SentCall } from '../rules/callRules.ts';
import type {
  AdminCall,
  AdminStatus,
  CallTimeline,
  CallReview,
  LeaderboardEntry,
  OwnCall,
  Ranks,
} from '../rules/types.ts';
import type { SubmitterRecord } from '../rules/trackRecord.ts';
import type { LongList } from '#lib/inspection.ts';
import type { ChangeSet } from '#market/types.ts';
import { endCallNow, endCallSoon, keepCall } from './close.ts';
import { correctCall, setAdminStatus } from './correction.ts';
import type { AskedEnd } from './endings.ts';
import type { Encoded } from '#platform/http/encodedAnswers.ts';
import type { Audience } from './leaderboard.ts';
import type { Following } from './following.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { MarketLevels } from './marketLevels.ts';
import { CallParts, type Submitter } from './parts.ts';
import { fromState, toCall, toOwnCall, toTracked, toWholeCall } from './rows.ts';
import type { SubmittedCall, CallRow } from './store.ts';
import { IdempotencyCache, submitCall } from './submit.ts';
import { stopPath } from '../rules/trailingStop.ts';
import { AppError } from '#platform/http/errors.ts';
import type { AuthUser } from '#platform/http/auth.ts';
import type { App } from '#platform/app.ts';

/** Null for a visitor. */
type Viewer = Pick<AuthUser, 'id' | 'level'> | null;

const UNKNOWN = 'This call does not exist. An administrator may have removed it, or the link is incomplete.';

const isInvolved = (row: CallRow, viewer: Viewer): boolean =>
  viewer !== null && (viewer.id === row.userId || viewer.level >= 4);

/** Only the owner and administrators see a rejected call. */
const maySee = (row: CallRow, viewer: Viewer): boolean =>
  row.adminStatus !== 'rejected' || isInvolved(row, viewer);

/** The public review status; only the owner and administrators get the reason. */
const reviewFor = (row: CallRow, viewer: Viewer): CallReview | null =>
  row.adminStatus === 'normal'
    ? null
    : { status: row.adminStatus, reason: isInvolved(row, viewer) ? row.reviewReason : null };

/**
 * A call with the prices from its posting to its end or to now.
 * @throws AppError 404 for an unknown call or one that the viewer may not see
 */
function callTimeline(parts: CallParts, viewer: Viewer, publicId: string): CallTimeline {
  const row = parts.store.byPublicId(publicId);
  if (!row || !maySee(row, viewer)) throw new AppError(404, UNKNOWN);
  const { path, whyNoPath } = parts.keeper.find(row);
  const timeOf = (wall: number): number => parts.times.shown(row.source, wall);
  const until = row.stopReachedAt ?? row.closedAt;
  const stop = stopPath({
    call: toTracked(row),
    filledAt: row.filledAt === null ? null : timeOf(row.filledAt),
    fillPrice: row.fillPrice,
    highest: row.highest,
    until: until === null ? parts.app.source.clock.now() : timeOf(until),
    steps: parts.paths.stopsOf(row.id).map(({ time, price }) => ({ time: timeOf(time), price })),
    bars: path?.bars ?? null,
  });
  const review = reviewFor(row, viewer);
  const call = (isInvolved(row, viewer) ? toWholeCall : toCall)(row, parts.contextOf([row]));
  return { call, path, whyNoPath, stop, review };
}

/** The calls service. One per process, because it caches followed calls and the leaderboard. */
export class Calls {
  readonly #parts: CallParts;
  readonly #repeats: IdempotencyCache;

  constructor(app: App) {
    this.#parts = new CallParts(app);
    this.#repeats = new IdempotencyCache(app.clock);
  }

  /** The encoded leaderboard and recent calls; administrators get more. */
  leaderboard(audience: Audience): Encoded {
    return this.#parts.leaderboard.answer(audience);
  }

  ranks(): readonly LeaderboardEntry[] {
    return this.#parts.leaderboard.ranks();
  }

  /** Ranks on the running source. @param quarter null for all calls */
  ranksIn(quarter: string | null): Ranks {
    const { leaderboard, app } = this.#parts;
    const { name: source } = app.source;
    const ranked = quarter === null ? leaderboard.ranked() : leaderboard.rankedIn(quarter);
    return {
      quarter: ranked === null ? null : quarter,
      quarters: leaderboard.quarters(),
      source,
      leaderboard: ranked?.get(source) ?? [],
    };
  }

  /** Calls on the running source submitted or ended since a wall time, each with what counts of it; newest first. */
  since(wall: number): CountedCall[] {
    const { store, app, contextOf } = this.#parts;
    const rows = store.since(app.source.name, wall);
    const context = contextOf(rows);
    return rows.map((row) => ({
      call: toCall(row, context),
      counting: countingOf(row),
      isHidden: row.adminStatus === 'rejected',
    }));
  }

  /** Results of open calls on the running source that count, at the last price; percent. */
  runningResults(): number[] {
    const { tracker, app } = this.#parts;
    const own = tracker.running().filter(({ source }) => source === app.source.name);
    return own.map(({ percent }) => percent);
  }

  get levels(): MarketLevels {
    return this.#parts.levels;
  }

  get following(): Following {
    return this.#parts.following;
  }

  get ledger(): Ledger {
    return this.#parts.ledger;
  }

  /** Converts a wall time to the time of a market's clock, by the market's name; both epoch ms. */
  readonly marketTime = (source: string, wall: number): number => this.#parts.times.shown(source, wall);

  mine(user: Pick<Submitter, 'id'>): OwnCall[] {
    return this.#asTheyStand(this.#parts.store.ofUser(user.id));
  }

  /** A user's calls for the settings export. */
  inFile(userId: number): unknown[] {
    return this.mine({ id: userId }).map(callInFile);
  }

  /** A call with its price path. @param viewer null for a visitor @throws AppError 404 */
  timeline(viewer: Viewer, publicId: string): CallTimeline {
    return callTimeline(this.#parts, viewer, publicId);
  }

  /** The track record of a submitter. @throws AppError 404 */
  record(name: string): SubmitterRecord {
    return this.#parts.records.of(name);
  }

  /**
   * @param key identifies the request: if it is repeated because the answer was lost, the answer is the existing call;
   * null for no key
   */
  submit(user: Submitter, sent: SentCall, key: string | null = null): OwnCall {
    const before = this.#parts.store.byPublicId(this.#repeats.find(user.id, key) ?? '');
    const [made] = before === undefined ? [] : this.#asTheyStand([before]);
    if (made !== undefined) return made;
    this.#parts.times.update();
    const call = submitCall(this.#parts, user, sent);
    this.#repeats.keep(user.id, key, call.publicId);
    return call;
  }

  /** Ends a call after an undo window of `inMs`, or now. */
  end(user: Submitter, publicId: string, { inMs = 0, ...asked }: AskedEnd & { inMs?: number }): OwnCall {
    if (inMs === 0) return endCallNow(this.#parts, user, publicId, asked);
    return endCallSoon(this.#parts, user, publicId, { ...asked, inMs });
  }

  keep(user: Submitter, publicId: string): OwnCall {
    return keepCall(this.#parts, user, publicId);
  }

  setAdminStatus(admin: Submitter, publicId: string, status: AdminStatus): AdminCall {
    return setAdminStatus(this.#parts, admin, publicId, status);
  }

  correct(admin: Submitter, publicId: string, correction: CorrectionInput): AdminCall {
    return correctCall(this.#parts, admin, publicId, correction);
  }

  /** Prepares the deletion of an account: calls stay without rationales. @returns the work for afterwards */
  readonly leaving = (userId: number): (() => void) => {
    this.#parts.ledger.left(userId);
    this.#parts.store.removeRationales(userId);
    this.#parts.following.forgetSubmitter(userId);
    return () => this.#parts.changed([userId]);
  };

  resume(): void {
    const { times, tracker, leaderboard, records, keeper, endings, ledger } = this.#parts;
    times.update();
    ledger.resume();
    tracker.resume();
    leaderboard.forget();
    records.forget();
    keeper.resume();
    endings.resume();
  }

  update(codes: Iterable<string>): void {
    this.#parts.tracker.update(codes);
  }

  jump(): void {
    this.#parts.times.update();
    this.#parts.levels.jump();
    this.#parts.tracker.jump();
  }

  track(changes: ChangeSet | null): void {
    const { times, levels, leaderboard, records, tracker, endings, keeper, following } = this.#parts;
    times.update();
    tracker.track(changes);
    endings.tick();
    keeper.tick();
    following.tick();
    // Done last, so that a full disk loses only a level.
    const before = levels.update();
    if (before === null) return;
    leaderboard.measureAgain(before);
    records.forget();
  }

  /** Writes pending changes; call it before the database closes. */
  flush(): void {
    this.#parts.tracker.flush();
    this.#parts.keeper.flush();
    this.#parts.following.stop();
  }

  counts() {
    return this.#parts.tracker.counts();
  }

  held(): LongList {
    return this.#parts.tracker.held();
  }

  #asTheyStand(rows: readonly SubmittedCall[]): OwnCall[] {
    const { tracker, contextOf } = this.#parts;
    const context = contextOf(rows);
    return rows.map((row) => {
      const state = tracker.stateOf(row.id);
      return toOwnCall(state === null ? row : { ...row, ...fromState(state) }, context);
    });
  }
}
