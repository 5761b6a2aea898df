import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Mounts a small file system in memory, which is soon full. Needs root, and not every container allows it.
 * @returns null if it is refused; the reason is printed
 */
export function mountSmallDisk(folder: string, kilobytes: number) {
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
    /** Takes all free space. @returns a function that frees it */
    fill: () => {
      const path = join(folder, 'filler');
      const handle = openSync(path, 'a');
      const chunk = new Uint8Array(4096);
      try {
        for (;;) writeSync(handle, chunk);
      } catch {
        // Full.
      } finally {
        closeSync(handle);
      }
      return () => rmSync(path, { force: true });
    },
    release: () => void Bun.spawnSync(['umount', '--lazy', folder]),
  };
}

export type SmallDisk = NonNullable<ReturnType<typeof mountSmallDisk>>;
