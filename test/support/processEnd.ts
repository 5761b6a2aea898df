import { readFileSync } from 'node:fs';
import { waitUntil } from './waitUntil.ts';

/** Whether a process runs; one that has ended but is not collected by its parent does not. */
const isAlive = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

/** Waits for the end of a process, because a killed one continues until the system ends it. */
export const processEnd = (pid: number): Promise<void> =>
  waitUntil(`the end of process ${pid}`, () => !isAlive(pid));
