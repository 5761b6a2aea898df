import { FirstFailure, type Log } from '#lib/log.ts';
import { humanSize } from '#lib/wording.ts';
import type { Inspection } from '#lib/inspection.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import { databaseSize, rowsAtMost } from './figures.ts';
import type { Db } from './open.ts';

const HELD =
  'Another program has been reading the database for a long time: the write-ahead log grows until it finishes; nothing is lost';

const FAILED = 'Could not move pages into the database file; trying again';

type Row = { log: number; checkpointed: number };

const CHECK_MS = 1000;
/** 4 MB. A checkpoint waits for the disk twice, but writes a page once however often it changed. */
const WORTH_PAGES = 1000;

/** 64 MB. Only a program that keeps an old snapshot open holds back this many. */
const HELD_PAGES = 16_384;

/** Moves the pages that can be moved. @returns the pages that remain only in the write-ahead log */
function checkpoint({ $client }: Db, mode: 'NOOP' | 'PASSIVE'): number {
  const row = $client.query<Row, []>(`PRAGMA wal_checkpoint(${mode})`).get();
  // SQLite reports −1 for both without a write-ahead log.
  return row ? Math.max(0, row.log - row.checkpointed) : 0;
}

export const waitingPages = (db: Db): number => checkpoint(db, 'NOOP');

/**
 * Moves pages from the write-ahead log into the database file between transactions. SQLite would do that
 * within a commit, every thousand pages, which makes every eighth tick twice as long.
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
    // Only a warning, because the pages are durable in the log.
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
      'Bytes and pages of the file and its write-ahead log, and the approximate number of rows per table.',
    summary: {
      size: humanSize(size.file),
      free: humanSize(size.free),
      writeAheadLog: humanSize(size.writeAheadLog),
      waitingPages: waitingPages(db),
    },
    data: () => ({ ...size, waitingPages: waitingPages(db), rowsAtMost: rowsAtMost(db) }),
  };
}

export function createCheckpoints({ db, log }: { db: Db; log: Log }, schedule: Scheduler = timerScheduler) {
  const checkpoints = new Checkpoints(db, log.child('database'), schedule);
  return {
    name: 'checkpoints',
    service: { check: () => checkpoints.check() },
    start: () => checkpoints.start(),
    stop: () => checkpoints.stop(),
    inspect: () => inspected(db),
  };
}
