import { createEpochTimes, type SystemClock } from '../../../lib/clock.ts';
import type { HttpClient } from '../../../lib/httpClient/client.ts';
import { createPollLoop, type PollResult } from '../../../lib/httpClient/pollLoop.ts';
import type { Log } from '../../../lib/log.ts';
import { type Scheduler, timerScheduler } from '../../../lib/scheduler.ts';
import type { AnnouncementSink, AnnouncementSource } from '../source.ts';
import { createCompanyLists } from './company.ts';
import { type FeedState, healthOf } from './feedHealth.ts';
import { createListMemory, type ShortList } from './listMemory.ts';
import { createLooks } from './poll.ts';
import { ACTIVE_MS, waitAt } from './schedule.ts';

export type AsxOptions = {
  /** Base address; /asx-research/1.0 is added. Links to documents begin with it too. */
  url: string;
  wall: SystemClock;
  log: Log;
  http: HttpClient;
  random?: () => number;
  schedule?: Scheduler;
};

export type AsxSource = Omit<AnnouncementSource, 'details' | 'refresh'> & {
  refresh(code: string): Promise<string | null>;
  details(): FeedState & { polls: number; listed: number; pages: number; withdrawn: number };
};

const OPEN_AFTER_FAILURES = 5;
const MAX_WAIT_MS = 10 * 60_000;

/**
 * The exchange's own list of announcements as a source. What fails changes nothing but the health.
 * @returns a source on the wall clock; `start` does not wait for the first answer
 */
export function createAsx(options: AsxOptions): AsxSource {
  const { url, wall, log, http, random = Math.random, schedule = timerScheduler } = options;
  const epochOf = createEpochTimes(wall);
  let sink: AnnouncementSink | null = null;
  const memory = createListMemory({ stopwatch: wall, knows: (id) => sink?.knows(id) ?? false });
  const looks = createLooks({ url, wall, http, log, memory });
  /** By the stopwatch. */
  let lastSuccess: number | null = null;
  let short: ShortList | null = null;
  let newest: number | null = null;
  const counts = { pages: 0, withdrawn: 0 };

  const pollOnce = async (stop: AbortSignal): Promise<PollResult> => {
    if (sink === null) return { kind: 'done', nextMs: ACTIVE_MS };
    const outcome = await looks.run(sink, stop);
    if (outcome.kind === 'failed') return outcome;
    short = outcome.short;
    newest = Number.isFinite(outcome.newest) ? outcome.newest : null;
    counts.pages += outcome.pages;
    counts.withdrawn += outcome.withdrawn;
    lastSuccess = wall.monotonic();
    return { kind: 'done', nextMs: waitAt(wall.now()) };
  };
  const rules = { openAfter: OPEN_AFTER_FAILURES, intervalMs: ACTIVE_MS, maxWaitMs: MAX_WAIT_MS };
  const loop = createPollLoop({ name: 'ASX', poll: pollOnce, rules, clock: wall, log, schedule, random });
  const feedState = (): FeedState => {
    const { circuit, failure, nextAttempt } = loop.state();
    const success = lastSuccess === null ? null : epochOf(lastSuccess);
    return { circuit, failure, nextAttempt, lastSuccess: success, short, newest };
  };
  const health = () => healthOf(feedState(), wall.now());
  const companies = createCompanyLists({
    ...{ url, wall, http },
    paused: () => (loop.state().circuit.state === 'closed' ? null : health().problem),
    isListed: memory.has,
  });

  return {
    name: 'asx',
    label: () => 'ASX',
    async start(into) {
      sink = into;
      loop.start();
    },
    stop() {
      companies.stop();
      return loop.stop();
    },
    health,
    async refresh(code) {
      return sink === null ? 'Announcements are not read yet.' : companies.refresh(code.toUpperCase(), sink);
    },
    details: () => ({ ...feedState(), polls: loop.state().polls, listed: memory.size(), ...counts }),
  };
}
