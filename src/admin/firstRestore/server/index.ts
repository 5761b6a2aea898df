import type { Core, Part, Pruned } from '../../../part.ts';
import type { Auth } from '../../../platform/http/auth.ts';
import { AppError } from '../../../platform/http/errors.ts';
import { firstRestoreRoutes } from './routes.ts';
import { FirstRestore, type FirstRestoreDeps } from './service.ts';

const REFUSED =
  'This set-up link is not valid, or somebody has an account already. Restart the server to get a new link while there is none.';

export type FirstRestoreNeeds = Omit<FirstRestoreDeps, 'clock' | 'log' | 'settings'> & {
  auth: Auth;
  /** Whether this is the set-up token of a server that nobody has an account on. */
  isFreshServer(token: string): boolean;
};

/** Restoring a backup on a server that has no account yet, for who holds its set-up link. */
export function createFirstRestore(
  core: Pick<Core, 'db' | 'clock' | 'log' | 'config'>,
  needs: FirstRestoreNeeds,
) {
  const { auth, isFreshServer, ...more } = needs;
  const { db, clock } = core;
  const service = new FirstRestore({
    ...{ ...more, clock, log: core.log.child('firstRestore'), settings: core.config.backup },
  });
  /** @throws AppError 403 */
  const admit = (request: Request): void => {
    if (!isFreshServer(request.headers.get('x-setup-token') ?? '')) throw new AppError(403, REFUSED);
  };
  const routes = () => firstRestoreRoutes({ auth, service, admit });
  /** What came and was not restored is somebody's data: it goes once this server has people of its own. */
  const prune = (): Pruned => {
    if (db.$client.query('SELECT 1 FROM users LIMIT 1').get() !== null) service.drop();
    return { removed: 0, hasMore: false };
  };
  return { name: 'firstRestore', service, routes, prune, stop: () => service.drop() } satisfies Part;
}
