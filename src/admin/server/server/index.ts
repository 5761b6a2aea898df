import { Elysia } from 'elysia';
import type { Auth } from '#platform/http/auth.ts';
import { createWriteLimit } from '#platform/http/requestLimits.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import { SERVER_CONTROLS } from '../contract.ts';
import type { Core, Part } from '#src/part.ts';
import { ServerControls, type ServerControlsDeps } from './service.ts';

/** A restart cuts everybody's streams. */
const RESTARTS_A_MINUTE = 3;

export type ServerControlsNeeds = Omit<ServerControlsDeps, keyof Core> & { auth: Auth };

/** GET /admin/server/info and POST /admin/server/restart (specification 7.7). */
export function createServerControls(
  { clock, db, log }: Pick<Core, 'clock' | 'db' | 'log'>,
  { auth, ...needs }: ServerControlsNeeds,
) {
  const service = new ServerControls({ clock, db, log: log.child('server'), ...needs });
  const limit = createWriteLimit(clock, RESTARTS_A_MINUTE, 'the running server');
  /** The same as the route, for who changes something that holds from the next start on. */
  const restart: typeof service.restart = (user, change) => {
    limit(user.id);
    service.restart(user, change);
  };
  const routes = () =>
    new Elysia({ name: 'serverControls', prefix: '/admin/server' })
      .use(auth)
      // Not `service.info` itself: Elysia reads a handler's text for what it takes, and takes fright at this one's once minified.
      .get('/info', () => service.info(), {
        minLevel: 4,
        ...routeSchemas(SERVER_CONTROLS['GET /api/admin/server/info']),
      })
      .post(
        '/restart',
        ({ user }) => {
          restart(user);
          return { restarting: true as const };
        },
        { minLevel: 4, ...routeSchemas(SERVER_CONTROLS['POST /api/admin/server/restart']) },
      );
  return { name: 'serverControls', routes, service: { info: () => service.info(), restart } } satisfies Part;
}
