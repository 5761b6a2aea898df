import { type Clock, createEpochTimes, type Stopwatch, type SystemClock } from '#lib/clock.ts';
import type { HttpClient } from '#lib/httpClient/client.ts';
import { type PollFailure, PollLoop, type PollResult, type PollState } from '#lib/httpClient/pollLoop.ts';
import type { Log } from '#lib/log.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { WINDOW_MS } from '#market/calendar/rules/days.ts';
import type { ProviderHealth } from '#sources/announcements/source.ts';
import { type AnswerForm, createAnswerForm, type FormEdges, type MissingField } from '#sources/answerForm.ts';
import { durationText, failureSentences } from '#sources/pollHealth.ts';
import { hasFigure } from '#subjects/calendar/rules/reminderMessage.ts';
import { formatNumber } from '#texts/format.ts';
import { createWeeklyFile, isFromWeek, type Week } from '../forexFactory.ts';
import { type CalendarSink, type CalendarSource, isWithin, type Span } from '../source.ts';
import { createFetchEvents, EVENT_FIELDS } from './fetchEvents.ts';

const HOUR_MS = 3_600_000;
/** An all-day event bears the midnight that begins its date, which is shown for as long as that date is. */
const ALL_DAY_MS = 24 * HOUR_MS;
/** The window moves on until the next answer. */
const MARGIN_MS = 2 * HOUR_MS;
/** Between two looks at an event whose figure is due. */
const WATCH_MS = 10_000;
/** A figure that is not there by then comes with the next whole window. */
const WATCHED_MS = 5 * 60_000;
/** A wait that the poll loop spreads by a tenth does not end after what it is for. */
const SPREAD = 1.1;
const SHORTEST_WAIT_MS = 1000;

/** What is asked for at once: the days around now, in whole hours. */
const windowAt = (now: number): Span => ({
  from: Math.floor((now - WINDOW_MS - ALL_DAY_MS) / HOUR_MS) * HOUR_MS,
  until: Math.ceil((now + WINDOW_MS + MARGIN_MS) / HOUR_MS) * HOUR_MS,
});

/** Whether a stretch still holds the days around now; it does not after the clock was set. */
const isAround = (span: Span, now: number): boolean =>
  span.from <= now - WINDOW_MS && span.until >= now + WINDOW_MS;

const timeOf = ({ dateUtc }: CalendarEvent): number => Date.parse(dateUtc);

/** Whether a figure of weight is still to come: speeches, reports and holidays have none. */
const awaitsFigure = (event: CalendarEvent): boolean =>
  (event.volatility === 'HIGH' || event.volatility === 'MEDIUM') && event.actual === null && hasFigure(event);

/**
 * The stretch of time of the events whose figure is due: from their time on, for five minutes.
 * @param now epoch ms
 * @returns null when none is
 */
function dueSpan(known: CalendarSink['known'], now: number): Span | null {
  const due = known({ from: now - WATCHED_MS + 1, until: now + 1 })
    .filter(awaitsFigure)
    .map(timeOf);
  if (due.length === 0) return null;
  // Whole seconds, as the address has no fractions.
  const from = Math.floor(Math.min(...due) / 1000) * 1000;
  return { from, until: Math.floor(Math.max(...due) / 1000) * 1000 + 1000 };
}

/**
 * How long to wait until something is to be asked for.
 * @param now epoch ms; @param untilHourMs until the whole window is due
 */
function waitFor(known: CalendarSink['known'], now: number, untilHourMs: number): number {
  if (dueSpan(known, now) !== null) return WATCH_MS;
  const coming = known({ from: now, until: now + HOUR_MS })
    .filter(awaitsFigure)
    .map(timeOf);
  const untilEvent = Math.min(...coming) - now;
  return Math.max(SHORTEST_WAIT_MS, Math.min(untilEvent / SPREAD, untilHourMs));
}

type StandInState = {
  /** Whether what is shown from now on comes from the weekly file. */
  stands: boolean;
  /** Why it can't stand in, completing "ForexFactory …"; null while it was not needed or works. */
  failure: string | null;
  /** When it stood in last, by the stopwatch. */
  lastSuccess: number | null;
};

/** Events that are known stay for so long after the first failure: they hold figures that the weekly file lacks. */
const PATIENCE_MS = 30 * 60_000;

const IDLE: StandInState = { stands: false, failure: null, lastSuccess: null };

/**
 * Lets the weekly file stand in while FXStreet fails: at once where nothing is known of what comes, else after half
 * an hour. What FXStreet said of the past stays, and the two never speak of the same stretch of time.
 */
class StandIn {
  private standing = IDLE;
  /** By the stopwatch: the first of the failures in a row. */
  private failingSince: number | null = null;
  /** From where on the weekly file speaks, epoch ms. */
  private since: number | null = null;

  constructor(
    private readonly weekly: ReturnType<typeof createWeeklyFile>,
    private readonly clock: Clock & Stopwatch,
  ) {}

  state(): StandInState {
    return this.standing;
  }

  /** FXStreet answers: everything of the weekly file was replaced. */
  stop(): void {
    this.failingSince = null;
    this.since = null;
    this.standing = { ...this.standing, stands: false, failure: null };
  }

  /** FXStreet failed once more. Never rejects. */
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

  /** Puts the events of the weekly file into the sink. @returns why it can't, as in the state; null when it did */
  private speak(sink: CalendarSink, { span, events }: Week): string | null {
    const now = this.clock.now();
    const window = windowAt(now);
    this.since = this.beginOf(sink, window, now);
    const spoken = { from: Math.max(this.since, span.from), until: Math.min(window.until, span.until) };
    if (spoken.from >= spoken.until) return 'has no events of these days';
    sink.replace(
      spoken,
      events.filter((event) => isWithin(event, spoken)),
    );
    return null;
  }

  private beginOf(sink: CalendarSink, window: Span, now: number): number {
    const past = sink.known({ from: window.from, until: now });
    if (past.every(isFromWeek)) return window.from;
    // After a restart: where it began to stand in before.
    const before = past.filter(isFromWeek).map(({ dateUtc }) => Date.parse(dateUtc));
    return Math.max(window.from, Math.min(...before, this.since ?? now));
  }
}

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

type FxStreetOptions = FormEdges & {
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
