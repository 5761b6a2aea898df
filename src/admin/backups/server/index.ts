import { factStore } from '../../../platform/db/facts.ts';
import { createSessionReader } from '../../../platform/http/auth.ts';
import type { BackupWriter } from '../../../platform/install/shared/backupProcess.ts';
import type { Inspection } from '../../../lib/inspection.ts';
import { humanSize } from '../../../lib/humanSize.ts';
import { type Scheduler, timerScheduler } from '../../../lib/scheduler.ts';
import type { Core, Part } from '../../../part.ts';
import { type AdministratorNeeds, createAdministrators } from '../../notices/server/service.ts';
import { Backups } from './service.ts';
import { type DiskState, DiskWatch } from './diskWatch.ts';
import { freeBytes } from '../../../lib/freeBytes.ts';
import { type BackupRoutesDeps, backupRoutes } from './routes.ts';
import { DownloadTickets } from '../../../platform/http/oneTimeLink.ts';

export type BackupsNeeds = AdministratorNeeds &
  Pick<BackupRoutesDeps, 'auth' | 'audit' | 'checkPassword' | 'clientAddress' | 'keepOpen'> & {
    paths: { folder: string; backups: string; database: string };
    writeBackup: BackupWriter;
    /** URL-safe random text of 128 bits or more. */
    randomToken(): string;
    schedule?: Scheduler;
    /** Bytes that are free on the disk; for tests. */
    free?: () => number | null;
  };

const inspected = (backups: Backups, disk: DiskWatch): Inspection => {
  const { free, isLow } = disk.state();
  const list = backups.list();
  const failure = backups.failure();
  return {
    label: 'Backups',
    description: 'Which backups there are, and the room on their disk.',
    summary: {
      backups: list.length,
      newest: list[0]?.name ?? null,
      free: free === null ? null : humanSize(free),
      isDiskLow: isLow,
      failure: failure?.reason ?? null,
    },
    data: () => ({ backups: list, running: backups.running(), failure }),
  };
};

/**
 * Copies of the database in the data folder: made by the nightly job and when an administrator asks, listed and
 * downloaded; and the watch over the room on their disk.
 */
export function createBackups(core: Pick<Core, 'db' | 'clock' | 'log'>, needs: BackupsNeeds) {
  const { db, clock } = core;
  const { paths, randomToken, schedule = timerScheduler, free = () => freeBytes(paths.folder) } = needs;
  const { backups: folder, database } = paths;
  const log = core.log.child('backups');
  const facts = factStore(db);
  const common = { log, facts, administrators: createAdministrators(db, facts, needs) };
  const disk = new DiskWatch({ ...common, free, schedule });
  const service = new Backups({ ...common, clock, folder, database, write: needs.writeBackup });
  return {
    name: 'backups',
    service,
    /** The room on the disk of the data at this moment. */
    disk: () => disk.state(),
    routes: () =>
      backupRoutes({
        ...{ ...needs, clock, log, disk, folder, backups: service },
        tickets: new DownloadTickets('/api/backup-download', {
          ...{ clock, randomToken },
          readSession: createSessionReader(core),
        }),
      }),
    start: () => disk.start(),
    stop() {
      disk.stop();
      service.cancel();
    },
    inspect: () => inspected(service, disk),
  } satisfies Part & { disk(): DiskState };
}
