import { createEpochTimes, type SystemClock } from '../../../lib/clock.ts';
import type { HttpClient } from '../../../lib/httpClient/client.ts';
import { createPollLoop, type PollResult } from '../../../lib/httpClient/pollLoop.ts';
import type { Log } from '../../../lib/log.ts';
import { type Scheduler, timerScheduler } from '../../../lib/scheduler.ts';
import { createWeeklyFile } from '../forexFactory/index.ts';
import type { CalendarSink, CalendarSource } from '../source.ts';
import { type FeedState, healthOf } from './feedHealth.ts';
import { createFetchEvents } from './fetchEvents.ts';
import { createPoll } from './poll.ts';
import { createStandIn } from './standIn.ts';
import { WATCH_MS } from './watch.ts';

export type FxStreetOptions = {
  /** Base address; /en/api/v2/eventDates is added. */
  url: string;
  /** Base address of the weekly file that stands in. */
  forexFactoryUrl: string;
  wall: SystemClock;
  log: Log;
  http: HttpClient;
  random?: () => number;
  schedule?: Scheduler;
};

export type FxStreetSource = Omit<CalendarSource, 'details'> & {
  details(): FeedState & { polls: number; windows: number; figures: number };
};

const OPEN_AFTER_FAILURES = 5;
const MAX_WAIT_MS = 10 * 60_000;

const laterOf = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

/**
 * FXStreet's calendar as a source, with the weekly file of ForexFactory as its stand-in.
 * @returns a source on the wall clock; `start` does not wait for the first answer
 */
export function createFxStreet(options: FxStreetOptions): FxStreetSource {
  const { url, forexFactoryUrl, wall, log, http, random = Math.random, schedule = timerScheduler } = options;
  const epochOf = createEpochTimes(wall);
  const poll = createPoll({ wall, fetchEvents: createFetchEvents({ url, http, log }) });
  const weekly = createWeeklyFile({ url: forexFactoryUrl, stopwatch: wall, http });
  const standIn = createStandIn({ weekly, clock: wall });
  let sink: CalendarSink | null = null;
  /** By the stopwatch. */
  let lastSuccess: number | null = null;
  const counts = { windows: 0, figures: 0 };

  const pollOnce = async (stop: AbortSignal): Promise<PollResult> => {
    if (sink === null) return { kind: 'done', nextMs: WATCH_MS };
    const outcome = await poll.run(sink, stop, loop.state().failure !== null);
    if (outcome.kind === 'failed') {
      if (!stop.aborted) await standIn.consider(sink, stop);
      return outcome;
    }
    if (outcome.asked === 'window') {
      standIn.stop();
      counts.windows += 1;
    } else if (outcome.asked === 'figures') counts.figures += 1;
    if (outcome.asked !== null) lastSuccess = wall.monotonic();
    return { kind: 'done', nextMs: outcome.nextMs };
  };
  const rules = { openAfter: OPEN_AFTER_FAILURES, intervalMs: WATCH_MS, maxWaitMs: MAX_WAIT_MS };
  const edges = { clock: wall, log, schedule, random };
  const loop = createPollLoop({ name: 'FXStreet', poll: pollOnce, rules, ...edges });
  const feedState = (): FeedState => {
    const { circuit, failure, nextAttempt } = loop.state();
    const { stands, failure: standInFailure, lastSuccess: stoodIn } = standIn.state();
    const success = laterOf(lastSuccess, stoodIn);
    return {
      ...{ circuit, failure, nextAttempt, short: poll.short() },
      lastSuccess: success === null ? null : epochOf(success),
      standIn: { stands, failure: standInFailure },
    };
  };

  return {
    name: 'fxstreet',
    label: () => (standIn.state().stands ? 'ForexFactory' : 'FXStreet'),
    clock: wall,
    async start(into) {
      sink = into;
      loop.start();
    },
    stop: () => loop.stop(),
    health: () => healthOf(feedState(), wall.now()),
    details: () => ({ ...feedState(), polls: loop.state().polls, ...counts }),
  };
}
