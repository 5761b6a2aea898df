import { createJobRunner, listTarget } from '#platform/install/shared/jobProcess.ts';
import type { App, Part, Pruned } from '#platform/app.ts';
import { AppError } from '#platform/http/errors.ts';
import { FirstRestore } from './service.ts';
import { readBytes } from '#lib/http.ts';
import { serve } from '#platform/http/routes.ts';
import { FIRST_RESTORE } from '../contract.ts';

const MAX_PIECE_BYTES = 4 * 1024 * 1024;

/** @throws AppError 403 */
type Admit = (request: Request) => void;

const listing = (service: FirstRestore, admit: Admit) =>
  serve(FIRST_RESTORE, {
    'GET /api/setup/restore': ({ request }) => {
      admit(request);
      return service.view();
    },
    'GET /api/setup/restore/target': async ({ request }) => {
      admit(request);
      const backups = await service.targetBackups();
      return {
        backups: backups.map(({ name, bytes, madeAt, isEncrypted, installation, isAhead }) => ({
          name,
          madeAt,
          size: bytes,
          encrypted: isEncrypted,
          server: installation,
          ahead: isAhead,
        })),
      };
    },
  });

/** Sending a backup, having it checked, and choosing it. */
const firstRestoreRoutes = (service: FirstRestore, admit: Admit) => [
  ...serve(FIRST_RESTORE, {
    'POST /api/setup/restore/piece': {
      handle: async ({ request, query }) => {
        admit(request);
        const piece = await readBytes(request.body, MAX_PIECE_BYTES);
        if (piece === null) throw new AppError(413, 'The piece is larger than the 4 MB that are allowed.');
        service.take(Number(query.at), Number(query.size), piece);
        return service.view();
      },
      isRaw: true,
    },
    'POST /api/setup/restore/check': ({ request, body }) => {
      admit(request);
      service.check(body.name ?? null, body.secret ?? null);
      return service.view();
    },
    'POST /api/setup/restore/apply': ({ request, body }) => {
      admit(request);
      service.apply(body.accountsHere);
      return service.view();
    },
  }),
  ...listing(service, admit),
];

const REFUSED =
  'This set-up link is not valid, or there is an administrator already. Restart the server to get a new link while there is none.';

/** Restores a backup on a server without an administrator. Needs the set-up link. */
export function createFirstRestore(app: App) {
  const { accounts, program } = app;
  const service = new FirstRestore(app, createJobRunner('prepare-restore', program.env), listTarget(app));
  const admit: Admit = (request) => {
    if (!accounts.isSetupToken(request.headers.get('x-setup-token') ?? '')) throw new AppError(403, REFUSED);
  };
  const routes = () => firstRestoreRoutes(service, admit);
  /** Deletes an upload that was not restored once this server has an administrator, because it is personal data. */
  const prune = (): Pruned => {
    if (accounts.hasAdministrator()) service.drop();
    return { removed: 0, hasMore: false };
  };
  return { name: 'firstRestore', service, routes, prune, stop: () => service.drop() } satisfies Part;
}
