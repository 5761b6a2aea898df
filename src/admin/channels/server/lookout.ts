import type { Log } from '../../../lib/log.ts';
import type { Scheduler } from '../../../lib/scheduler.ts';

/** A simulated day may pass some hundred times as fast. */
const LOOK_MS = 10_000;

type Looks = {
  /** What is looked at each time, and what the log says where that fails: it is tried again, and holds up no other. */
  looks: readonly { look(): void; failed: string }[];
  schedule: Scheduler;
  log: Log;
};

/** Looks every few seconds whether something is due that is sent once a day. */
export class Lookout {
  #cancel: (() => void) | null = null;

  constructor(private readonly deps: Looks) {}

  start(): void {
    if (this.#cancel === null) this.#again();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #again(): void {
    const { looks, schedule, log } = this.deps;
    for (const { look, failed } of looks) {
      try {
        look();
      } catch (error) {
        log.error(failed, { error });
      }
    }
    this.#cancel = schedule(LOOK_MS, () => this.#again());
  }
}
