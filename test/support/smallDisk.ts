import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A file system of its own that is soon full. */
export type SmallDisk = {
  folder: string;
  /** Takes all room that is left. @returns what gives it back */
  fill(): () => void;
  /** From now on nothing can be written on it. */
  makeReadOnly(): void;
  release(): void;
};

/**
 * Mounts one in the memory. Only an administrator may, and not in every container.
 * @returns null where it is refused; the reason is printed
 */
export function mountSmallDisk(folder: string, kilobytes: number): SmallDisk | null {
  mkdirSync(folder, { recursive: true });
  const run = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder], {
    stderr: 'pipe',
  });
  if (run.exitCode !== 0) {
    console.log(`Not tried on a full disk, as none can be made here: ${run.stderr.toString().trim()}`);
    return null;
  }
  return {
    folder,
    fill: () => {
      const path = join(folder, 'filler');
      const handle = openSync(path, 'a');
      const piece = new Uint8Array(4096);
      try {
        for (;;) writeSync(handle, piece);
      } catch {
        // Full.
      } finally {
        closeSync(handle);
      }
      return () => rmSync(path, { force: true });
    },
    makeReadOnly: () => void Bun.spawnSync(['mount', '-o', 'remount,ro', folder]),
    release: () => void Bun.spawnSync(['umount', '--lazy', folder]),
  };
}
