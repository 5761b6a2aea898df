import { resolve } from 'node:path';
import { serve } from '#platform/http/routes.ts';
import { UPDATES } from '../contract.ts';
import { createWriteLimit } from '#platform/http/requestLimits.ts';
import { CheckoutSource } from '#platform/install/server/checkoutSource.ts';
import { findInstallation, type Installation } from '#platform/install/server/installation.ts';
import { clearLeftovers, settleCutOff, type SourceMaker, Updater } from '#platform/install/server/updater.ts';
import { addressFiles, folderFiles } from '#platform/install/server/releaseFiles.ts';
import { createReleaseSource } from '#platform/install/server/releaseSource.ts';
import { createTools } from '#platform/install/server/tools.ts';
import { UpdateError } from '#platform/install/shared/updateState.ts';
import type { Log } from '#lib/log.ts';
import type { App, Part } from '#platform/app.ts';
import { Updates } from './service.ts';

const CHECKS_A_MINUTE = 10;

function sourceMaker({ http, program, about }: App, installation: Installation): SourceMaker {
  const { version, commit } = about;
  const running = { version, commit };
  return ({ signal, onOutput }) => {
    switch (installation.kind) {
      case 'checkout': {
        const tools = createTools(program, { signal, onOutput });
        return new CheckoutSource(installation.folder, { tools, running });
      }
      case 'release': {
        const { releases, releaseKey } = installation;
        const isAddress = /^https?:/i.test(releases);
        const files = isAddress ? addressFiles(releases, http, signal) : folderFiles(resolve(releases));
        return createReleaseSource(files, version, releaseKey);
      }
      default:
        throw new UpdateError(installation.reason);
    }
  };
}

function routesOf(service: Updates, { clock, keepOpen }: App) {
  const limit = createWriteLimit(clock, CHECKS_A_MINUTE, 'the server');
  return serve(UPDATES, {
    'GET /api/admin/server/update': () => service.state(),
    'POST /api/admin/server/update/check': ({ user, request }) => {
      limit(user.id);
      keepOpen(request);
      return service.check();
    },
    'POST /api/admin/server/update-and-restart': ({ user, request }) => {
      limit(user.id);
      keepOpen(request);
      return service.update(user);
    },
  });
}

/** Completes an earlier update. Failures do not stop the server. */
async function settle(
  service: Updates,
  installation: Installation,
  log: Log,
  { clock, control, paths, program }: App,
): Promise<void> {
  try {
    settleCutOff(paths.folder, clock.now());
    if (control.trial) control.trial.whenOver(service.noteEnd);
    else service.noteEnd();
    // A process that only runs the check must not clean up next to a server that is being updated.
    const isInstalled = installation.kind !== 'none' && control.supervisor !== 'none';
    if (isInstalled) await clearLeftovers(paths.folder, program.executable);
  } catch (error) {
    // The disk may be full, or a build still running after its server ended.
    log.warn('Could not remove leftover files of an update', { error });
  }
}

export function createUpdates(app: App) {
  const log = app.log.child('updates');
  const installation = findInstallation(app.program, app.config.releases);
  const updater = new Updater(app, sourceMaker(app, installation), log);
  const service = new Updates(app, installation, updater, log);
  return {
    name: 'updates',
    routes: () => routesOf(service, app),
    service,
    start: () => settle(service, installation, log, app),
    stop: () => updater.stop(),
    inspect: () => ({
      label: 'Updates',
      description: 'How this installation is updated, and the result of the last update.',
      summary: { installation: installation.kind, last: updater.state()?.phase ?? null },
      data: () => updater.state(),
    }),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    updates: Updates;
  }
}
