import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type NamedBackup, readBackupName } from '../rules/backupName.ts';
import { surplusBackups } from '../rules/keptBackups.ts';

export type BackupFile = NamedBackup & { bytes: number };

/** A folder's names; none when there is no such folder yet. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return [];
    throw error;
  }
}

/** The backups in a folder, newest first; files of other names are not looked at. */
export function listBackups(folder: string): BackupFile[] {
  const files: BackupFile[] = [];
  for (const name of namesIn(folder)) {
    const backup = readBackupName(name);
    // It may have been deleted since it was listed.
    const info = backup && statSync(join(folder, name), { throwIfNoEntry: false });
    if (backup && info?.isFile()) files.push({ ...backup, bytes: info.size });
  }
  return files.sort((a, b) => b.madeAt - a.madeAt);
}

/** Deletes those that `surplusBackups` names. @returns how many */
export function dropSurplus(folder: string, now: number): number {
  const surplus = surplusBackups(listBackups(folder), now);
  for (const { name } of surplus) rmSync(join(folder, name), { force: true });
  return surplus.length;
}
