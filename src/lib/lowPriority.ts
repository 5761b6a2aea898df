import { constants, setPriority } from 'node:os';

/** Has a process give way to all others; the disk serves by it too, where its scheduler asks for it. */
export function lowPriority({ pid }: { pid: number }): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It is over already, or the system does not allow it: then it takes its share.
  }
}
