import { readFile } from 'node:fs/promises';

/**
 * What the system counted of a process's writing, bytes.
 *
 * - `storage`: pages that it made dirty in files of a disk, 4 KiB each, however few bytes of them changed, and what it
 *   synced: what reaches an SD card. Nothing is counted on a file system in memory.
 * - `calls`: what was given to the calls that write; also to pipes, and without the rest of each page.
 */
export type DiskWrites = { storage: number; calls: number };

/** @throws where the system keeps no such counters */
export async function diskWrites(pid: number): Promise<DiskWrites> {
  const text = await readFile(`/proc/${pid}/io`, 'utf8');
  const read = (name: string): number => {
    const value = new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1];
    if (value === undefined) throw new Error(`The system tells no ${name} of process ${pid}.`);
    return Number(value);
  };
  return { storage: read('write_bytes') - read('cancelled_write_bytes'), calls: read('wchar') };
}
