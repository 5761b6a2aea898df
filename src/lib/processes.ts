import { constants, setPriority } from 'node:os';
import { join } from 'node:path';

/**
 * This program with one of its commands, as a process of its own is started with it: the executable itself, or Bun with
 * the sources.
 */
export const ownCommand = (...args: readonly string[]): readonly string[] =>
  import.meta.dir.startsWith('/$bunfs/')
    ? [process.execPath, ...args]
    : [process.execPath, join(import.meta.dir, '../main.ts'), ...args];

/**
 * Lowers the priority of a process, and of its disk access if the disk's scheduler supports that. It keeps about a tenth of a
 * busy processor: at the lowest priority other programs stop it almost completely, and people wait for backups too.
 */
export function lowerPriority({ pid }: { pid: number }): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has ended, or the system does not allow it. It then keeps the normal priority.
  }
}
