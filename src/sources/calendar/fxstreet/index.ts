import { createEpochTimes, type SystemClock } from '#lib/clock.ts';
import type { HttpClient } from '#lib/httpClient/client.ts';
import { PollLoop, type PollResult, type PollFailure, type PollState } from '#lib/httpClient/pollLoop.ts';
import type { Log } from '#lib/log.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import { createWeeklyFile } from '../forexFactory/index.ts';
import type { ProviderHealth } from '#sources/announcements/source.ts';
import type { CalendarSink, CalendarSource, Span } from '../source.ts';
import { type AnswerForm, createAnswerForm, type FormEdges } from '#sources/answerForm.ts';
import type { MissingField } from '#sources/missingFields.ts';
import { EVENT_FIELDS } from './event.ts';
import { createFetchEvents } from './fetchEvents.ts';
import { StandIn, type StandInState } from './standIn.ts';
import { WATCH_MS, dueSpan, isAround, waitFor, windowAt } from './watch.ts';
import { isFromWeek } from '../forexFactory/week.ts';
import { formatNumber } from '#texts/format.ts';
import { durationText, failureSentences } from '#sources/pollHealth.ts';

/** An answer that lacks too much of what was known to be true. */
type ShortAnswer = { events: number; expected: number };

/** The state of the connection to FXStreet, and of what stands in for it. */
type FeedState = Pick<PollState, 'circuit' | 'failure' | 'nextAttempt'> & {
  /** Epoch ms, of whichever answered last. */
  lastSuccess: number | null;
  short: ShortAnswer | null;
  standIn: Pick<StandInState, 'stands' | 'failure'>;
};

function shownText({ standIn, lastSuccess }: FeedState, now: number): string {
  if (standIn.stands) {
    return 'The weekly calendar of ForexFactory stands in: it has no actual figures.';
  }
  const kept =
    lastSuccess === null
      ? 'Events that were kept earlier stay.'
      : `The last good answer is ${durationText(now - lastSuccess)} old; events stay as they were.`;
  return standIn.failure === null ? kept : `ForexFactory, which could stand in, ${standIn.failure}. ${kept}`;
}

const count = (value: number): string => formatNumber(value, 0);

const shortProblem = ({ short }: FeedState): string | null =>
  short &&
  `FXStreet sent only ${count(short.events)} events where ${count(short.expected)} are known. The others stay.`;

/**
 * The health of the calendar: unhealthy before the first answer, from a failed poll until the next good one, and while
 * an answer lacks most of what is known.
 * @param now epoch ms
 */
function healthOf(state: FeedState, now: number): ProviderHealth {
  const { failure, lastSuccess } = state;
  const waiting = lastSuccess === null ? 'Waiting for the first answer from FXStreet.' : null;
  const problem =
    failure === null
      ? (waiting ?? shortProblem(state))
      : failureSentences('FXStreet', failure, shownText(state, now), state, now);
  return { healthy: problem === null, problem, lastSuccess };
}

/** `asked` is false where nothing was due. */
type PollOutcome = { kind: 'polled'; asked: 'window' | 'figures' | null; nextMs: number } | PollFailure;

const HOUR_MS = 3_600_000;
/** Waits are spread by a tenth: an hour that ends a little early is over. */
const NEARLY_HOUR_MS = 0.85 * HOUR_MS;
/** An answer with less than half of this many known events is a fault of the provider. */
const ENOUGH = 20;
/** After so long the shorter answer is believed. */
const BELIEVED_AFTER_MS = 3 * HOUR_MS;

/**
 * Decides what to ask for and puts answers into the sink: the whole window each hour, and the events whose figure is
 * due in between.
 */
class CalendarPoll {
  private lastWindow: { span: Span; at: number } | null = null;
  private shortAnswer: (ShortAnswer & { since: number }) | null = null;

  constructor(
    private readonly wall: SystemClock,
    private readonly fetchEvents: ReturnType<typeof createFetchEvents>,
  ) {}

  short(): ShortAnswer | null {
    return this.shortAnswer && { events: this.shortAnswer.events, expected: this.shortAnswer.expected };
  }

  /** @param mustAsk after a failure: only an answer shows that it is over */
  async run(sink: CalendarSink, signal: AbortSignal, mustAsk: boolean): Promise<PollOutcome> {
    const { wall } = this;
    const due = dueSpan((span) => sink.known(span), wall.now());
    const asked = mustAsk || this.isWindowDue() ? 'window' : due === null ? null : 'figures';
    const failed =
      asked === 'window'
        ? await this.askWindow(sink, signal)
        : due !== null
          ? await this.askFigures(due, sink, signal)
          : null;
    if (failed !== null) return failed;
    const untilHour = HOUR_MS - (wall.monotonic() - (this.lastWindow?.at ?? 0));
    return { kind: 'polled', asked, nextMs: waitFor((span) => sink.known(span), wall.now(), untilHour) };
  }

  private isWindowDue(): boolean {
    const { lastWindow, wall } = this;
    return (
      lastWindow === null ||
      wall.monotonic() - lastWindow.at >= NEARLY_HOUR_MS ||
      !isAround(lastWindow.span, wall.now())
    );
  }

  /** The answer is remembered as short, unless it may be believed. */
  private isBelieved(events: number, expected: number): boolean {
    const now = this.wall.monotonic();
    let short = this.shortAnswer;
    if (expected < ENOUGH || events * 2 >= expected) short = null;
    else short = { events, expected, since: short?.since ?? now };
    if (short !== null && now - short.since >= BELIEVED_AFTER_MS) short = null;
    this.shortAnswer = short;
    return short === null;
  }

  private async askWindow(sink: CalendarSink, signal: AbortSignal): Promise<PollFailure | null> {
    const span = windowAt(this.wall.now());
    const fetched = await this.fetchEvents(span, signal);
    if (fetched.kind === 'failed') return fetched;
    const { events } = fetched;
    // Five days of the whole world are never empty.
    if (events.length === 0) {
      return { kind: 'failed', reason: 'sent a calendar without any event', retryAfterMs: null };
    }
    const known = sink.known(span);
    const expected = known.filter((event) => !isFromWeek(event)).length;
    if (this.isBelieved(events.length, expected)) sink.replace(span, events);
    else if (known.length === expected) sink.apply(events);
    else {
      // Beside those of the weekly file they would show twice.
      const reason = `sent only ${events.length} events where ${expected} are known`;
      return { kind: 'failed', reason, retryAfterMs: null };
    }
    this.lastWindow = { span, at: this.wall.monotonic() };
    return null;
  }

  private async askFigures(span: Span, sink: CalendarSink, signal: AbortSignal): Promise<PollFailure | null> {
    const fetched = await this.fetchEvents(span, signal);
    if (fetched.kind === 'failed') return fetched;
    if (fetched.events.length > 0) sink.apply(fetched.events);
    return null;
  }
}

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
