import type { Trial } from '../platform/install/shared/processControl.ts';
import type { Log } from '../lib/log.ts';
import type { Part } from '../part.ts';

/**
 * A part that tells the outside world of what it has written, as bots and the outbox do: while a new version is on
 * trial whose database may be replaced by the old one, it starts when that is over. What waits for it waits where it is.
 *
 * @returns the part as it is where nothing is held
 */
export function startAfterTrial(trial: Trial | undefined, log: Log, part: Part): Part {
  if (!trial?.holdsChanges()) return part;
  let isStopped = false;
  const start = async (): Promise<void> => {
    try {
      if (!isStopped) await part.start?.();
    } catch (error) {
      log.error('A part did not start after the trial of an update', { part: part.name, error });
    }
  };
  return {
    name: part.name,
    start: () => trial.whenChangesOpen(() => void start()),
    stop: () => {
      isStopped = true;
      return part.stop?.();
    },
  };
}
