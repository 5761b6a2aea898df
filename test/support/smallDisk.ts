import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Mounts a file system of its own in the memory, which is soon full. Only an administrator may, and not in every container.
 * @returns null where it is refused; the reason is printed
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
    /** Takes all room that is left. @returns what gives it back */
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
    release: () => void Bun.spawnSync(['umount', '--lazy', folder]),
  };
}

export type SmallDisk = NonNullable<ReturnType<typeof mountSmallDisk>>;
