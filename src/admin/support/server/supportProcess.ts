import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lowerPriority, ownCommand } from '#lib/processes.ts';

/** Makes the archive. @returns null when it could not be made */
export type SupportWriter = () => Promise<Uint8Array<ArrayBuffer> | null>;

/** Counting rows of a large database on a slow card takes this long at most. */
const TIMEOUT_MS = 60_000;

/**
 * Makes the archive in a process of its own, with the settings that this one was started with.
 * @param command for tests
 */
export const createSupportWriter =
  (
    env: Readonly<Record<string, string | undefined>>,
    command: (...args: readonly string[]) => readonly string[] = ownCommand,
  ): SupportWriter =>
  async () => {
    // For this user alone; what lies in it is read and removed.
    const folder = mkdtempSync(join(tmpdir(), 'bellbird-support-'));
    const file = join(folder, 'support.tar.gz');
    try {
      const child = Bun.spawn([...command('write-support', file)], {
        stdin: 'ignore',
        stdout: 'ignore',
        stderr: 'inherit',
        env: { ...env },
        timeout: TIMEOUT_MS,
        killSignal: 'SIGKILL',
      });
      lowerPriority(child);
      return (await child.exited) === 0 ? await Bun.file(file).bytes() : null;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
