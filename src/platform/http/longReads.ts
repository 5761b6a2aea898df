import type { Core, Part } from '../../part.ts';
import { createReadQueue, type ReadQueueDeps } from './readQueue.ts';

/** The part that holds the one queue of all long reads. */
export function createLongReads({ clock }: Pick<Core, 'clock'>, { later }: Pick<ReadQueueDeps, 'later'>) {
  const queue = createReadQueue({ stopwatch: clock, later });
  return {
    name: 'longReads',
    service: queue,
    stop: queue.stop,
    inspect: () => ({
      label: 'Long reads',
      description:
        'Answers that wait for their turn to be read, for how many callers, and how much work they are expected to be.',
      summary: queue.figures(),
      data: queue.figures,
    }),
  } satisfies Part;
}
