import { HOUR_MS } from '#lib/units.ts';
import { type Clock, createEpochTimes, type Stopwatch, type SystemClock } from '#lib/clock.ts';
import type { HttpClient } from '#lib/httpClient/client.ts';
import { type PollFailure, PollLoop, type PollResult, type PollState } from '#lib/httpClient/pollLoop.ts';
import type { Log } from '#lib/log.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import { type CalendarEvent, hasFigure } from '#market/calendar/rules/calendarEvent.ts';
import { WINDOW_MS } from '#market/calendar/rules/days.ts';
import { type ProviderHealth, type MissingField } from '#market/sources/announcements.ts';
import { type AnswerForm, createAnswerForm, type FormEdges } from '#sources/answerForm.ts';
import { durationText, failureSentences } from '#sources/pollHealth.ts';
import { formatNumber } from '#texts/format.ts';
import { createWeeklyFile, isFromWeek, type Week } from '../forexFactory.ts';
import { type CalendarSink, type CalendarSource, isWithin, type Span } from '#market/sources/calendar.ts';
import { createFetchEvents, EVENT_FIELDS } from './fetchEvents.ts';

/** An all-day event has the midnight of its date and is shown during that date. */
const ALL_DAY_MS = 24 * HOUR_MS;
/** Added to both ends of the window, because it moves until the next answer. */
const MARGIN_MS = 2 * HOUR_MS;
const WATCH_MS = 10_000;
/** How long a due figure is polled for. A later one comes with the next whole window. */
const WATCHED_MS = 5 * 60_000;
/** The poll loop varies waits by a tenth, so a wait is shortened to end in time. */
const SPREAD = 1.1;
const SHORTEST_WAIT_MS = 1000;

const windowAt = (now: number): Span => ({
  from: Math.floor((now - WINDOW_MS - ALL_DAY_MS) / HOUR_MS) * HOUR_MS,
  until: Math.ceil((now + WINDOW_MS + MARGIN_MS) / HOUR_MS) * HOUR_MS,
});

/** Whether a loaded span covers the window around `now`. It may not after the clock was set. */
const isAround = (span: Span, now: number): boolean =>
  span.from <= now - WINDOW_MS && span.until >= now + WINDOW_MS;

const timeOf = ({ dateUtc }: CalendarEvent): number => Date.parse(dateUtc);

/**
 * Whether a figure is due. Events of low impact are not watched; speeches, reports and holidays have none.
 */
const awaitsFigure = (event: CalendarEvent): boolean =>
  (event.volatility === 'HIGH' || event.volatility === 'MEDIUM') && event.actual === null && hasFigure(event);

/**
 * The span of events with due figures, from their time on for five minutes.
 * @param now epoch ms
 * @returns null if none is due
 */
function dueSpan(known: CalendarSink['known'], now: number): Span | null {
  const due = known({ from: now - WATCHED_MS + 1, until: now + 1 })
    .filter(awaitsFigure)
    .map(timeOf);
  if (due.length === 0) return null;
  const from = Math.floor(Math.min(...due) / 1000) * 1000;
  return { from, until: Math.floor(Math.max(...due) / 1000) * 1000 + 1000 };
}

function waitFor(known: CalendarSink['known'], now: number, untilHourMs: number): number {
  if (dueSpan(known, now) !== null) return WATCH_MS;
  const coming = known({ from: now, until: now + HOUR_MS })
    .filter(awaitsFigure)
    .map(timeOf);
  const untilEvent = Math.min(...coming) - now;
  return Math.max(SHORTEST_WAIT_MS, Math.min(untilEvent / SPREAD, untilHourMs));
}

type StandInState = {
  stands: boolean;
  /** The weekly file's failure, completing "ForexFactory …"; null if it was not needed or works. */
  failure: string | null;
  lastSuccess: number | null;
};

/**
 * Known events stay this long after the first failure, because they have figures that the weekly file lacks.
 */
const PATIENCE_MS = 30 * 60_000;

const IDLE: StandInState = { stands: false, failure: null, lastSuccess: null };

/**
 * Uses the weekly file while FXStreet fails: immediately if no coming events are known, otherwise after half
 * an hour. FXStreet's past events stay, and the two never cover the same span.
 */
class StandIn {
  private standing = IDLE;
  private failingSince: number | null = null;
  private since: number | null = null;

  constructor(
    private readonly weekly: ReturnType<typeof createWeeklyFile>,
    private readonly clock: Clock & Stopwatch,
  ) {}

  state(): StandInState {
    return this.standing;
  }

  stop(): void {
    this.failingSince = null;
    this.since = null;
    this.standing = { ...this.standing, stands: false, failure: null };
  }

  async consider(sink: CalendarSink, signal: AbortSignal): Promise<void> {
    if (!this.isNeeded(sink, this.clock.now())) return;
    const week = await this.weekly.read(signal);
    if (signal.aborted) return;
    const failure = week.ok ? this.speak(sink, week.value) : week.error;
    this.standing =
      failure === null
        ? { stands: true, failure, lastSuccess: this.clock.monotonic() }
        : { ...this.standing, failure };
  }

  private isNeeded(sink: CalendarSink, now: number): boolean {
    if (this.standing.stands) return true;
    const passed = this.clock.monotonic();
    this.failingSince ??= passed;
    if (passed - this.failingSince >= PATIENCE_MS) return true;
    return sink.known({ from: now, until: windowAt(now).until }).every(isFromWeek);
  }

  /**
   * Puts the weekly file's events into the sink. @returns the failure, as in the state; null after a success
   */
  private speak(sink: CalendarSink, { span, events }: Week): string | null {
    const now = this.clock.now();
    const window = windowAt(now);
    this.since = this.beginOf(sink, window, now);
    const spoken = { from: Math.max(this.since, span.from), until: Math.min(window.until, span.until) };
    if (spoken.from >= spoken.until) return 'has no events for these days';
    sink.replace(
      spoken,
      events.filter((event) => isWithin(event, spoken)),
    );
    return null;
  }

  private beginOf(sink: CalendarSink, window: Span, now: number): number {
    const past = sink.known({ from: window.from, until: now });
    if (past.every(isFromWeek)) return window.from;
    const before = past.filter(isFromWeek).map(({ dateUtc }) => Date.parse(dateUtc));
    return Math.max(window.from, Math.min(...before, this.since ?? now));
  }
}

type ShortAnswer = { events: number; expected: number };

type FeedState = Pick<PollState, 'circuit' | 'failure' | 'nextAttempt'> & {
  lastSuccess: number | null;
  short: ShortAnswer | null;
  standIn: Pick<StandInState, 'stands' | 'failure'>;
};

function shownText({ standIn, lastSuccess }: FeedState, now: number): string {
  if (standIn.stands) {
    return 'The weekly calendar of ForexFactory is used instead. It has no actual figures.';
  }
  const kept =
    lastSuccess === null
      ? 'Earlier events are still shown.'
      : `The last good answer is ${durationText(now - lastSuccess)} old. Events up to then are shown.`;
  return standIn.failure === null ? kept : `The fallback, ForexFactory, ${standIn.failure}. ${kept}`;
}

const count = (value: number): string => formatNumber(value, 0);

const shortProblem = ({ short }: FeedState): string | null =>
  short &&
  `FXStreet sent only ${count(short.events)} of ${count(short.expected)} known events. The others are still shown.`;

/**
 * Unhealthy before the first answer, after a failure until the next success, and while an answer lacks most
 * known events.
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

type PollOutcome = { kind: 'polled'; asked: 'window' | 'figures' | null; nextMs: number } | PollFailure;

/** Waits vary by a tenth, so the hour may end early. */
const NEARLY_HOUR_MS = 0.85 * HOUR_MS;
/** An answer must have half of the known events if at least this many are known. */
const ENOUGH = 20;
const BELIEVED_AFTER_MS = 3 * HOUR_MS;

/** Loads the whole window each hour, and events with due figures in between. */
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

  /** Whether an answer has enough events, or has been too short for three hours. */
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
      return { kind: 'failed', reason: 'sent a calendar without events', retryAfterMs: null };
    }
    const known = sink.known(span);
    const expected = known.filter((event) => !isFromWeek(event)).length;
    if (this.isBelieved(events.length, expected)) sink.replace(span, events);
    else if (known.length === expected) sink.apply(events);
    else {
      // A short answer is not merged with events of the weekly file, because events would appear twice.
      const reason = `sent only ${events.length} of ${expected} known events`;
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

type FxStreetOptions = FormEdges & {
  url: string;
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

/** FXStreet's calendar on the wall clock, with ForexFactory's weekly file as its replacement. */
export class FxStreet implements CalendarSource {
  readonly name = 'fxstreet';
  readonly clock: SystemClock;
  private sink: CalendarSink | null = null;
  private readonly poll: CalendarPoll;
  private readonly form: AnswerForm;
  private readonly standIn: StandIn;
  private readonly loop: PollLoop;
  private readonly epochOf: (reading: number) => number;
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
