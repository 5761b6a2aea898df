import type { Trial } from '../platform/install/shared/processControl.ts';
import type { Log } from '../lib/log.ts';
import type { Part } from '../part.ts';

/**
 * Parts that tell the outside world of what they have written, as bots and the outbox do: while a new version is on
 * trial whose database may be replaced by the old one, they start when it is over. What waits for them waits where it is.
 *
 * @returns the parts as they are where nothing is held
 */
export function startAfterTrial(trial: Trial | undefined, log: Log, parts: readonly Part[]): readonly Part[] {
  if (!trial?.holdsChanges()) return parts;
  return parts.map((part): Part => {
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
  });
}
