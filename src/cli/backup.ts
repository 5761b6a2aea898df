import { join, resolve } from 'node:path';
import { loadConfig } from '../config.ts';
import { dataPaths } from '../dataPaths.ts';
import { writeBackup, writeBackupInto } from '../platform/db/backup.ts';
import { backupName } from '../admin/backups/rules/keptBackups.ts';
import { humanSize } from '../lib/humanSize.ts';
import { EXIT, type Io, UsageError } from './io.ts';

/**
 * `backup [FILE]`: writes a backup of the configured database, also beside a running server; without a file into the
 * folder of the backups, where the nightly job keeps the newest five of those.
 *
 * @returns the exit code, 0 when it is on the disk and was read again
 * @throws ConfigError or StartError with the sentence to print
 */
export function backup(io: Io, args: readonly string[]): number {
  const [file, more] = args;
  if (more !== undefined) throw new UsageError('backup takes one file at most.');
  if (file?.startsWith('-')) throw new UsageError(`backup has no option "${file}".`);
  const paths = dataPaths(loadConfig(io.env).config);
  const name = backupName('manual', io.wall.now());
  const target = file === undefined ? join(paths.backups, name) : resolve(file);
  const bytes =
    file === undefined
      ? writeBackupInto(paths.database, paths.backups, name)
      : writeBackup(paths.database, target);
  io.out(`The backup is ${target} (${humanSize(bytes)}). It was read again and is sound.`);
  return EXIT.ok;
}
