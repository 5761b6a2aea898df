import { readFile } from 'node:fs/promises';

/**
 * Bytes written by a process, as counted by the system.
 * - `storage`: pages that it changed in files of a disk, 4 KiB each however few bytes changed, and what it
 * synced. This reaches an SD card. File systems in memory count nothing.
 * - `calls`: bytes passed to write calls, also to pipes.
 */
export type DiskWrites = { storage: number; calls: number };

/** @throws if the system has no such counters */
export async function diskWrites(pid: number): Promise<DiskWrites> {
  const text = await readFile(`/proc/${pid}/io`, 'utf8');
  const read = (name: string): number => {
    const value = new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1];
    if (value === undefined) throw new Error(`The system tells no ${name} of process ${pid}.`);
    return Number(value);
  };
  return { storage: read('write_bytes') - read('cancelled_write_bytes'), calls: read('wchar') };
}
