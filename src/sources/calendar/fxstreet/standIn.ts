import type { Clock, Stopwatch } from '#lib/clock.ts';
import { type CalendarSink, isWithin, type Span } from '../source.ts';
import type { createWeeklyFile } from '../forexFactory/index.ts';
import { isFromWeek, type Week } from '../forexFactory/week.ts';
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
export class StandIn {
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
