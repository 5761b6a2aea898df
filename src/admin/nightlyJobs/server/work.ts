import type { Log } from '#lib/log.ts';
import type { Pruned } from '#src/part.ts';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '#lib/errorCode.ts';

const DAY_MS = 24 * 3_600_000;
const KEPT_DAYS = 30;
/** Log files that were put aside: `bellbird.log.3`. */
const PUT_ASIDE = /^[\w.-]{1,100}\.log\.\d{1,3}$/;

function oldLogs(folder: string, before: number): string[] {
  try {
    return readdirSync(folder).filter((name) => {
      if (!PUT_ASIDE.test(name)) return false;
      const info = statSync(join(folder, name), { throwIfNoEntry: false });
      return info?.isFile() === true && info.mtimeMs < before;
    });
  } catch (error) {
    // Nothing was logged to a file yet.
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Removes log files that were put aside and not written to for thirty days. @param now epoch ms */
export function dropOldLogs(folder: string, now: number): Pruned {
  const names = oldLogs(folder, now - KEPT_DAYS * DAY_MS);
  for (const name of names) rmSync(join(folder, name), { force: true });
  return { removed: names.length, hasMore: false };
}

/** Something that removes what is too old, under a name for the log. */
export type Pruner = { name: string; prune(): Pruned };

/** What a night's work did. */
export type NightReport = {
  /** When it began, epoch ms. */
  startedAt: number;
  tookMs: number;
  /** The backup's name, or why there is none. */
  backup: string;
  isBackedUp: boolean;
  /** Rows and files that were removed, by what removed them; without those that removed nothing. */
  removed: Record<string, number>;
  /** What could not be removed. */
  failed: string[];
};

/** Between two pieces, so that what people do comes in between. */
const PAUSE_MS = 200;
/** A pruner that always has more must not keep the job for ever. */
const MAX_PIECES = 50_000;

export type PruningDeps = { log: Log; pause(ms: number): Promise<void>; isStopped(): boolean };

/** Calls every pruner until it has no more; one that fails costs only itself. */
export async function pruneAll(
  pruners: readonly Pruner[],
  { log, pause, isStopped }: PruningDeps,
): Promise<Pick<NightReport, 'removed' | 'failed'>> {
  const removed: Record<string, number> = {};
  const failed: string[] = [];
  for (const { name, prune } of pruners) {
    let count = 0;
    try {
      for (let piece = 0; piece < MAX_PIECES && !isStopped(); piece += 1) {
        const done = prune();
        count += done.removed;
        if (!done.hasMore) break;
        await pause(PAUSE_MS);
      }
    } catch (error) {
      log.error('What is too old could not be removed; trying again next night', { part: name, error });
      failed.push(name);
    }
    if (count > 0) removed[name] = count;
  }
  return { removed, failed };
}
