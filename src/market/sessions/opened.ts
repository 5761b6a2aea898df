import type { DayFiles } from '#lib/dayFiles.ts';
import { FRAME_BYTES, HEAD_BYTES, isWholeFile, partsIn, unframed } from './files.ts';
import { coverageIn, coverageOf, piecesOf, readPieces } from './parts.ts';
import type { SessionGap, StockSession } from './rules/sessionDay.ts';
import { RunningSession } from './running.ts';

/** A session whose stocks can be read many times, also by several readers in turn. */
export type OpenedSession = { stocks(): Generator<StockSession> };

/** Limit of whole sessions that stay open. */
const MAX_WHOLE = 2;

/** The coverage of a whole session is within this many bytes, unless it has very many gaps. */
const COVERAGE_BYTES = 1024;

/** A file that gets a part each minute. */
class GrowingFile {
  readonly session = new RunningSession();
  /** Parts that were read from the file and not yet added. */
  private waiting: Uint8Array[] = [];
  /** Where the last read part begins, and its hash. */
  private start = 0;
  private hash: ReturnType<typeof Bun.hash> | null = null;

  constructor(readonly date: string) {}

  /** Reads the parts since the last call. @returns false if earlier ones have changed, as after a jump back */
  read(files: DayFiles, folder: string): boolean {
    const size = files.size(folder, this.date);
    const bytes = files.read(folder, this.date, this.start, size) ?? new Uint8Array();
    const { bodies } = unframed(bytes);
    if (this.hash !== null) {
      const last = bodies.shift();
      if (!last || Bun.hash(last) !== this.hash) return false;
      if (bodies.length > 0) this.start += FRAME_BYTES + last.length;
    }
    for (const [index, body] of bodies.entries()) {
      this.waiting.push(body);
      this.hash = Bun.hash(body);
      if (index < bodies.length - 1) this.start += FRAME_BYTES + body.length;
    }
    return true;
  }

  /** Adds a part per step. Several readers may share the work. Parts after an unreadable one are missing. */
  *add(): Generator<undefined, void> {
    for (let body = this.waiting.shift(); body; body = this.waiting.shift()) {
      try {
        this.session.add(body);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        this.waiting = [];
      }
      yield;
    }
  }
}

/** The sessions of a source, for showing their minutes. */
export class OpenedSessions {
  private readonly whole = new Map<string, OpenedSession & { size: number }>();
  private readonly coverages = new Map<string, { size: number; covered: readonly SessionGap[] }>();
  private growing: GrowingFile | null = null;

  /** @param folder of the source, in `files` */
  constructor(
    private readonly files: DayFiles,
    private readonly folder: string,
  ) {}

  /** The recorded minutes of a date, read from the heads of its parts. */
  covered(date: string): readonly SessionGap[] {
    const size = this.files.size(this.folder, date);
    const known = this.coverages.get(date);
    if (known?.size === size) return known.covered;
    const covered = this.readCovered(date);
    this.coverages.set(date, { size, covered });
    return covered;
  }

  /** Opens a session; the first time a running one is opened, in a step per minute. @returns null if there is none */
  *open(date: string): Generator<undefined, OpenedSession | null> {
    const { files, folder, whole } = this;
    const size = files.size(folder, date);
    if (size === 0) return null;
    let opened = whole.get(date);
    if (opened?.size !== size) {
      if (!isWholeFile(files.read(folder, date, 0, HEAD_BYTES) ?? new Uint8Array(), size))
        return yield* this.grown(date);
      const stocks = [...piecesOf(partsIn(files.read(folder, date) ?? new Uint8Array()))];
      opened = { size, stocks: () => readPieces(stocks) };
      yield;
    }
    whole.delete(date);
    whole.set(date, opened);
    const [oldest] = whole.keys();
    if (whole.size > MAX_WHOLE && oldest !== undefined) whole.delete(oldest);
    return opened;
  }

  figures() {
    return { opened: [...this.whole.keys()], running: this.growing?.date ?? null };
  }

  private *grown(date: string): Generator<undefined, OpenedSession> {
    let file = this.growing?.date === date ? this.growing : new GrowingFile(date);
    if (!file.read(this.files, this.folder)) {
      file = new GrowingFile(date);
      file.read(this.files, this.folder);
    }
    this.growing = file;
    yield* file.add();
    return file.session;
  }

  private readCovered(date: string): readonly SessionGap[] {
    const { files, folder } = this;
    const head = files.read(folder, date, 0, COVERAGE_BYTES) ?? new Uint8Array();
    if (isWholeFile(head, files.size(folder, date)) && head.length === COVERAGE_BYTES) {
      try {
        return coverageIn(head.subarray(FRAME_BYTES)).covered;
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
    }
    const { bodies } = unframed(files.read(folder, date) ?? new Uint8Array());
    return coverageOf(bodies.map((body) => ({ coverage: coverageIn(body) }))).covered;
  }
}
