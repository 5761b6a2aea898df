import { type Made, writeBackupInto } from '../platform/db/backup.ts';
import { isDiskFull, StartError } from '../lib/errors.ts';
import type { BackupReport } from '../platform/install/shared/backupProcess.ts';
import { EXIT, type Io, UsageError } from './io.ts';

function work(database: string, folder: string, name: string, made: Made): BackupReport {
  try {
    return { ok: true, bytes: writeBackupInto(database, folder, name, made) };
  } catch (error) {
    if (error instanceof StartError) return { ok: false, reason: error.message };
    if (isDiskFull(error)) return { ok: false, reason: `There is not enough room in ${folder}.` };
    return { ok: false, reason: `The backup could not be written: ${String(error)}` };
  }
}

/**
 * `write-backup DATABASE FOLDER NAME`: the part of a backup that takes time, for the server, whose event loop it must not
 * hold up. It prints what became of it as JSON.
 */
export function backupProcess(io: Io, args: readonly string[]): number {
  const [database, folder, name, more] = args;
  if (database === undefined || folder === undefined || name === undefined || more !== undefined)
    throw new UsageError('write-backup is a command of the server alone.');
  const report = work(database, folder, name, { at: io.wall.now(), version: io.about.version });
  io.out(JSON.stringify(report));
  return report.ok ? EXIT.ok : EXIT.failed;
}
