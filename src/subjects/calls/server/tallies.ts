import { rankSubmitters } from '../rules/leaderboard.ts';
import type { LeaderboardEntry } from '../rules/types.ts';
import type { CallStore, StoredTally } from './store.ts';
import type { RunningResult } from './tracker/running.ts';

export type TallyStore = Pick<CallStore, 'tallies'>;

const keyOf = (userId: number, source: string): string => `${userId} ${source}`;

/** Whether anything of a submitter's calls counts; rejected ones alone give no line. */
const countsForAnything = (tally: StoredTally): boolean =>
  tally.pending + tally.open + tally.closed + tally.cancelled + tally.results.length > 0;

/** Keeps the tallies of each submitter, so that a change makes the database count one submitter's calls and not all. */
export function createTallies(store: TallyStore) {
  const byUser = new Map<number, StoredTally[]>();
  let isComplete = false;

  function count(userIds?: readonly number[]): void {
    for (const [userId, tallies] of Map.groupBy(store.tallies(userIds), (tally) => tally.userId)) {
      byUser.set(userId, tallies);
    }
  }

  return {
    /**
     * The submitters by the source that their calls were made on, each ranked among those of the same source.
     *
     * @param running results that are counted besides those in the database
     */
    ranked(running: readonly RunningResult[]): Map<string, LeaderboardEntry[]> {
      if (!isComplete) {
        byUser.clear();
        count();
        isComplete = true;
      }
      const all = new Map<string, StoredTally>();
      for (const tally of [...byUser.values()].flat()) all.set(keyOf(tally.userId, tally.source), tally);
      for (const [key, own] of Map.groupBy(running, ({ userId, source }) => keyOf(userId, source))) {
        const tally = all.get(key);
        if (tally) all.set(key, { ...tally, results: [...tally.results, ...own] });
      }
      const bySource = Map.groupBy(all.values().filter(countsForAnything), ({ source }) => source);
      return new Map([...bySource].map(([source, tallies]) => [source, rankSubmitters(tallies)]));
    },

    countAgain(userIds: readonly number[]): void {
      if (!isComplete) return;
      for (const id of userIds) byUser.delete(id);
      count(userIds);
    },

    forget(): void {
      isComplete = false;
    },
  };
}
