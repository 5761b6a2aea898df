import { createEpochTimes, type SystemClock } from '#lib/clock.ts';
import type { HttpClient } from '#lib/httpClient/client.ts';
import { PollLoop, type PollResult } from '#lib/httpClient/pollLoop.ts';
import type { Log } from '#lib/log.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import { createWeeklyFile } from '../forexFactory/index.ts';
import type { ProviderHealth } from '#sources/announcements/source.ts';
import type { CalendarSink, CalendarSource } from '../source.ts';
import { type AnswerForm, createAnswerForm, type FormEdges } from '#sources/answerForm.ts';
import type { MissingField } from '#sources/missingFields.ts';
import { EVENT_FIELDS } from './event.ts';
import { type FeedState, healthOf } from './feedHealth.ts';
import { createFetchEvents } from './fetchEvents.ts';
import { CalendarPoll } from './poll.ts';
import { StandIn } from './standIn.ts';
import { WATCH_MS } from './watch.ts';

export type FxStreetOptions = FormEdges & {
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

const OPEN_AFTER_FAILURES = 5;
const MAX_WAIT_MS = 10 * 60_000;

const laterOf = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

/** FXStreet's calendar as a source on the wall clock, with the weekly file of ForexFactory as its stand-in. */
export class FxStreet implements CalendarSource {
  readonly name = 'fxstreet';
  readonly clock: SystemClock;
  private sink: CalendarSink | null = null;
  private readonly poll: CalendarPoll;
  private readonly form: AnswerForm;
  private readonly standIn: StandIn;
  private readonly loop: PollLoop;
  private readonly epochOf: (reading: number) => number;
  /** By the stopwatch. */
  private lastSuccess: number | null = null;
  private readonly counts = { windows: 0, figures: 0 };

  constructor(options: FxStreetOptions) {
    const {
      url,
      forexFactoryUrl,
      wall,
      log,
      http,
      random = Math.random,
      schedule = timerScheduler,
    } = options;
    this.clock = wall;
    this.epochOf = createEpochTimes(wall);
    this.form = createAnswerForm({ ...options, source: this.name, fields: EVENT_FIELDS });
    this.poll = new CalendarPoll(wall, createFetchEvents({ url, http, log, form: this.form }));
    this.standIn = new StandIn(createWeeklyFile({ url: forexFactoryUrl, stopwatch: wall, http }), wall);
    this.loop = new PollLoop({
      name: 'FXStreet',
      poll: (stop) => this.pollOnce(stop),
      rules: { openAfter: OPEN_AFTER_FAILURES, intervalMs: WATCH_MS, maxWaitMs: MAX_WAIT_MS },
      clock: wall,
      log,
      schedule,
      random,
    });
  }

  label(): string {
    return this.standIn.state().stands ? 'ForexFactory' : 'FXStreet';
  }

  /** Does not wait for the first answer. */
  async start(into: CalendarSink): Promise<void> {
    this.sink = into;
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  health(): ProviderHealth {
    return healthOf(this.feedState(), this.clock.now());
  }

  missing(): readonly MissingField[] {
    return this.form.missing();
  }

  details() {
    return { ...this.feedState(), polls: this.loop.state().polls, ...this.counts };
  }

  private async pollOnce(stop: AbortSignal): Promise<PollResult> {
    if (this.sink === null) return { kind: 'done', nextMs: WATCH_MS };
    const outcome = await this.poll.run(this.sink, stop, this.loop.state().failure !== null);
    if (outcome.kind === 'failed') {
      if (!stop.aborted) await this.standIn.consider(this.sink, stop);
      return outcome;
    }
    if (outcome.asked === 'window') {
      this.standIn.stop();
      this.counts.windows += 1;
    } else if (outcome.asked === 'figures') this.counts.figures += 1;
    if (outcome.asked !== null) this.lastSuccess = this.clock.monotonic();
    return { kind: 'done', nextMs: outcome.nextMs };
  }

  private feedState(): FeedState {
    const { circuit, failure, nextAttempt } = this.loop.state();
    const { stands, failure: standInFailure, lastSuccess: stoodIn } = this.standIn.state();
    const success = laterOf(this.lastSuccess, stoodIn);
    return {
      circuit,
      failure,
      nextAttempt,
      short: this.poll.short(),
      lastSuccess: success === null ? null : this.epochOf(success),
      standIn: { stands, failure: standInFailure },
    };
  }
}
