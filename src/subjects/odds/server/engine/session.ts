import { HOUR_MS, MINUTE_MS } from '#lib/units.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { closingMinute } from '#market/rules/tradingDay.ts';
import type { SessionGap, SessionReader } from '#market/sessions/rules/sessionDay.ts';

/** Minutes are those of the day in Sydney: 600 is 10:00. */
const PRE_OPEN_MINUTE = 420;
/** The opening auction is at 09:59:45. */
export const FIRST_MINUTE = 599;
const USUAL_CLOSE = 960;
/** The closing auction and its last trades end this many minutes after continuous trading. */
const CLOSING_MINUTES = 12;

/** The parts of gaps within a range of minutes, without empty ones. */
const within = (gaps: readonly SessionGap[], from: number, until: number): SessionGap[] =>
  gaps
    .map((gap) => ({ from: Math.max(from, gap.from), until: Math.min(until, gap.until) }))
    .filter((gap) => gap.from < gap.until)
    .sort((a, b) => a.from - b.from);

/** What the engine knows of a session before its stocks. */
export class SessionDay {
  readonly date: string;
  readonly isComplete: boolean;
  /** The minute after trading. */
  readonly end: number;
  /** Gaps from the pre-open on, and those during trading. */
  readonly gaps: readonly SessionGap[];
  readonly tradingGaps: readonly SessionGap[];
  private readonly midnight: number;

  /** @param index of the session in the run’s dates */
  constructor(
    { date, gaps, isComplete }: Pick<SessionReader, 'date' | 'gaps' | 'isComplete'>,
    readonly index: number,
  ) {
    this.date = date;
    this.isComplete = isComplete;
    this.end = (closingMinute(date) ?? USUAL_CLOSE) + CLOSING_MINUTES;
    this.gaps = within(gaps, PRE_OPEN_MINUTE, this.end);
    this.tradingGaps = within(gaps, FIRST_MINUTE, this.end);
    // Daylight saving changes on Sundays, so noon is twelve hours after midnight on every trading day.
    this.midnight = fromSydney(date, 12, 0) - 12 * HOUR_MS;
  }

  /** The end of a minute, epoch ms: values are those after its last change. */
  endOf(minute: number): number {
    return this.midnight + (minute + 1) * MINUTE_MS - 1;
  }

  /** Whether data is missing after a minute, until another one inclusive. Only trading counts. */
  hasGap(after: number, until: number): boolean {
    return this.tradingGaps.some((gap) => gap.from <= until && gap.until > after + 1);
  }

  gapMinutes(): number {
    return this.tradingGaps.reduce((sum, { from, until }) => sum + until - from, 0);
  }
}
