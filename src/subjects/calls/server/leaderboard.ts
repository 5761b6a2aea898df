import { encode, type Encoded } from '#platform/http/encodedAnswers.ts';
import type { LeaderboardAnswer, LeaderboardEntry, OtherLeaderboard } from '../rules/types.ts';
import { compareNames } from '#lib/unicode.ts';
import { toAdminCall, toCall } from './rows.ts';
import type { CallParts } from './parts.ts';
import type { OwnedResult, StoredTally } from './store.ts';
import {
  groupByDay,
  type RankedResult,
  rankSubmitters,
  type ResultDays,
  type Tally,
} from '../rules/leaderboardRank.ts';

type MeasuredResult = OwnedResult & RankedResult;

/** A tally with its results against the market, and its settled results grouped by day. */
type CountedTally = Omit<StoredTally, 'results'> & {
  results: readonly MeasuredResult[];
  grouped: { days: ResultDays; running: readonly RankedResult[] } | null;
};

const keyOf = ({ userId, source }: { userId: number; source: string }): string => `${userId} ${source}`;

/** Whether anything of a submitter's calls counts; rejected ones alone give no line. */
const countsForAnything = (tally: CountedTally, running: readonly RankedResult[]): boolean =>
  tally.pending + tally.open + tally.closed + tally.cancelled + tally.results.length + running.length > 0;

const isSameCall = (one: RankedResult, other: RankedResult | undefined): boolean =>
  one.symbol === other?.symbol && one.from === other.from && one.until === other.until;

/** The settled results by day, with the places of the running ones; grouped again only when other calls run. */
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

/** Keeps the tallies of each submitter, so that a change makes the database count one submitter's calls and not all. */
class Tallies {
  readonly #byUser = new Map<number, CountedTally[]>();
  #isComplete = false;

  constructor(private readonly parts: CallParts) {}

  /**
   * The submitters by the source that their calls were made on, each ranked among those of the same source.
   *
   * @param running results that are counted besides those in the database
   */
  ranked(running: readonly OwnedResult[]): Map<string, LeaderboardEntry[]> {
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

  /** Measures results again that began or ended at `since` or later (epoch ms), because the market level is known now. */
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
    const counted = this.parts.store.tallies(userIds).map((tally) => ({
      ...tally,
      results: this.#againstMarket(tally.results),
      grouped: null,
    }));
    for (const [userId, tallies] of Map.groupBy(counted, (tally) => tally.userId)) {
      this.#byUser.set(userId, tallies);
    }
  }
}

export type Audience = 'public' | 'admin';

/** `fetchedAt` may lag this much, so that many visitors cost one compression a second. */
const STAMP_EVERY_MS = 1000;

/** The calls of an answer, and the answer last made with them; `stampedAt` by the stopwatch. */
type CachedAnswer = {
  calls: LeaderboardAnswer['calls'];
  stampedAt: number;
  encoded: Encoded;
};

/**
 * The leaderboard answer. Calls are read from the database once per change, submitters are counted again one by one,
 * and the answer is ranked, stamped and compressed at most once a second for each audience.
 */
export class Leaderboard {
  readonly #cache = new Map<Audience, CachedAnswer>();
  readonly #tallies: Tallies;
  #ranked: {
    at: number;
    bySource: ReadonlyMap<string, LeaderboardEntry[]>;
  } | null = null;

  constructor(private readonly parts: CallParts) {
    this.#tallies = new Tallies(parts);
  }

  /** The submitters of calls on the source that runs, best first; at most a second old. */
  ranks(): readonly LeaderboardEntry[] {
    return this.ranked().get(this.parts.app.source.name) ?? [];
  }

  /** The submitters by the source of their calls; at most a second old. */
  ranked(): ReadonlyMap<string, readonly LeaderboardEntry[]> {
    const at = this.parts.app.clock.monotonic();
    if (!this.#ranked || at - this.#ranked.at >= STAMP_EVERY_MS) {
      this.#ranked = { at, bySource: this.#rankNow() };
    }
    return this.#ranked.bySource;
  }

  /** Calls and leaderboard as bytes, plain and compressed. */
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

  /** Calls of these users changed: counts them again, and only them; the next answer reads the calls again. */
  changed(userIds: readonly number[]): void {
    this.#cache.clear();
    this.#ranked = null;
    this.#tallies.countAgain(userIds);
  }

  /** The market's level is known for another moment. @param since the moment of the level before */
  measureAgain(since: number): void {
    this.#cache.clear();
    this.#ranked = null;
    this.#tallies.measureAgain(since);
  }

  /** Forgets everything that was read. */
  forget(): void {
    this.#cache.clear();
    this.#ranked = null;
    this.#tallies.forget();
  }

  #rankNow(): Map<string, LeaderboardEntry[]> {
    return this.#tallies.ranked(this.parts.tracker.running());
  }

  #readCalls(audience: Audience): LeaderboardAnswer['calls'] {
    const { store, contextOf } = this.parts;
    const rows = audience === 'admin' ? store.recentForAdmin() : store.recent();
    const context = contextOf(rows);
    const show = audience === 'admin' ? toAdminCall : toCall;
    return rows.map((row) => show(row, context));
  }

  /** The members of the answer that rank submitters, first those of the source that runs; and the ledger's head. */
  #readRanks(): Omit<LeaderboardAnswer, 'calls' | 'fetchedAt'> {
    const { name } = this.parts.app.source;
    const bySource = this.#rankNow();
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
