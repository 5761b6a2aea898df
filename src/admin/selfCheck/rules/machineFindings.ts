import { bad, doubtful, type Finding, good } from '#lib/finding.ts';
import { humanSize } from '#lib/text.ts';
import { LOW_DISK_BYTES } from '#admin/backups/rules/diskSpace.ts';

/** What the system tells of the disk of a folder. */
export type DiskState = { freeBytes: number; freeFiles: number; files: number; isReadOnly: boolean };

const MB = 1024 * 1024;
/** A start with the whole market and a backup beside it. */
const LOW_MEMORY_BYTES = 200 * MB;
/** Below this share of the files that a disk can hold. */
const LOW_FILES_SHARE = 0.02;

/** What is to be said of the disk of the data folder; null for what the system did not tell. */
export function diskFinding(disk: DiskState | null, folder: string): Finding {
  const what = 'Disk';
  if (disk === null)
    return doubtful(
      what,
      `The system does not tell about the disk of ${folder}.`,
      'Look at it with "df -h".',
    );
  if (disk.isReadOnly) {
    return bad(
      what,
      `The disk of ${folder} is mounted read-only.`,
      'Look at "dmesg" for a fault of the disk or SD card, then mount it writable.',
    );
  }
  if (disk.freeBytes < LOW_DISK_BYTES) {
    return (disk.freeBytes < 20 * MB ? bad : doubtful)(
      what,
      `Only ${humanSize(disk.freeBytes)} are free on the disk of ${folder}.`,
      `Make room: "du -sh ${folder}/*" shows what is large there.`,
    );
  }
  // Some file systems know no limit and say 0.
  if (disk.files > 0 && disk.freeFiles < disk.files * LOW_FILES_SHARE) {
    return doubtful(
      what,
      `The disk of ${folder} can hold hardly any more files (${disk.freeFiles} of ${disk.files}).`,
      'Remove what has very many small files: "df -i" shows the limit.',
    );
  }
  return good(what, `${humanSize(disk.freeBytes)} are free on the disk of ${folder}.`);
}

/** @param available bytes that programs may still take; null where the system does not tell */
export function memoryFinding(available: number | null): Finding {
  const what = 'Memory';
  if (available === null) return good(what, 'The system does not tell how much is available.');
  const says = `${humanSize(available)} are available.`;
  return available < LOW_MEMORY_BYTES
    ? doubtful(what, `Only ${says}`, 'End what else runs on this machine, or give it more memory.')
    : good(what, says);
}
