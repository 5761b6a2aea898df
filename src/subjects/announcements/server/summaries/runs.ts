import type { KeptAnnouncement } from '../../rules/keptAnnouncement.ts';

/** Somebody's wish for the summary of an announcement; others who wish it wait for the same. */
export type Run = {
  announcement: KeptAnnouncement;
  /** Who asked first. */
  userId: number;
};

/** Runs that may wait while one is under way. */
const MAX_WAITING = 2;

/**
 * Does runs one after the other: a model at home answers one question at a time, and a document takes memory.
 * @param work does one run; it must not throw
 */
export function createRuns(work: (run: Run, signal: AbortSignal) => Promise<void>) {
  let running: Run | null = null;
  let turn: Promise<void> = Promise.resolve();
  const waiting: Run[] = [];
  const stopped = new AbortController();

  const next = async (): Promise<void> => {
    for (running = waiting.shift() ?? null; running; running = waiting.shift() ?? null) {
      await work(running, stopped.signal);
    }
  };
  const all = (): Run[] => (running ? [running, ...waiting] : waiting);
  const isOf = (announcementId: string) => (run: Run) => run.announcement.id === announcementId;

  return {
    /** What has become of a run; null when there is none. */
    stateOf(announcementId: string): 'running' | 'queued' | null {
      if (running && isOf(announcementId)(running)) return 'running';
      return waiting.some(isOf(announcementId)) ? 'queued' : null;
    },
    /** How many of a user's are not over. */
    ofUser: (userId: number): number => all().filter((run) => run.userId === userId).length,
    isFull: (): boolean => running !== null && waiting.length >= MAX_WAITING,
    figures: () => ({ running: running?.announcement.code ?? null, waiting: waiting.length }),

    /** Begins a run, or lets it wait its turn; the caller has looked that there is room. */
    add(run: Run): 'running' | 'queued' {
      const isFree = running === null;
      waiting.push(run);
      if (!isFree) return 'queued';
      turn = next();
      return 'running';
    },
    /** Breaks off the run under way and forgets those that wait; resolves when nothing runs any more. */
    async stop(): Promise<void> {
      waiting.length = 0;
      stopped.abort();
      await turn;
    },
  };
}
