import type { SystemClock } from '../../../lib/clock.ts';
import type { PollFailure } from '../../../lib/httpClient/pollLoop.ts';
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
/** An answer with less than half of so many known events is a fault of the provider. */
const ENOUGH = 20;
/** After so long the shorter answer is believed. */
const BELIEVED_AFTER_MS = 3 * HOUR_MS;

/**
 * Decides what to ask for and puts answers into the sink: the whole window each hour, and the events whose figure is
 * due in between.
 */
export function createPoll(options: {
  wall: SystemClock;
  fetchEvents: ReturnType<typeof createFetchEvents>;
}) {
  const { wall, fetchEvents } = options;
  let lastWindow: { span: Span; at: number } | null = null;
  let short: (ShortAnswer & { since: number }) | null = null;

  /** The answer is remembered as short, unless it may be believed. */
  const isBelieved = (events: number, expected: number): boolean => {
    const now = wall.monotonic();
    if (expected < ENOUGH || events * 2 >= expected) short = null;
    else short = { events, expected, since: short?.since ?? now };
    if (short !== null && now - short.since >= BELIEVED_AFTER_MS) short = null;
    return short === null;
  };

  const askWindow = async (sink: CalendarSink, signal: AbortSignal): Promise<PollFailure | null> => {
    const span = windowAt(wall.now());
    const fetched = await fetchEvents(span, signal);
    if (fetched.kind === 'failed') return fetched;
    const { events } = fetched;
    // Five days of the whole world are never empty.
    if (events.length === 0) {
      return { kind: 'failed', reason: 'sent a calendar without any event', retryAfterMs: null };
    }
    const known = sink.known(span);
    const expected = known.filter((event) => !isFromWeek(event)).length;
    if (isBelieved(events.length, expected)) sink.replace(span, events);
    else if (known.length === expected) sink.apply(events);
    else {
      // Beside those of the weekly file they would show twice.
      const reason = `sent only ${events.length} events where ${expected} are known`;
      return { kind: 'failed', reason, retryAfterMs: null };
    }
    lastWindow = { span, at: wall.monotonic() };
    return null;
  };

  const askFigures = async (
    span: Span,
    sink: CalendarSink,
    signal: AbortSignal,
  ): Promise<PollFailure | null> => {
    const fetched = await fetchEvents(span, signal);
    if (fetched.kind === 'failed') return fetched;
    if (fetched.events.length > 0) sink.apply(fetched.events);
    return null;
  };

  const isWindowDue = (): boolean =>
    lastWindow === null ||
    wall.monotonic() - lastWindow.at >= NEARLY_HOUR_MS ||
    !isAround(lastWindow.span, wall.now());

  return {
    short: (): ShortAnswer | null => short && { events: short.events, expected: short.expected },
    /** @param mustAsk after a failure: only an answer shows that it is over */
    async run(sink: CalendarSink, signal: AbortSignal, mustAsk: boolean): Promise<PollOutcome> {
      const due = dueSpan((span) => sink.known(span), wall.now());
      const asked = mustAsk || isWindowDue() ? 'window' : due === null ? null : 'figures';
      const failed =
        asked === 'window'
          ? await askWindow(sink, signal)
          : due !== null
            ? await askFigures(due, sink, signal)
            : null;
      if (failed !== null) return failed;
      const untilHour = HOUR_MS - (wall.monotonic() - (lastWindow?.at ?? 0));
      return { kind: 'polled', asked, nextMs: waitFor((span) => sink.known(span), wall.now(), untilHour) };
    },
  };
}
