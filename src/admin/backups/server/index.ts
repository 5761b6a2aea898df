import { type BackupWriter, createBackupWriter } from '#platform/install/shared/jobProcess.ts';
import type { Inspection } from '#lib/inspection.ts';
import type { Log } from '#lib/log.ts';
import { humanSize } from '#lib/wording.ts';
import type { App, Part } from '#platform/app.ts';
import { Backups, type BackupFile } from './service.ts';
import type { DiskRoom } from '#lib/files.ts';
import { isDiskLow } from '../rules/keptBackups.ts';
import { TargetOfBackups } from './targetState.ts';
import { DownloadTickets, savedFile } from '#platform/http/oneTimeLink.ts';
import { join } from 'node:path';
import { BACKUPS } from '../contract.ts';
import { serve } from '#platform/http/routes.ts';
import { AppError } from '#platform/http/errors.ts';
import { createWriteLimit } from '#platform/http/requestLimits.ts';
import { addressKey } from '#lib/addresses.ts';

const MAX_BACKUPS_A_MINUTE = 6;

const GONE = 'That backup no longer exists. Reload the list.';

function targetView(target: TargetOfBackups) {
  const view = target.view();
  if (view === null) return null;
  const { where, isEncrypted, kept, isKeptLocally, last } = view;
  return {
    where,
    kept,
    encrypted: isEncrypted,
    keptLocally: isKeptLocally,
    last: last && { name: last.name, size: last.bytes, sentAt: last.sentAt, warning: last.warning },
  };
}

const viewOf = ({ backups, config, diskRoom }: App, target: TargetOfBackups) => {
  const free = diskRoom()?.free ?? null;
  const failure = backups.failure();
  return {
    backups: backups.list().map(({ name, kind, bytes, madeAt }) => ({
      name,
      kind,
      madeAt,
      size: bytes,
      checked: kind !== 'migration',
    })),
    running: backups.running(),
    failure: failure && { at: failure.at, reason: failure.reason },
    disk: { free, low: free !== null && isDiskLow(free) },
    nextNightly: backups.next(),
    everyDays: config.backup.everyDays,
    target: targetView(target),
  };
};

/** Finds a backup in the list, so that a sent name never becomes a path. @throws AppError 404 */
function listed(backups: Backups, name: string): BackupFile {
  const found = backups.list().find((backup) => backup.name === name);
  if (!found) throw new AppError(404, GONE);
  return found;
}

/** Serves a file for a ticket, because a browser downloads an address without sending the session. */
const downloadRoute = ({ audit, backups, keepOpen, paths }: App, tickets: DownloadTickets) =>
  serve(BACKUPS, {
    'GET /api/backup-download': ({ query, request }) => {
      const download = tickets.redeem(query.ticket);
      const { name } = listed(backups, download.name);
      audit.record({ userId: download.userId, action: 'download backup', target: name });
      keepOpen(request);
      return savedFile(join(paths.backups, name), `bellbird-${name}`, 'application/vnd.sqlite3');
    },
  });

function backupRoutes(app: App, target: TargetOfBackups, log: Log) {
  const { accounts, audit, backups, clientAddress, clock } = app;
  const tickets = new DownloadTickets(app, '/api/backup-download');
  const count = createWriteLimit(clock, MAX_BACKUPS_A_MINUTE, 'the backups');
  return [
    ...serve(BACKUPS, {
      'GET /api/admin/backups': () => viewOf(app, target),
      'POST /api/admin/backups': ({ user }) => {
        count(user.id);
        if (backups.running())
          throw new AppError(409, 'Another backup is being made. Try again when it is done.');
        audit.record({ userId: user.id, action: 'back up', target: 'database' });
        void backups.make('manual').catch((error: unknown) => {
          log.error('Could not record a backup', { error });
        });
        return { success: true as const };
      },
      'POST /api/admin/backups/:name/download': async ({ user, params, body, request }) => {
        const { name } = listed(backups, params.name);
        await accounts.checkPassword({
          userId: user.id,
          password: body.password,
          address: addressKey(clientAddress(request)),
        });
        return tickets.issue(user, name);
      },
    }),
    ...downloadRoute(app, tickets),
  ];
}

const inspected = (backups: Backups, room: () => DiskRoom | null, target: TargetOfBackups): Inspection => {
  const free = room()?.free ?? null;
  const list = backups.list();
  const failure = backups.failure();
  return {
    label: 'Backups',
    description: 'Backups, and the free space on their disk.',
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

export function createBackups(app: App, settingsFile: () => string, write?: BackupWriter) {
  const log = app.log.child('backups');
  const target = new TargetOfBackups(app, log, settingsFile);
  const service = new Backups(app, target, write ?? createBackupWriter(app.paths.database));
  return {
    name: 'backups',
    service,
    routes: () => backupRoutes(app, target, log),
    stop: () => service.cancel(),
    inspect: () => inspected(service, app.diskRoom, target),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    backups: Backups;
  }
}
