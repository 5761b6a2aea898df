import type { About } from '../../../about.ts';
import { AppError } from '../../../platform/http/errors.ts';
import type { ProcessControl } from '../../../platform/install/shared/processControl.ts';
import type { Core } from '../../../part.ts';
import type { Audit } from '../../audit/server/service.ts';
import type { serverInfoView } from './model.ts';

export type ServerControlsDeps = Pick<Core, 'clock' | 'db' | 'log'> & {
  about: About;
  audit: Audit;
  control: ProcessControl;
  /** Whether an update is being prepared, which a restart would cut off. */
  isUpdating(): boolean;
};

export type ServerInfo = typeof serverInfoView.static;

const NOBODY_STARTS_IT =
  'Nothing would start the server again. Restart it where you started it, or run it with "bellbird serve".';
const ON_TRIAL = 'An update is being tried. Restart once that is over, in about a minute.';
const UPDATING = 'An update is under way, and a restart would cut it off. Restart once that is over.';

export function createServerControlsService({
  clock,
  db,
  log,
  about,
  audit,
  control,
  isUpdating,
}: ServerControlsDeps) {
  const started = clock.monotonic();
  const noRestart = control.supervisor === 'none' ? NOBODY_STARTS_IT : null;
  const onTrial = (): boolean => control.trial?.isRunning() ?? false;
  return {
    /** Which program runs, on what, and for how long. */
    info(): ServerInfo {
      const { pid, commit, version, startedAt, branch = null, runtime = '' } = about;
      const uptimeSec = Math.round((clock.monotonic() - started) / 1000);
      const { supervisor } = control;
      return {
        ...{ pid, node: runtime, branch, commit, uptimeSec, version, startedAt },
        ...{ supervisor, noRestart, onTrial: onTrial() },
      };
    },
    /**
     * Ends this process in order, so that the next one begins.
     *
     * @param change what is to hold from the next start on; when it throws nothing happens
     * @throws AppError 400 where nobody would start it again, 409 while an update is prepared or tried
     */
    restart(user: { id: number; username: string }, change: () => void = () => undefined): void {
      if (noRestart !== null) throw new AppError(400, noRestart);
      if (isUpdating()) throw new AppError(409, UPDATING);
      if (onTrial()) throw new AppError(409, ON_TRIAL);
      db.transaction(() => {
        audit.record({ userId: user.id, action: 'restart', target: 'server' });
        change();
      });
      log.info('An administrator restarts the server', { by: user.username });
      control.restart();
    },
  };
}
