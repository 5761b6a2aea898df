import type { OwnProcess } from './ownProcess.ts';
import type { Supervisor } from './processControl.ts';

type Facts = Pick<OwnProcess, 'pid' | 'ppid' | 'isInContainer' | 'initName'>;

/**
 * Whether systemd started this very process. `INVOCATION_ID` alone says little: a terminal that runs as a unit hands it
 * on to everything that is typed into it.
 */
function isOfSystemd(env: Record<string, string | undefined>, { pid, ppid }: Facts): boolean {
  const started = env['SYSTEMD_EXEC_PID'];
  if (started !== undefined) return started === String(pid);
  const isUnit = [env['INVOCATION_ID'], env['NOTIFY_SOCKET'], env['JOURNAL_STREAM']].some(Boolean);
  return isUnit && ppid === 1;
}

/** The small programs that containers are given as their first process, to start the real one. */
const INITS = ['tini', 'docker-init', 'dumb-init', 'catatonit'];

/**
 * Whether it is a container's main process, or the one that the container's init starts. A child of any other first process
 * may have been left behind by a shell that ended.
 */
const isOfContainer = ({ pid, ppid, isInContainer, initName }: Facts): boolean =>
  isInContainer() && (pid === 1 || (ppid === 1 && INITS.includes(initName())));

/**
 * Who starts the next process when this one ends.
 *
 * @param setting what the operator says of it
 * @returns `parent` when nobody does, so that a parent is needed
 */
export function findSupervisor(
  setting: 'auto' | 'yes' | 'no',
  env: Record<string, string | undefined>,
  facts: Facts,
): Exclude<Supervisor, 'none'> {
  if (setting === 'no') return 'parent';
  if (isOfSystemd(env, facts)) return 'systemd';
  if (isOfContainer(facts)) return 'docker';
  return setting === 'yes' ? 'other' : 'parent';
}
