import type { Stopwatch } from '../lib/clock.ts';
import { isRecord } from '../lib/json.ts';

/** Puts the sample of a source's last good answer where it outlasts this run; does not throw. */
export type KeepAnswer = (source: string, text: string) => void;

/** Some rows of an answer, and when it came, epoch ms. */
export type AnswerSample = { at: number; rows: readonly unknown[] };

const MAX_BYTES = 20_000;
const MAX_ROWS = 4;
const MAX_TEXT = 200;
const MAX_ITEMS = 300;
const MAX_DEPTH = 4;

/** A part of a value that is small whatever the value is. */
function clipped(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item: unknown) => clipped(item, depth + 1));
  const members = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(members.map(([key, item]) => [key.slice(0, MAX_TEXT), clipped(item, depth + 1)]));
}

/** A few of many rows, from all over the list. */
export const someOf = <T>(rows: readonly T[]): T[] =>
  rows.length <= MAX_ROWS
    ? [...rows]
    : Array.from({ length: MAX_ROWS }, (_, at) => rows[Math.floor((at * rows.length) / MAX_ROWS)] as T);

/** The sample as JSON, with as many rows as fit into 20 KB; null where not one does. */
export function sampleText({ at, rows }: AnswerSample): string | null {
  const kept = someOf(rows).map((row) => clipped(row));
  while (kept.length > 0) {
    const text = JSON.stringify({ at, rows: kept });
    if (Buffer.byteLength(text) <= MAX_BYTES) return text;
    kept.pop();
  }
  return null;
}

const FIELD = /^[A-Za-z][\w.|+-]{0,60}$/;
const TIME = /^\d{4}-\d\d-\d\d(?:T[\d:.]{5,15}Z?)?$/;

/**
 * What of a sample may be given away: names of fields, figures and times; of other texts only how long they are.
 * @param value as it was kept
 */
export function formOf(value: unknown): unknown {
  if (typeof value === 'string') return TIME.test(value) ? value : `text of ${value.length}`;
  if (Array.isArray(value)) return value.map(formOf);
  if (!isRecord(value)) return value;
  const known = Object.entries(value).filter(([name]) => FIELD.test(name));
  return Object.fromEntries(known.map(([name, item]) => [name, formOf(item)]));
}

/** A source whose answers come and go is written of no more often than this. */
const KEEP_EVERY_MS = 10 * 60_000;

export type LastGoodAnswer = ReturnType<typeof createLastGoodAnswer>;

/** Holds a few rows of the last good answer, and has them kept once an answer of another form follows. */
export function createLastGoodAnswer(keep: (text: string) => void, stopwatch: Stopwatch) {
  let last: AnswerSample | null = null;
  let keptAt = Number.NEGATIVE_INFINITY;
  return {
    /** An answer was good: costs no more than holding a few of its rows. */
    good(sample: AnswerSample): void {
      last = sample;
    },
    /** One was of another form, or lacked something. */
    bad(): void {
      if (last === null || stopwatch.monotonic() - keptAt < KEEP_EVERY_MS) return;
      const text = sampleText(last);
      last = null;
      keptAt = stopwatch.monotonic();
      if (text !== null) keep(text);
    },
  };
}
