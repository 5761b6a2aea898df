import { Elysia } from 'elysia';
import { readBytes } from '#lib/boundedBody.ts';
import type { Auth } from '#platform/http/auth.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import { AppError } from '#platform/http/errors.ts';
import { FIRST_RESTORE } from '../contract.ts';
import type { FirstRestore } from './service.ts';

const MAX_PIECE_BYTES = 4 * 1024 * 1024;

export type FirstRestoreRoutesDeps = {
  auth: Auth;
  service: FirstRestore;
  /** @throws AppError 403 */
  admit(request: Request): void;
};

const listing = ({ auth, service, admit }: FirstRestoreRoutesDeps) =>
  new Elysia({ name: 'firstRestore.list' })
    .use(auth)
    .get(
      '/setup/restore',
      ({ request }) => {
        admit(request);
        return service.view();
      },
      { anyone: true, ...routeSchemas(FIRST_RESTORE['GET /api/setup/restore']) },
    )
    .get(
      '/setup/restore/target',
      async ({ request }) => {
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
      { anyone: true, ...routeSchemas(FIRST_RESTORE['GET /api/setup/restore/target']) },
    );

/** Sending a backup, having it checked, and choosing it. */
export const firstRestoreRoutes = (deps: FirstRestoreRoutesDeps) => {
  const { auth, service, admit } = deps;
  return new Elysia({ name: 'firstRestore' })
    .use(auth)
    .use(listing(deps))
    .post(
      '/setup/restore/piece',
      async ({ request, query }) => {
        admit(request);
        const piece = await readBytes(request.body, MAX_PIECE_BYTES);
        if (piece === null) throw new AppError(413, 'The piece is larger than the 4 MB that are allowed.');
        service.take(Number(query.at), Number(query.size), piece);
        return service.view();
      },
      { anyone: true, parse: 'none', ...routeSchemas(FIRST_RESTORE['POST /api/setup/restore/piece']) },
    )
    .post(
      '/setup/restore/check',
      ({ request, body }) => {
        admit(request);
        service.check(body.name ?? null, body.secret ?? null);
        return service.view();
      },
      { anyone: true, ...routeSchemas(FIRST_RESTORE['POST /api/setup/restore/check']) },
    )
    .post(
      '/setup/restore/apply',
      ({ request, body }) => {
        admit(request);
        service.apply(body.accountsHere);
        return service.view();
      },
      { anyone: true, ...routeSchemas(FIRST_RESTORE['POST /api/setup/restore/apply']) },
    );
};
