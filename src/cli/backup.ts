import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { backupName } from '../admin/backups/rules/keptBackups.ts';
import { settingsFile } from '../config/backup.ts';
import { type Config, loadConfig } from '../config/config.ts';
import { type DataPaths, dataPaths } from '../config/dataPaths.ts';
import { errorCode } from '../lib/errors.ts';
import { humanSize } from '../lib/wording.ts';
import { writeBackup, writeBackupInto } from '../platform/db/backup.ts';
import { EXIT, type Io, UsageError } from './io.ts';

async function sendOn(io: Io, { backup: settings }: Config, paths: DataPaths, name: string): Promise<void> {
  if (settings.place === null) return;
  const { sendBackup } = await import('../admin/backups/server/targetJobs.ts');
  const { placeText } = await import('../platform/backupTarget/target.ts');
  const { place, lock, kept, withSettings, withRecordings, isKeptLocally } = settings;
  const file = join(paths.backups, name);
  const sent = await sendBackup(
    {
      kind: 'send',
      database: paths.database,
      place,
      lock,
      kept,
      name,
      now: io.wall.now(),
      file,
      settings: withSettings ? settingsFile(io.env) : null,
      recordings: withRecordings ? paths.recordings : null,
    },
    () => undefined,
  );
  const how = lock === null ? '' : ', encrypted';
  io.out(`Sent to ${placeText(place)} as ${sent.name} (${humanSize(sent.bytes)}${how}) and verified there.`);
  if (sent.warning !== null) io.err(sent.warning);
  if (isKeptLocally) return;
  try {
    rmSync(file, { force: true });
    io.out('Deleted the local copy (BELLBIRD_BACKUP_LOCAL=no).');
  } catch (error) {
    io.err(`Could not delete the local copy ${file} (${errorCode(error)}). Delete it yourself.`);
  }
}

/**
 * `backup [FILE]`: backs up the configured database, also while the server runs. Without a file it writes
 * into the backup folder and to the backup target. The nightly job keeps the newest five.
 * @returns the exit code, 0 once the backup is on the disk and was read again
 * @throws ConfigError or StartError with the sentence to print
 */
export async function backup(io: Io, args: readonly string[]): Promise<number> {
  const [file, more] = args;
  if (more !== undefined) throw new UsageError('"backup" takes at most one file.');
  if (file?.startsWith('-')) throw new UsageError(`"backup" has no option "${file}".`);
  const { config } = loadConfig(io.env);
  const paths = dataPaths(config);
  const made = { at: io.wall.now(), version: io.about.version };
  const name = backupName('manual', made.at);
  const target = file === undefined ? join(paths.backups, name) : resolve(file);
  const bytes =
    file === undefined
      ? writeBackupInto(paths.database, paths.backups, name, made)
      : writeBackup(paths.database, target, made);
  io.out(`Wrote the backup ${target} (${humanSize(bytes)}) and verified it.`);
  if (file === undefined) await sendOn(io, config, paths, name);
  return EXIT.ok;
}
