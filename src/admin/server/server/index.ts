import type { Log } from '#lib/log.ts';
import { createWriteLimit } from '#platform/http/requestLimits.ts';
import { serve } from '#platform/http/routes.ts';
import { SERVER_CONTROLS } from '../contract.ts';
import type { App, Part } from '#platform/app.ts';
import { AppError } from '#platform/http/errors.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { infoAnswer } from '../answers/server.ts';

type ServerInfo = Wire<typeof infoAnswer>;

const NOBODY_STARTS_IT =
  'No supervisor would start the server again. Restart it yourself, or run it with "bellbird serve".';
const ON_TRIAL = 'An update is on trial. Restart when the trial is over, in about a minute.';
const UPDATING = 'An update is running. Restart when it is done.';

class ServerControls {
  readonly #log: Log;
  readonly #started: number;
  readonly #noRestart: string | null;

  constructor(private readonly app: App) {
    this.#log = app.log.child('server');
    this.#started = app.clock.monotonic();
    this.#noRestart = app.control.supervisor === 'none' ? NOBODY_STARTS_IT : null;
  }

  info(): ServerInfo {
    const { clock, about, control } = this.app;
    const { pid, commit, version, startedAt, branch = null, runtime = '' } = about;
    const uptimeSec = Math.round((clock.monotonic() - this.#started) / 1000);
    const { supervisor } = control;
    return {
      pid,
      node: runtime,
      branch,
      commit,
      uptimeSec,
      version,
      startedAt,
      supervisor,
      noRestart: this.#noRestart,
      onTrial: this.#isOnTrial(),
    };
  }

  /**
   * Ends this process in an orderly way, so that the supervisor starts the next one.
   * @param change for the next start; if it throws, nothing happens
   * @throws AppError 400 without a supervisor, 409 while an update is prepared or tried
   */
  restart(user: { id: number; username: string }, change: () => void = () => undefined): void {
    const { db, audit, control, updates } = this.app;
    if (this.#noRestart !== null) throw new AppError(400, this.#noRestart);
    if (updates.isRunning()) throw new AppError(409, UPDATING);
    if (this.#isOnTrial()) throw new AppError(409, ON_TRIAL);
    db.transaction(() => {
      audit.record({ userId: user.id, action: 'restart', target: 'server' });
      change();
    });
    this.#log.info('An administrator is restarting the server', { by: user.username });
    control.restart();
  }

  #isOnTrial(): boolean {
    return this.app.control.trial?.isRunning() ?? false;
  }
}

const RESTARTS_A_MINUTE = 3;

export function createServerControls(app: App) {
  const service = new ServerControls(app);
  const limit = createWriteLimit(app.clock, RESTARTS_A_MINUTE, 'the running server');
  /** Restarts as the route does, for changes that apply from the next start. */
  const restart: typeof service.restart = (user, change) => {
    limit(user.id);
    service.restart(user, change);
  };
  const routes = () =>
    serve(SERVER_CONTROLS, {
      'GET /api/admin/server/info': () => service.info(),
      'POST /api/admin/server/restart': ({ user }) => {
        restart(user);
        return { restarting: true as const };
      },
    });
  return { name: 'serverControls', routes, service: { info: () => service.info(), restart } } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    serverControls: Pick<ServerControls, 'info' | 'restart'>;
  }
}
