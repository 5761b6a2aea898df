import { humanSize } from '../../lib/humanSize.ts';
import type { Log } from '../../lib/log.ts';
import { type Scheduler, timerScheduler } from '../../lib/scheduler.ts';
import { databaseSize, rowsAtMost } from './figures.ts';
import type { Db } from './open.ts';

const HELD =
  'Another program has been reading the database for long: the write-ahead log grows until it is done, and nothing is lost';

type Row = { log: number; checkpointed: number };

const CHECK_MS = 1000;
/** A checkpoint waits twice for the disk, however few pages it moves. */
const WORTH_PAGES = 250;

/** 64 MB: only a program that goes on reading what the database was at an earlier time keeps so many from being moved. */
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
export function createCheckpoints(core: { db: Db; log: Log }, schedule: Scheduler = timerScheduler) {
  const { db } = core;
  const log = core.log.child('database');
  let cancel: (() => void) | null = null;
  let isFailing = false;
  let isHeld = false;

  function check(): void {
    try {
      const left = waitingPages(db) >= WORTH_PAGES ? checkpoint(db, 'PASSIVE') : 0;
      if (left >= HELD_PAGES && !isHeld) log.warn(HELD, { pages: left });
      isHeld = left >= HELD_PAGES;
      isFailing = false;
    } catch (error) {
      // Nothing is lost: the pages are durable where they are.
      if (!isFailing) log.warn('Pages could not be moved into the database file; trying again', { error });
      isFailing = true;
    }
  }

  function again(): void {
    check();
    cancel = schedule(CHECK_MS, again);
  }

  return {
    name: 'checkpoints',
    /** `check` moves what waits, where that is worth its while; called by a timer. */
    service: { check },
    start(): void {
      cancel ??= schedule(CHECK_MS, again);
    },
    stop(): void {
      cancel?.();
      cancel = null;
    },
    inspect: () => {
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
    },
  };
}
