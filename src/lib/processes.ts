import { constants, setPriority } from 'node:os';
import { join } from 'node:path';

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
