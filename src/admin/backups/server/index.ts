import { factStore } from '../../../platform/db/facts.ts';
import { createSessionReader } from '../../../platform/http/auth.ts';
import type { BackupWriter } from '../../../platform/install/shared/backupProcess.ts';
import { humanSize } from '../../../lib/humanSize.ts';
import { type Scheduler, timerScheduler } from '../../../lib/scheduler.ts';
import type { Core, Part } from '../../../part.ts';
import { type AdministratorNeeds, createAdministrators } from './administrators.ts';
import { createDiskWatch } from './diskWatch.ts';
import { freeBytes } from '../../../lib/freeBytes.ts';
import { type BackupRoutesDeps, backupRoutes } from './routes.ts';
import { createBackupsService } from './service.ts';
import { createTickets } from '../../../platform/http/downloadTickets.ts';

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

const LOOK_EVERY_MS = 60_000;
/** The port answers and the market is filled by then. */
const FIRST_LOOK_MS = 5000;

/**
 * Copies of the database in the data folder: made by the nightly job and when an administrator asks, listed and
 * downloaded; and the watch over the room on their disk.
 */
export function createBackups(core: Pick<Core, 'db' | 'clock' | 'log'>, needs: BackupsNeeds) {
  const { db, clock } = core;
  const { paths, schedule = timerScheduler, free = () => freeBytes(paths.folder) } = needs;
  const log = core.log.child('backups');
  const facts = factStore(db);
  const administrators = createAdministrators(db, needs);
  const disk = createDiskWatch({ facts, administrators, log, free });
  const service = createBackupsService({
    ...{ clock, log, facts, administrators },
    folder: paths.backups,
    database: paths.database,
    write: needs.writeBackup,
  });
  let cancel: (() => void) | null = null;

  function look(): void {
    try {
      disk.look();
    } catch (error) {
      log.error('The room on the disk could not be looked at; trying again', { error });
    }
    cancel = schedule(LOOK_EVERY_MS, look);
  }

  return {
    name: 'backups',
    service,
    routes: () =>
      backupRoutes({
        ...needs,
        ...{ clock, log, disk, backups: service },
        folder: paths.backups,
        tickets: createTickets({ clock, randomToken: needs.randomToken }),
        readSession: createSessionReader(core),
      }),
    start() {
      cancel ??= schedule(FIRST_LOOK_MS, look);
    },
    stop() {
      cancel?.();
      cancel = null;
      service.cancel();
    },
    inspect() {
      const { free: bytes, isLow } = disk.state();
      const list = service.list();
      return {
        label: 'Backups',
        description: 'Which backups there are, and the room on their disk.',
        summary: {
          backups: list.length,
          newest: list[0]?.name ?? null,
          free: bytes === null ? null : humanSize(bytes),
          isDiskLow: isLow,
          failure: service.failure()?.reason ?? null,
        },
        data: () => ({ backups: list, running: service.running(), failure: service.failure() }),
      };
    },
  } satisfies Part;
}
