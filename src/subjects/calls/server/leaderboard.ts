import { encode, type Encoded } from '#platform/http/encodedAnswers.ts';
import type { LeaderboardAnswer, LeaderboardEntry, OtherLeaderboard } from '../rules/types.ts';
import { compareNames } from '#lib/unicode.ts';
import { toAdminCall, toCall } from './rows.ts';
import type { CallParts } from './parts.ts';
import type { OwnedResult, PostedSpan, StoredTally } from './store.ts';
import { MAX_QUARTERS, quarterSpan, quartersBetween } from '../rules/quarter.ts';
import {
  groupByDay,
  type RankedResult,
  rankSubmitters,
  type ResultDays,
  type Tally,
} from '../rules/leaderboardRank.ts';

type MeasuredResult = OwnedResult & RankedResult;

/** A submitter's tally with results relative to the market, and the settled ones grouped by day. */
type CountedTally = Omit<StoredTally, 'results'> & {
  results: readonly MeasuredResult[];
  grouped: { days: ResultDays; running: readonly RankedResult[] } | null;
};

const keyOf = ({ userId, source }: { userId: number; source: string }): string => `${userId} ${source}`;

/** Whether a submitter has any call that counts; rejected calls do not. */
const countsForAnything = (tally: CountedTally, running: readonly RankedResult[]): boolean =>
  tally.pending + tally.open + tally.closed + tally.cancelled + tally.results.length + running.length > 0;

const isSameCall = (one: RankedResult, other: RankedResult | undefined): boolean =>
  one.symbol === other?.symbol && one.from === other.from && one.until === other.until;

/** Settled results by day, with indexes for running results. They are grouped again only if other calls run. */
function daysOf(tally: CountedTally, running: readonly RankedResult[]): ResultDays {
  const known = tally.grouped;
  const isSame =
    known?.running.length === running.length &&
    running.every((one, index) => isSameCall(one, known.running[index]));
  const days = known && isSame ? known.days : groupByDay(tally.results, running);
  tally.grouped = { days, running };
  return days;
}

const NO_RESULTS: readonly OwnedResult[] = [];

/** Caches tallies per submitter, so that a change recounts only one submitter. */
class Tallies {
  readonly #byUser = new Map<number, CountedTally[]>();
  #isComplete = false;

  /** @param span of postings; null for all calls */
  constructor(
    private readonly parts: CallParts,
    private readonly span: PostedSpan | null,
  ) {}

  /** The ranks of submitters by source, with the results of running calls. */
  ranked(): Map<string, LeaderboardEntry[]> {
    const { span } = this;
    const running = this.parts.tracker
      .running()
      .filter(({ postedAt }) => span === null || (postedAt >= span.from && postedAt < span.until));
    if (!this.#isComplete) {
      this.#byUser.clear();
      this.#count();
      this.#isComplete = true;
    }
    const runningOf = Map.groupBy(running, keyOf);
    const bySource = new Map<string, Tally[]>();
    for (const tally of [...this.#byUser.values()].flat()) {
      const own = this.#againstMarket(runningOf.get(keyOf(tally)) ?? NO_RESULTS);
      if (!countsForAnything(tally, own)) continue;
      const same = bySource.get(tally.source) ?? [];
      same.push({ ...tally, days: daysOf(tally, own), running: own });
      bySource.set(tally.source, same);
    }
    return new Map([...bySource].map(([source, tallies]) => [source, rankSubmitters(tallies)]));
  }

  countAgain(userIds: readonly number[]): void {
    if (!this.#isComplete) return;
    for (const id of userIds) this.#byUser.delete(id);
    this.#count(userIds);
  }

  /** Recomputes results that began or ended at `since` (epoch ms) or later, because the market level is now known. */
  measureAgain(since: number): void {
    const isNew = ({ from, until }: OwnedResult): boolean => (until ?? from) >= since;
    for (const tally of [...this.#byUser.values()].flat()) {
      if (!tally.results.some(isNew)) continue;
      tally.results = this.#againstMarket(tally.results);
      tally.grouped = null;
    }
  }

  forget(): void {
    this.#isComplete = false;
  }

  #againstMarket(results: readonly OwnedResult[]): MeasuredResult[] {
    const { levels } = this.parts;
    return results.map((result) => {
      const { source, from, until } = result;
      return { ...result, market: levels.moveBetween(source, from, until) };
    });
  }

  #count(userIds?: readonly number[]): void {
    const counted = this.parts.store.tallies(userIds, this.span).map((tally) => ({
      ...tally,
      results: this.#againstMarket(tally.results),
      grouped: null,
    }));
    for (const [userId, tallies] of Map.groupBy(counted, (tally) => tally.userId)) {
      this.#byUser.set(userId, tallies);
    }
  }
}

type BySource = ReadonlyMap<string, LeaderboardEntry[]>;

/** Ranks of all calls or of those posted in a span; ranking runs at most once a second. */
class RankCache {
  readonly #tallies: Tallies;
  #ranked: { at: number; bySource: BySource } | null = null;

  constructor(
    private readonly parts: CallParts,
    span: PostedSpan | null,
  ) {
    this.#tallies = new Tallies(parts, span);
  }

  /** At most a second old. */
  recent(): BySource {
    const at = this.parts.app.clock.monotonic();
    if (!this.#ranked || at - this.#ranked.at >= STAMP_EVERY_MS) this.#ranked = { at, bySource: this.now() };
    return this.#ranked.bySource;
  }

  now(): BySource {
    return this.#tallies.ranked();
  }

  countAgain(userIds: readonly number[]): void {
    this.#ranked = null;
    this.#tallies.countAgain(userIds);
  }

  measureAgain(since: number): void {
    this.#ranked = null;
    this.#tallies.measureAgain(since);
  }

  forget(): void {
    this.#ranked = null;
    this.#tallies.forget();
  }
}

export type Audience = 'public' | 'admin';

/** Maximum age of `fetchedAt`, so that many visitors cost one compression per second. */
const STAMP_EVERY_MS = 1000;

/** Cached calls and the last answer that contains them; `stampedAt` in ms of the monotonic clock. */
type CachedAnswer = {
  calls: LeaderboardAnswer['calls'];
  stampedAt: number;
  encoded: Encoded;
};

/**
 * The leaderboard answer. After a change it reads the calls again and recounts the submitters concerned. Ranking and
 * compression run at most once a second per audience.
 */
export class Leaderboard {
  readonly #cache = new Map<Audience, CachedAnswer>();
  readonly #overall: RankCache;
  /** By quarter, the last used one last. */
  readonly #quarters = new Map<string, RankCache>();

  constructor(private readonly parts: CallParts) {
    this.#overall = new RankCache(parts, null);
  }

  /** Ranks on the current source, best first; at most a second old. */
  ranks(): readonly LeaderboardEntry[] {
    return this.ranked().get(this.parts.app.source.name) ?? [];
  }

  /** Ranks by source; at most a second old. */
  ranked(): BySource {
    return this.#overall.recent();
  }

  /** Ranks by source among the calls posted in a quarter; null if the text names no quarter. */
  rankedIn(quarter: string): BySource | null {
    const span = quarterSpan(quarter);
    if (span === null) return null;
    const ranks = this.#quarters.get(quarter) ?? new RankCache(this.parts, span);
    this.#quarters.delete(quarter);
    this.#quarters.set(quarter, ranks);
    const [oldest] = this.#quarters.keys();
    if (this.#quarters.size > MAX_QUARTERS && oldest !== undefined) this.#quarters.delete(oldest);
    return ranks.recent();
  }

  /** The quarters since the first call, newest first. */
  quarters(): string[] {
    const first = this.parts.store.firstPosted();
    return first === null ? [] : quartersBetween(first, this.parts.app.clock.now());
  }

  answer(audience: Audience): Encoded {
    const { clock } = this.parts.app;
    const stampedAt = clock.monotonic();
    const cached = this.#cache.get(audience);
    if (cached && stampedAt - cached.stampedAt < STAMP_EVERY_MS) return cached.encoded;
    const calls = cached?.calls ?? this.#readCalls(audience);
    const encoded = encode({
      fetchedAt: clock.now(),
      ...this.#readRanks(),
      calls,
    } satisfies LeaderboardAnswer);
    this.#cache.set(audience, { calls, stampedAt, encoded });
    return encoded;
  }

  /** Recounts these users; the next answer reads the calls again. */
  changed(userIds: readonly number[]): void {
    this.#cache.clear();
    for (const ranks of this.#all()) ranks.countAgain(userIds);
  }

  /** Recomputes results after a new market level. @param since time of the previous level, epoch ms */
  measureAgain(since: number): void {
    this.#cache.clear();
    for (const ranks of this.#all()) ranks.measureAgain(since);
  }

  forget(): void {
    this.#cache.clear();
    this.#quarters.clear();
    this.#overall.forget();
  }

  #all(): RankCache[] {
    return [this.#overall, ...this.#quarters.values()];
  }

  #readCalls(audience: Audience): LeaderboardAnswer['calls'] {
    const { store, contextOf } = this.parts;
    const rows = audience === 'admin' ? store.recentForAdmin() : store.recent();
    const context = contextOf(rows);
    const show = audience === 'admin' ? toAdminCall : toCall;
    return rows.map((row) => show(row, context));
  }

  /** The ranks, those of the current source first, and the ledger's latest entry. */
  #readRanks(): Omit<LeaderboardAnswer, 'calls' | 'fetchedAt'> {
    const { name } = this.parts.app.source;
    const bySource = this.#overall.now();
    const others = [...bySource]
      .filter(([source]) => source !== name)
      .sort(([a], [b]) => compareNames(a, b))
      .map(
        ([source, leaderboard]): OtherLeaderboard => ({
          source,
          leaderboard,
        }),
      );
    return {
      source: name,
      leaderboard: bySource.get(name) ?? [],
      otherLeaderboards: others,
      ledger: this.parts.ledger.head(),
    };
  }
}
