import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { errorCode } from './errors.ts';

export const ownCommand = (...args: readonly string[]): readonly string[] =>
  import.meta.dir.startsWith('/$bunfs/')
    ? [process.execPath, ...args]
    : [process.execPath, join(import.meta.dir, '../main.ts'), ...args];

/**
 * Lowers the CPU priority of a process, and its disk priority if the scheduler supports that. It keeps about
 * a tenth of a busy processor: at the lowest priority other programs would almost stop it, and people wait
 * for backups too.
 */
export function lowerPriority({ pid }: { pid: number }): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has ended, or the system does not allow it. It then keeps the normal priority.
  }
}

const BUSY_TRIES = 10;
const BUSY_WAIT_MS = 100;

/** Starts a program. Retries, because a file that was just written is busy while another child starts. */
export async function whenNotBusy<T>(spawn: () => T): Promise<T> {
  for (let left = BUSY_TRIES; ; left -= 1) {
    try {
      return spawn();
    } catch (error) {
      if (errorCode(error) !== 'ETXTBSY' || left === 0) throw error;
      await Bun.sleep(BUSY_WAIT_MS);
    }
  }
}
