import type { Core, Part, Pruned } from '#src/part.ts';
import type { Auth } from '#platform/http/auth.ts';
import { AppError } from '#platform/http/errors.ts';
import { firstRestoreRoutes } from './routes.ts';
import { FirstRestore, type FirstRestoreDeps } from './service.ts';

const REFUSED =
  'This set-up link is not valid, or there is an administrator already. Restart the server to get a new link while there is none.';

export type FirstRestoreNeeds = Omit<FirstRestoreDeps, 'clock' | 'log' | 'settings'> & {
  auth: Auth;
  /** Whether this is the set-up token of a server without an administrator. */
  isSetupToken(token: string): boolean;
  hasAdministrator(): boolean;
};

/** Restores a backup on a server without an administrator. Needs the set-up link. */
export function createFirstRestore(
  core: Pick<Core, 'db' | 'clock' | 'log' | 'config'>,
  needs: FirstRestoreNeeds,
) {
  const { auth, isSetupToken, hasAdministrator, ...more } = needs;
  const { clock } = core;
  const service = new FirstRestore({
    ...more,
    clock,
    log: core.log.child('firstRestore'),
    settings: core.config.backup,
  });
  /** @throws AppError 403 */
  const admit = (request: Request): void => {
    if (!isSetupToken(request.headers.get('x-setup-token') ?? '')) throw new AppError(403, REFUSED);
  };
  const routes = () => firstRestoreRoutes({ auth, service, admit });
  /** Deletes an upload that was not restored once this server has an administrator, because it is personal data. */
  const prune = (): Pruned => {
    if (hasAdministrator()) service.drop();
    return { removed: 0, hasMore: false };
  };
  return { name: 'firstRestore', service, routes, prune, stop: () => service.drop() } satisfies Part;
}
