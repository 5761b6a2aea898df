import { FirstFailure, type Log } from '#lib/log.ts';
import { humanSize } from '#lib/wording.ts';
import type { Inspection } from '#lib/inspection.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import { databaseSize, rowsAtMost } from './figures.ts';
import type { Db } from './open.ts';

const HELD =
  'Another program has been reading the database for long: the write-ahead log grows until it is done, and nothing is lost';

const FAILED = 'Pages could not be moved into the database file; trying again';

type Row = { log: number; checkpointed: number };

const CHECK_MS = 1000;
/**
 * 4 MB. A checkpoint waits twice for the disk, however few pages it moves, and what was written again and again until then it
 * writes once.
 */
const WORTH_PAGES = 1000;

/** 64 MB: only a program that goes on reading what the database was at an earlier time keeps this many from being moved. */
const HELD_PAGES = 16_384;

/** Moves what can be moved, or nothing. @returns pages that are in the write-ahead log alone after it */
function checkpoint({ $client }: Db, mode: 'NOOP' | 'PASSIVE'): number {
  const row = $client.query<Row, []>(`PRAGMA wal_checkpoint(${mode})`).get();
  // Both are −1 where there is no write-ahead log.
  return row ? Math.max(0, row.log - row.checkpointed) : 0;
}

/** Pages of the write-ahead log that are not in the database file yet. */
export const waitingPages = (db: Db): number => checkpoint(db, 'NOOP');

/**
 * Moves pages from the write-ahead log into the database file between the transactions. Left to itself SQLite does that
 * within a commit, every thousand pages: with many alerts in every eighth tick, which then took twice as long as others.
 */
class Checkpoints {
  readonly #failure: FirstFailure;
  #cancel: (() => void) | null = null;
  #isHeld = false;

  constructor(
    private readonly db: Db,
    private readonly log: Log,
    private readonly schedule: Scheduler,
  ) {
    // No more than a warning, as nothing is lost: the pages are durable where they are.
    this.#failure = new FirstFailure(log, FAILED, 'warn');
  }

  start(): void {
    this.#cancel ??= this.schedule(CHECK_MS, this.#again);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  check(): void {
    try {
      const left = waitingPages(this.db) >= WORTH_PAGES ? checkpoint(this.db, 'PASSIVE') : 0;
      if (left >= HELD_PAGES && !this.#isHeld) this.log.warn(HELD, { pages: left });
      this.#isHeld = left >= HELD_PAGES;
      this.#failure.ended();
    } catch (error) {
      this.#failure.failed(error);
    }
  }

  readonly #again = (): void => {
    this.check();
    this.#cancel = this.schedule(CHECK_MS, this.#again);
  };
}

function inspected(db: Db): Inspection {
  const size = databaseSize(db);
  return {
    label: 'Database',
    description:
      'Bytes and pages of the file and its write-ahead log, and about how many rows each table has.',
    summary: {
      size: humanSize(size.file),
      free: humanSize(size.free),
      writeAheadLog: humanSize(size.writeAheadLog),
      waitingPages: waitingPages(db),
    },
    data: () => ({ ...size, waitingPages: waitingPages(db), rowsAtMost: rowsAtMost(db) }),
  };
}

/** The part that keeps the write-ahead log short. */
export function createCheckpoints({ db, log }: { db: Db; log: Log }, schedule: Scheduler = timerScheduler) {
  const checkpoints = new Checkpoints(db, log.child('database'), schedule);
  return {
    name: 'checkpoints',
    /** `check` moves what waits, where that is worth its while; called by a timer. */
    service: { check: () => checkpoints.check() },
    start: () => checkpoints.start(),
    stop: () => checkpoints.stop(),
    inspect: () => inspected(db),
  };
}
