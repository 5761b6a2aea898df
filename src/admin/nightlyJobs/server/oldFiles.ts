import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Pruned } from '../../../part.ts';

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
    if ((error as { code?: string }).code === 'ENOENT') return [];
    throw error;
  }
}

/** Removes log files that were put aside and not written to for thirty days. @param now epoch ms */
export function dropOldLogs(folder: string, now: number): Pruned {
  const names = oldLogs(folder, now - KEPT_DAYS * DAY_MS);
  for (const name of names) rmSync(join(folder, name), { force: true });
  return { removed: names.length, hasMore: false };
}
