import { folderOf, type TapeFiles } from './files.ts';
import {
  cutRecord,
  EMPTY,
  partRecord,
  readRecords,
  type SegmentSpan,
  type TapeIndex,
  type TapePart,
  withRecord,
} from './pack/records.ts';

type SavedPart = TapePart & { minutes: Uint8Array };
/** The parts of a segment, oldest first, whose bytes belong together. */
type SavedSegment = SegmentSpan & { parts: Uint8Array[] };

/** Cached indexes of days; each has a few hundred numbers. */
const MAX_INDEXES = 12;

/** The scanner history of one source. Dates are Sydney sessions, YYYY-MM-DD. */
export class TapeStore {
  readonly #folder: string;
  readonly #indexes = new Map<string, TapeIndex>();

  /** @param source its name */
  constructor(
    private readonly files: TapeFiles,
    source: string,
  ) {
    this.#folder = folderOf(source);
  }

  /** Replaces the parts from its first minute on. @throws if it cannot be written */
  save(date: string, { minutes, ...part }: SavedPart): void {
    this.#write(date, part.first, partRecord(part, minutes));
  }

  /** Drops the minutes of a day from one on. */
  cut(date: string, minute: number): void {
    const { parts } = this.#index(date);
    if ((parts.at(-1)?.until ?? 0) <= minute) return;
    const isWithin = parts.some(({ first, until }) => first < minute && until > minute);
    this.#write(date, minute, isWithin ? cutRecord(minute) : new Uint8Array());
  }

  /** Oldest first. */
  spans(date: string): SegmentSpan[] {
    return this.#index(date).parts.map(({ first, until }) => ({ first, until }));
  }

  /** The segment with a minute up to then, or the last before it; null for none. */
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

  /** Valid bytes of a day. */
  sizeOf(date: string): number {
    return this.#index(date).parts.reduce((sum, { from, to }) => sum + to - from, 0);
  }

  /** Newest first. */
  dates(): string[] {
    return this.files.dates(this.#folder);
  }

  /** Removes old days of every source. @returns their number */
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

  /** Writes a record after the parts that begin before a minute, and drops later ones. */
  #write(date: string, minute: number, record: Uint8Array): void {
    const { parts, end } = this.#index(date);
    const at = parts.find(({ first }) => first >= minute)?.begins ?? end;
    this.files.write(this.#folder, date, at, record);
    const kept = { parts: parts.filter(({ first }) => first < minute), end: at };
    this.#remember(date, record.length > 0 ? withRecord(kept, record) : kept);
  }

  #index(date: string): TapeIndex {
    const known = this.#indexes.get(date);
    if (known) return known;
    const file = this.files.read(this.#folder, date);
    return file ? this.#remember(date, readRecords(file)) : EMPTY;
  }

  #remember(date: string, index: TapeIndex): TapeIndex {
    this.#indexes.delete(date);
    this.#indexes.set(date, index);
    const [oldest] = this.#indexes.keys();
    if (this.#indexes.size > MAX_INDEXES && oldest !== undefined) this.#indexes.delete(oldest);
    return index;
  }
}
