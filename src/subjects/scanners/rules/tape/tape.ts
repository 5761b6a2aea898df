import { phasesOf } from '../../../../market/rules/sessionClock.ts';
import type { TapeField, TapeTable } from './tapeTables.ts';

export const MINUTE_MS = 60_000;

/** Two minutes of the tape that are further apart have a gap between them; thinned minutes are five apart. */
export const MAX_STEP = 5;

/** At most so much is kept of one day, bytes on disk. */
export const MAX_DAY_BYTES = 3_000_000;
/** So many days of a source are kept. */
export const KEPT_DAYS = 10;

/** A stretch that was recorded, first and last moment, epoch ms on the market's clock. */
export type TapeSpan = { from: number; to: number };

export type TapeDay = {
  /** Sydney date, YYYY-MM-DD. */
  date: string;
  /** Oldest first; nothing was recorded between them. */
  spans: TapeSpan[];
};

/** The answer of `GET /api/data/tape/days`: newest first. */
export type TapeDaysAnswer = { days: TapeDay[] };

/** Rows as columns: the same place in each list is the same row. */
export type TapeRows = {
  codes: string[];
  names: string[];
  funds: boolean[];
  values: Partial<Record<TapeField, (number | null)[]>>;
};

/** The answer of `GET /api/data/tape`: a table as it stood, in its default order, which is each row's rank. */
export type TapeAnswer = {
  table: TapeTable;
  date: string;
  /** The recorded minute that is shown, epoch ms; null where nothing was recorded. */
  time: number | null;
  rows: TapeRows;
};

/** The answer of `GET /api/data/tape/changes`: who entered and left a table, newest first. */
export type TapeChangesAnswer = {
  table: TapeTable;
  date: string;
  /** Of each row: the recorded minute in which it was first seen so, epoch ms, and which way it went. */
  times: number[];
  entered: boolean[];
  /** As they entered, or as they were last seen. */
  rows: TapeRows;
  /** There were more; the newest are here. */
  isCut: boolean;
};

/** At most so many changes in an answer. */
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
