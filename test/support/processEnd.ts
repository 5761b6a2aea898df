import { readFileSync } from 'node:fs';
import { waitUntil } from './waitUntil.ts';

/** Whether a process runs; one that only waits for its parent to look at its end does not. */
const isAlive = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

/** Waits for the end of a process: one that was killed goes on until the system has come to it. */
export const processEnd = (pid: number): Promise<void> =>
  waitUntil(`the end of process ${pid}`, () => !isAlive(pid));
