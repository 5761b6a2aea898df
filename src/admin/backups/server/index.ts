import { factStore } from '#platform/db/facts.ts';
import { createSessionReader } from '#platform/http/auth.ts';
import type { BackupWriter } from '#platform/install/shared/backupProcess.ts';
import type { JobRunner } from '#platform/install/shared/jobProcess.ts';
import type { Inspection } from '#lib/inspection.ts';
import { humanSize } from '#lib/humanSize.ts';
import type { Core, Part } from '#src/part.ts';
import { Backups } from './service.ts';
import { diskRoom, type DiskRoom } from '#lib/freeBytes.ts';
import { isDiskLow } from '../rules/diskSpace.ts';
import { TargetOfBackups } from './targetState.ts';
import { type BackupRoutesDeps, backupRoutes } from './routes.ts';
import { DownloadTickets } from '#platform/http/oneTimeLink.ts';

export type BackupsNeeds = Pick<
  BackupRoutesDeps,
  'auth' | 'audit' | 'checkPassword' | 'clientAddress' | 'keepOpen'
> & {
  paths: { folder: string; backups: string; database: string; recordings: string };
  writeBackup: BackupWriter;
  /** Sends a backup to the target, in a process of its own. */
  runSend: JobRunner;
  settingsFile(): string;
  /** URL-safe random text of 128 bits or more. */
  randomToken(): string;
  /** The disk of the data; for tests. */
  room?: () => DiskRoom | null;
};

const inspected = (backups: Backups, room: () => DiskRoom | null, target: TargetOfBackups): Inspection => {
  const free = room()?.free ?? null;
  const list = backups.list();
  const failure = backups.failure();
  return {
    label: 'Backups',
    description: 'Which backups there are, and the room on their disk.',
    summary: {
      backups: list.length,
      newest: list[0]?.name ?? null,
      free: free === null ? null : humanSize(free),
      isDiskLow: free !== null && isDiskLow(free),
      failure: failure?.reason ?? null,
      sent: target.view()?.last?.name ?? null,
    },
    data: () => ({ backups: list, running: backups.running(), failure, target: target.view() }),
  };
};

/**
 * Copies of the database in the data folder: made by the nightly job and when an administrator asks, listed and
 * downloaded; and the room on their disk.
 */
export function createBackups(core: Pick<Core, 'db' | 'clock' | 'log' | 'config'>, needs: BackupsNeeds) {
  const { db, clock } = core;
  const { paths, randomToken, room = () => diskRoom(paths.folder) } = needs;
  const { backups: folder, database } = paths;
  const log = core.log.child('backups');
  const facts = factStore(db);
  const target = new TargetOfBackups({
    settings: core.config.backup,
    clock,
    log,
    facts,
    database,
    recordings: paths.recordings,
    settingsFile: needs.settingsFile,
    run: needs.runSend,
  });
  const { everyDays, isKeptLocally, place } = core.config.backup;
  const service = new Backups({
    log,
    facts,
    clock,
    folder,
    database,
    write: needs.writeBackup,
    target,
    everyDays,
    isKeptLocally: isKeptLocally || place === null,
  });
  return {
    name: 'backups',
    service,
    /** The disk of the data at this moment; null where the system does not tell. */
    room,
    routes: () =>
      backupRoutes({
        ...needs,
        clock,
        log,
        room,
        folder,
        backups: service,
        target,
        everyDays,
        tickets: new DownloadTickets('/api/backup-download', {
          clock,
          randomToken,
          readSession: createSessionReader(core),
        }),
      }),
    stop: () => service.cancel(),
    inspect: () => inspected(service, room, target),
  } satisfies Part & { room(): DiskRoom | null };
}
