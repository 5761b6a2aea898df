import { phasesOf } from '#market/rules/sessionClock.ts';

export const MINUTE_MS = 60_000;

/** Two minutes of the tape that are further apart have a gap between them; thinned minutes are five apart. */
export const MAX_STEP = 5;

/** At most so much is kept of one day, bytes on disk. */
export const MAX_DAY_BYTES = 3_000_000;
/** This many days of a source are kept. */
export const KEPT_DAYS = 10;

/** A stretch that was recorded, first and last moment, epoch ms on the market's clock. */
type TapeSpan = { from: number; to: number };

/** At most this many changes in an answer. */
export const MAX_CHANGES = 200;

/** When the tape of a day runs, epoch ms: from the pre-open until the closing prices are known; null without trading. */
export function tapeHours(date: string): TapeSpan | null {
  const phases = phasesOf(date);
  const from = phases[0]?.since;
  const to = phases.find(({ phase }) => phase === 'adjust')?.since;
  return from === undefined || to === undefined ? null : { from, to: to + MINUTE_MS };
}

/** Part of the day's bytes that may be used up at once, so that a lively pre-open is not thinned. */
const HEAD_START = 0.15;

/**
 * How many minutes apart the tape is written, so that the bytes of a day last until its end: every minute, or every fifth
 * where it is ahead of them.
 * @param used bytes of the day so far @param now epoch ms
 */
export function stepOf(used: number, { from, to }: TapeSpan, now: number): 1 | typeof MAX_STEP {
  const share = Math.min(1, Math.max(0, (now - from) / (to - from)));
  return used <= MAX_DAY_BYTES * (HEAD_START + (1 - HEAD_START) * share) ? 1 : MAX_STEP;
}

/** Stretches that follow each other closely become one. @param spans oldest first */
export function joinSpans(spans: readonly TapeSpan[]): TapeSpan[] {
  const joined: TapeSpan[] = [];
  for (const span of spans) {
    const before = joined.at(-1);
    if (before && span.from - before.to <= MAX_STEP * MINUTE_MS) before.to = Math.max(before.to, span.to);
    else joined.push({ ...span });
  }
  return joined;
}
