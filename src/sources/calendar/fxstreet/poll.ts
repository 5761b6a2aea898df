import type { SystemClock } from '#lib/clock.ts';
import type { PollFailure } from '#lib/httpClient/pollLoop.ts';
import { isFromWeek } from '../forexFactory/week.ts';
import type { CalendarSink, Span } from '../source.ts';
import type { createFetchEvents } from './fetchEvents.ts';
import type { ShortAnswer } from './feedHealth.ts';
import { dueSpan, isAround, waitFor, windowAt } from './watch.ts';

/** `asked` is false where nothing was due. */
export type PollOutcome =
  | { kind: 'polled'; asked: 'window' | 'figures' | null; nextMs: number }
  | PollFailure;

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
export class CalendarPoll {
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
