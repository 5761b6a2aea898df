import { join } from 'node:path';
import { Elysia } from 'elysia';
import { BACKUPS } from '../contract.ts';
import type { Auth } from '#platform/http/auth.ts';
import type { Connections } from '#platform/http/connections.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import { AppError } from '#platform/http/errors.ts';
import { createWriteLimit } from '#platform/http/requestLimits.ts';
import { addressKey } from '#lib/addressKey.ts';
import type { SystemClock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { Accounts } from '#subjects/accounts/server/service.ts';
import type { Audit } from '#admin/audit/server/service.ts';
import type { DiskRoom } from '#lib/freeBytes.ts';
import { isDiskLow } from '../rules/diskSpace.ts';
import type { TargetOfBackups } from './targetState.ts';
import type { BackupFile, Backups } from './service.ts';
import { type DownloadTickets, savedFile } from '#platform/http/oneTimeLink.ts';

export type BackupRoutesDeps = Pick<Connections, 'clientAddress' | 'keepOpen'> & {
  auth: Auth;
  clock: SystemClock;
  log: Log;
  backups: Backups;
  /** The disk of the data. */
  room(): DiskRoom | null;
  target: Pick<TargetOfBackups, 'view'>;
  everyDays: number;
  tickets: DownloadTickets;
  audit: Audit;
  /** Asks for the password of who is logged in already. */
  checkPassword: Accounts['checkPassword'];
  folder: string;
};

/** Backups that one administrator may begin in a minute. */
const MAX_BACKUPS_A_MINUTE = 6;

const GONE = 'That backup is not there any more. Reload the list.';

function targetOf({ target }: BackupRoutesDeps) {
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

const viewOf = (deps: BackupRoutesDeps) => {
  const { backups, room, everyDays } = deps;
  const free = room()?.free ?? null;
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
    everyDays,
    target: targetOf(deps),
  };
};

/** The one of that name among those that are listed: nothing that was sent becomes a path. @throws AppError 404 */
function listed(backups: Backups, name: string): BackupFile {
  const found = backups.list().find((backup) => backup.name === name);
  if (!found) throw new AppError(404, GONE);
  return found;
}

/** What fetches a file, by a ticket alone: a browser saves it by its address, without a session. */
const downloadRoute = (deps: BackupRoutesDeps) =>
  new Elysia({ name: 'backups.download' }).use(deps.auth).get(
    '/backup-download',
    ({ query, request }) => {
      const download = deps.tickets.redeem(query.ticket);
      const { name } = listed(deps.backups, download.name);
      deps.audit.record({ userId: download.userId, action: 'download backup', target: name });
      deps.keepOpen(request);
      return savedFile(join(deps.folder, name), `bellbird-${name}`, 'application/vnd.sqlite3');
    },
    { anyone: true, ...routeSchemas(BACKUPS['GET /api/backup-download']) },
  );

/** Listing, making and downloading backups; for administrators. */
export function backupRoutes(deps: BackupRoutesDeps) {
  const { auth, backups, audit, checkPassword, clientAddress, tickets, log } = deps;
  const count = createWriteLimit(deps.clock, MAX_BACKUPS_A_MINUTE, 'the backups');
  return new Elysia({ name: 'backups' })
    .use(auth)
    .get('/admin/backups', () => viewOf(deps), {
      minLevel: 4,
      ...routeSchemas(BACKUPS['GET /api/admin/backups']),
    })
    .post(
      '/admin/backups',
      ({ user }) => {
        count(user.id);
        if (backups.running()) throw new AppError(409, 'A backup is already being made.');
        audit.record({ userId: user.id, action: 'back up', target: 'database' });
        // What becomes of it is told by the list.
        void backups.make('manual').catch((error: unknown) => {
          log.error('A backup could not be noted', { error });
        });
        return { success: true as const };
      },
      { minLevel: 4, ...routeSchemas(BACKUPS['POST /api/admin/backups']) },
    )
    .post(
      '/admin/backups/:name/download',
      async ({ user, params, body, request }) => {
        const { name } = listed(backups, params.name);
        await checkPassword({
          userId: user.id,
          password: body.password,
          address: addressKey(clientAddress(request)),
        });
        return tickets.issue(user, name);
      },
      { minLevel: 4, ...routeSchemas(BACKUPS['POST /api/admin/backups/:name/download']) },
    )
    .use(downloadRoute(deps));
}
