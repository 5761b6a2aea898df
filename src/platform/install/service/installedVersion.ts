import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '#lib/startError.ts';
import { SERVICE_PATHS } from './files.ts';
import type { ServiceHost } from './host.ts';

const SAYS = /^bellbird (\d{1,6}\.\d{1,6}\.\d{1,6}(?:[-+][\w.+-]{1,40})?) /;

/**
 * The version of the program that is installed. It is asked as nobody: where the panel may update it, it is the service's
 * own file, which must not run with the rights of root.
 *
 * @returns null where none is installed, or it does not say
 */
export function installedVersion({ root, run }: Pick<ServiceHost, 'root' | 'run'>): string | null {
  const path = join(root, SERVICE_PATHS.program);
  if (!existsSync(path)) return null;
  const { code, out } = run(['timeout', '20', 'runuser', '-u', 'nobody', '--', path, 'version']);
  return code === 0 ? (SAYS.exec(out)?.[1] ?? null) : null;
}

/** @throws StartError where this executable is older than the one that is installed */
export function refuseOlder(version: string, installed: string | null): void {
  if (installed === null || Bun.semver.order(version, installed) >= 0) return;
  throw new StartError(
    `Version ${installed} is installed, and this file is the older ${version}, so nothing was changed. ` +
      "An older version can't open a database that a newer one has brought further. " +
      'To put it in the place of the newer one all the same: service install --older',
  );
}
