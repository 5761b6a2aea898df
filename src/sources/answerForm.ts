import type { MissingField } from '../market/sources/announcements.ts';
import type { Stopwatch, SystemClock } from '../lib/clock.ts';
import { isRecord, type JsonRecord, parseJson } from '../lib/json.ts';
import type { Log } from '../lib/log.ts';

export type SourceMemory = {
  read(key: string): unknown;
  write(key: string, value: string | null): void;
};

export const NO_MEMORY: SourceMemory = { read: () => null, write: () => undefined };

export type RowField = { name: string; isIn(row: JsonRecord): boolean };

const MIN_ROWS = 10;
const MOST = 0.5;

const canReport = (rows: readonly unknown[]): boolean => rows.length >= MIN_ROWS;

export function missingIn(rows: readonly unknown[], fields: readonly RowField[]): string[] {
  if (!canReport(rows)) return [];
  const lacking = ({ isIn }: RowField) => rows.filter((row) => !isRecord(row) || !isIn(row)).length;
  return fields.filter((field) => lacking(field) > rows.length * MOST).map(({ name }) => name);
}

export type FormEdges = { memory?: SourceMemory; keepAnswer?: KeepAnswer };

export type AnswerForm = ReturnType<typeof createAnswerForm>;

/**
 * Tracks the format of answers that are lists of rows.
 * @param options.source the storage key
 * @param options.fields the expected fields of each row
 */
export function createAnswerForm(
  options: FormEdges & { source: string; fields: readonly RowField[]; wall: SystemClock; log: Log },
) {
  const { source, fields, wall, log, memory = NO_MEMORY, keepAnswer } = options;
  const missingFields = createMissingFields({ key: `${source}_missing`, memory, clock: wall, log });
  const lastGood = createLastGoodAnswer((text) => keepAnswer?.(source, text), wall);
  return {
    note(rows: readonly unknown[], isUsable: boolean): void {
      const missing = missingIn(rows, fields);
      missingFields.note(missing, () => canReport(rows));
      if (!isUsable || missing.length > 0) lastGood.bad();
      else if (canReport(rows)) lastGood.good({ at: wall.now(), rows: someOf(rows) });
    },
    missing: missingFields.current,
  };
}

type Times = ReadonlyMap<string, number>;
/** `lasting` fields count as missing; `seen` ones were missing in the newest answer. */
type MissingState = { lasting: Times; seen: Times };

/**
 * Updates the state by an answer. A field counts as missing after two consecutive answers without it, since
 * the first. It stays missing while answers prove nothing.
 * @param missing fields absent from the answer
 * @param isJudged whether the answer proves something about a field
 * @param now epoch ms
 */
function stepMissing(
  { lasting, seen }: MissingState,
  { missing, isJudged }: { missing: readonly string[]; isJudged: (name: string) => boolean },
  now: number,
): MissingState {
  const times = missing.map(
    (name) => [name, Math.min(lasting.get(name) ?? seen.get(name) ?? now, now)] as const,
  );
  const unjudged = [...lasting].filter(([name]) => !missing.includes(name) && !isJudged(name));
  const counting = times.filter(([name]) => lasting.has(name) || seen.has(name));
  return { lasting: new Map([...unjudged, ...counting]), seen: new Map(times) };
}

const MAX_KEPT = 100;
const MAX_NAME = 100;

function readMissing(kept: unknown): Map<string, number> {
  const parsed = typeof kept === 'string' ? parseJson(kept) : null;
  const value = parsed?.ok && isRecord(parsed.value) ? parsed.value : {};
  const times = Object.entries(value).flatMap(([name, since]) =>
    name.length <= MAX_NAME && typeof since === 'number' && Number.isFinite(since)
      ? [[name, since] as const]
      : [],
  );
  return new Map(times.slice(0, MAX_KEPT));
}

const textOf = (times: Times): string | null =>
  times.size === 0 ? null : JSON.stringify(Object.fromEntries([...times].slice(0, MAX_KEPT)));

const ALL = (): boolean => true;

export type MissingFields = ReturnType<typeof createMissingFields>;

/** Tracks missing fields over a restart, and writes changes. @param options.key the storage key */
export function createMissingFields(options: {
  key: string;
  memory: SourceMemory;
  clock: Pick<SystemClock, 'now'>;
  log: Log;
}) {
  const { key, memory, clock, log } = options;
  let state: MissingState | null = null;
  const known = (): MissingState => (state ??= { lasting: readMissing(memory.read(key)), seen: new Map() });

  function keep(text: string | null): void {
    try {
      memory.write(key, text);
    } catch (error) {
      log.warn('Could not save since when fields are missing', { error });
    }
  }

  return {
    note(missing: readonly string[], isJudged: (name: string) => boolean = ALL): void {
      const before = textOf(known().lasting);
      state = stepMissing(known(), { missing, isJudged }, clock.now());
      const after = textOf(state.lasting);
      if (after !== before) keep(after);
    },
    current: (): MissingField[] =>
      [...known().lasting].map(([name, since]) => ({ name, since })).toSorted((a, b) => a.since - b.since),
  };
}

/** Stores the sample of a source's last good answer; does not throw. */
export type KeepAnswer = (source: string, text: string) => void;

type AnswerSample = { at: number; rows: readonly unknown[] };

const MAX_BYTES = 20_000;
const MAX_ROWS = 4;
const MAX_TEXT = 200;
const MAX_ITEMS = 300;
const MAX_DEPTH = 4;

function clipped(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item: unknown) => clipped(item, depth + 1));
  const members = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(members.map(([key, item]) => [key.slice(0, MAX_TEXT), clipped(item, depth + 1)]));
}

export const someOf = <T>(rows: readonly T[]): T[] =>
  rows.length <= MAX_ROWS
    ? [...rows]
    : Array.from({ length: MAX_ROWS }, (_, at) => rows[Math.floor((at * rows.length) / MAX_ROWS)] as T);

function sampleText({ at, rows }: AnswerSample): string | null {
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

/** The shareable part of a sample: field names, numbers, times; of other texts the length. */
export function formOf(value: unknown): unknown {
  if (typeof value === 'string') return TIME.test(value) ? value : `text of ${value.length}`;
  if (Array.isArray(value)) return value.map(formOf);
  if (!isRecord(value)) return value;
  const known = Object.entries(value).filter(([name]) => FIELD.test(name));
  return Object.fromEntries(known.map(([name, item]) => [name, formOf(item)]));
}

const KEEP_EVERY_MS = 10 * 60_000;

export type LastGoodAnswer = ReturnType<typeof createLastGoodAnswer>;

/** Holds a few rows of the last good answer, and stores them when an answer of another form follows. */
export function createLastGoodAnswer(keep: (text: string) => void, stopwatch: Stopwatch) {
  let last: AnswerSample | null = null;
  let keptAt = Number.NEGATIVE_INFINITY;
  return {
    good(sample: AnswerSample): void {
      last = sample;
    },
    bad(): void {
      if (last === null || stopwatch.monotonic() - keptAt < KEEP_EVERY_MS) return;
      const text = sampleText(last);
      last = null;
      keptAt = stopwatch.monotonic();
      if (text !== null) keep(text);
    },
  };
}
