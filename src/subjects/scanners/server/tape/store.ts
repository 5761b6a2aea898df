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

/** A part as it is written. */
type SavedPart = TapePart & { minutes: Uint8Array };
/** A piece of the tape with its parts, oldest first: their bytes stand one behind the other. */
type SavedSegment = SegmentSpan & { parts: Uint8Array[] };

/** Where each day's parts are is remembered for so many; each is a few hundred numbers. */
const MAX_INDEXES = 12;

/** The tape of one source. Dates are those of sessions in Sydney, YYYY-MM-DD. */
export class TapeStore {
  readonly #folder: string;
  readonly #indexes = new Map<string, TapeIndex>();

  /** @param source its name; tapes of other sources are neither read nor changed */
  constructor(
    private readonly files: TapeFiles,
    source: string,
  ) {
    this.#folder = folderOf(source);
  }

  /** Puts a part in the place of those that began at its first minute or later. @throws when it can't be written */
  save(date: string, { minutes, ...part }: SavedPart): void {
    this.#write(date, part.first, partRecord(part, minutes));
  }

  /** What of a day is from a minute on does not count any more. */
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

  /** The segment in which a minute is, until then, else the last before it; null when there is none. */
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

  /** Bytes of a day that count. */
  sizeOf(date: string): number {
    return this.#index(date).parts.reduce((sum, { from, to }) => sum + to - from, 0);
  }

  /** Newest first. */
  dates(): string[] {
    return this.files.dates(this.#folder);
  }

  /** Removes the days that are too old, of every source. @returns how many days */
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

  /** Writes a record behind the parts that begin before a minute; what stood there does not count any more. */
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
