import type { Clock, Stopwatch } from '../../../lib/clock.ts';
import { type CalendarSink, isWithin, type Span } from '../source.ts';
import type { createWeeklyFile } from '../forexFactory/index.ts';
import { isFromWeek } from '../forexFactory/week.ts';
import { windowAt } from './watch.ts';

export type StandInState = {
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
export function createStandIn(options: {
  weekly: ReturnType<typeof createWeeklyFile>;
  clock: Clock & Stopwatch;
}) {
  const { weekly, clock } = options;
  let state = IDLE;
  /** By the stopwatch: the first of the failures in a row. */
  let failingSince: number | null = null;
  /** From where on the weekly file speaks, epoch ms. */
  let since: number | null = null;

  const isNeeded = (sink: CalendarSink, now: number): boolean => {
    if (state.stands) return true;
    failingSince ??= clock.monotonic();
    if (clock.monotonic() - failingSince >= PATIENCE_MS) return true;
    return sink.known({ from: now, until: windowAt(now).until }).every(isFromWeek);
  };

  const beginOf = (sink: CalendarSink, window: Span, now: number): number => {
    const past = sink.known({ from: window.from, until: now });
    if (past.every(isFromWeek)) return window.from;
    // After a restart: where it began to stand in before.
    const before = past.filter(isFromWeek).map(({ dateUtc }) => Date.parse(dateUtc));
    return Math.max(window.from, Math.min(...before, since ?? now));
  };

  return {
    state: () => state,
    /** FXStreet answers: everything of the weekly file was replaced. */
    stop() {
      failingSince = null;
      since = null;
      state = { ...state, stands: false, failure: null };
    },
    /** FXStreet failed once more. Never rejects. */
    async consider(sink: CalendarSink, signal: AbortSignal): Promise<void> {
      if (!isNeeded(sink, clock.now())) return;
      const week = await weekly.read(signal);
      if (signal.aborted) return;
      if (!week.ok) {
        state = { ...state, failure: week.error };
        return;
      }
      const now = clock.now();
      const window = windowAt(now);
      since = beginOf(sink, window, now);
      const { span, events } = week.value;
      const spoken = { from: Math.max(since, span.from), until: Math.min(window.until, span.until) };
      if (spoken.from >= spoken.until) {
        state = { ...state, failure: 'has no events of these days' };
        return;
      }
      const within = events.filter((event) => isWithin(event, spoken));
      sink.replace(spoken, within);
      state = { stands: true, failure: null, lastSuccess: clock.monotonic() };
    },
  };
}
