import { type DayFiles, folderOf } from '#lib/dayFiles.ts';

/** A range of minutes since the epoch: `first` inclusive, `until` exclusive. */
export type SegmentSpan = { first: number; until: number };

/** Minutes of a segment. `goesOnFrom` is the first minute of the segment's first part; null for that part. */
export type HistoryPart = SegmentSpan & { goesOnFrom: number | null };

/** A part with the positions of its record and bytes in the file. */
type PlacedPart = HistoryPart & { begins: number; from: number; to: number };

/** The parts of a file, oldest first, and the end of the last complete record. */
type HistoryIndex = { parts: readonly PlacedPart[]; end: number };

/** Kinds of records: 'TAPE' is a part, 'CUT.' invalidates the minutes from `first`. */
const PART = 0x45504154;
const CUT = 0x2e545543;
const HEAD = 24;
const SUMMED = 20;

export const HISTORY_EXTENSION = '.tape';

export const EMPTY: HistoryIndex = { parts: [], end: 0 };

const sumOf = (head: Uint8Array, bytes: Uint8Array): number =>
  Bun.hash.crc32(bytes, Bun.hash.crc32(head.subarray(0, SUMMED)));

/** Kind, first, until, the minute that it continues, length and checksum, 32 bits each; then the bytes. */
function record(kind: number, { first, until, goesOnFrom }: HistoryPart, bytes: Uint8Array): Uint8Array {
  const out = Buffer.alloc(HEAD + bytes.length);
  for (const [index, value] of [kind, first, until, goesOnFrom ?? 0, bytes.length].entries())
    out.writeUInt32LE(value, index * 4);
  out.writeUInt32LE(sumOf(out, bytes), SUMMED);
  out.set(bytes, HEAD);
  return out;
}

export const partRecord = (part: HistoryPart, bytes: Uint8Array): Uint8Array => record(PART, part, bytes);

const cutRecord = (minute: number): Uint8Array =>
  record(CUT, { first: minute, until: minute, goesOnFrom: null }, new Uint8Array());

const cutAt = (parts: readonly PlacedPart[], minute: number): PlacedPart[] =>
  parts
    .filter(({ first }) => first < minute)
    .map((part) => ({ ...part, until: Math.min(part.until, minute) }));

/** Adds a complete record at the end to an index. */
function withRecord({ parts, end }: HistoryIndex, bytes: Uint8Array): HistoryIndex {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, HEAD);
  const [kind, first, until, goesOnFrom, length] = [0, 4, 8, 12, 16].map((at) => head.readUInt32LE(at)) as [
    ...[number, number, number, number, number],
  ];
  const from = end + HEAD;
  if (kind === CUT) return { parts: cutAt(parts, first), end: from };
  const part = { first, until, goesOnFrom: goesOnFrom || null, begins: end, from, to: from + length };
  return { parts: [...cutAt(parts, first), part], end: part.to };
}

/** The record at a position; null if it is incomplete, as after a crash or a power cut. */
function recordAt(file: Buffer, at: number): Uint8Array | null {
  if (at + HEAD > file.length) return null;
  const kind = file.readUInt32LE(at);
  const length = file.readUInt32LE(at + 16);
  if ((kind !== PART && kind !== CUT) || at + HEAD + length > file.length) return null;
  const whole = file.subarray(at, at + HEAD + length);
  const isWhole = file.readUInt32LE(at + SUMMED) === sumOf(whole, whole.subarray(HEAD));
  return isWhole ? whole : null;
}

/** Indexes a file up to the first incomplete record. */
export function readRecords(bytes: Uint8Array): HistoryIndex {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let index = EMPTY;
  for (let next = recordAt(file, 0); next; next = recordAt(file, index.end)) index = withRecord(index, next);
  return index;
}

type SavedPart = HistoryPart & { minutes: Uint8Array };
/** The parts of a segment, oldest first, which are decoded together. */
type SavedSegment = SegmentSpan & { parts: Uint8Array[] };

/** Limit of cached indexes; each has a few hundred numbers. */
const MAX_INDEXES = 12;

export class HistoryStore {
  readonly #folder: string;
  readonly #indexes = new Map<string, HistoryIndex>();

  constructor(
    private readonly files: DayFiles,
    source: string,
  ) {
    this.#folder = folderOf(source);
  }

  /** Writes a part and drops parts from its first minute on. @throws if it cannot be written */
  save(date: string, { minutes, ...part }: SavedPart): void {
    this.#write(date, part.first, partRecord(part, minutes));
  }

  /** Drops the minutes of a day from a given one on. */
  cut(date: string, minute: number): void {
    const { parts } = this.#index(date);
    if ((parts.at(-1)?.until ?? 0) <= minute) return;
    const isWithin = parts.some(({ first, until }) => first < minute && until > minute);
    this.#write(date, minute, isWithin ? cutRecord(minute) : new Uint8Array());
  }

  /** Recorded spans, oldest first. */
  spans(date: string): SegmentSpan[] {
    return this.#index(date).parts.map(({ first, until }) => ({ first, until }));
  }

  /** The segment that contains a minute, only up to it, or the last one before it; null if there is none. */
  at(date: string, minute: number): SavedSegment | null {
    const { parts } = this.#index(date);
    const last = parts.findLast(({ first }) => first <= minute);
    if (!last) return null;
    const first = last.goesOnFrom ?? last.first;
    const own = parts.filter((part) => part.first >= first && part.first <= last.first);
    const start = own[0]?.from ?? last.from;
    const bytes = this.files.read(this.#folder, date, start, last.to);
    if (!bytes) return null;
    return {
      first,
      until: last.until,
      parts: own.map(({ from, to }) => bytes.subarray(from - start, to - start)),
    };
  }

  sizeOf(date: string): number {
    return this.#index(date).parts.reduce((sum, { from, to }) => sum + to - from, 0);
  }

  /** Recorded dates, newest first. */
  dates(): string[] {
    return this.files.dates(this.#folder);
  }

  /** Deletes old days of every source. @returns their number */
  prune(keptDays: number): number {
    let removed = 0;
    for (const folder of this.files.folders()) {
      for (const date of this.files.dates(folder).slice(keptDays)) {
        this.files.remove(folder, date);
        if (folder === this.#folder) this.#indexes.delete(date);
        removed += 1;
      }
    }
    return removed;
  }

  /** Writes a record after the parts that begin before a minute, and drops the later parts. */
  #write(date: string, minute: number, record: Uint8Array): void {
    const { parts, end } = this.#index(date);
    const at = parts.find(({ first }) => first >= minute)?.begins ?? end;
    this.files.write(this.#folder, date, at, record);
    const kept = { parts: parts.filter(({ first }) => first < minute), end: at };
    this.#remember(date, record.length > 0 ? withRecord(kept, record) : kept);
  }

  #index(date: string): HistoryIndex {
    const known = this.#indexes.get(date);
    if (known) return known;
    const file = this.files.read(this.#folder, date);
    return file ? this.#remember(date, readRecords(file)) : EMPTY;
  }

  #remember(date: string, index: HistoryIndex): HistoryIndex {
    this.#indexes.delete(date);
    this.#indexes.set(date, index);
    const [oldest] = this.#indexes.keys();
    if (this.#indexes.size > MAX_INDEXES && oldest !== undefined) this.#indexes.delete(oldest);
    return index;
  }
}
