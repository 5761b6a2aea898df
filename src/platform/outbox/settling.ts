import type { Log } from '#lib/log.ts';
import { nextTurn } from '#lib/nextTurn.ts';
import type { Scheduler } from '#lib/scheduler.ts';

/** What is to be done with a message: on disk first, then in the queue. */
export type Step = { write(): void; advance(): void };

type SettlingOptions = {
  /** All or nothing. */
  inTransaction(work: () => void): void;
  schedule: Scheduler;
  log: Log;
  /** Nothing can be written any more. */
  isStopped(): boolean;
};

const STORE_RETRY_MS = 5000;

/**
 * Writes what became of messages. A wait for the disk holds the event loop, so what was answered within one turn of it is
 * written in one transaction: else thirty answers that come together would wait thirty times.
 */
export class Settling {
  #waiting: { step: Step; done(): void }[] = [];

  constructor(private readonly options: SettlingOptions) {}

  /**
   * Resolves when it is on disk and done, so that a full disk neither loses nor doubles anything; or once nothing can be
   * written any more: then it stays marked as being sent, and the next run repeats it.
   */
  settle(step: Step): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ step, done: resolve });
    if (this.#waiting.length === 1) void nextTurn().then(() => this.#writeAll());
    return promise;
  }

  #writeAll(): void {
    const all = this.#waiting;
    this.#waiting = [];
    try {
      this.options.inTransaction(() => all.forEach(({ step }) => step.write()));
    } catch {
      // One of them may be at fault: each by itself, so that it keeps no other back.
      for (const { step, done } of all) this.#writeOne(step, done);
      return;
    }
    for (const { step, done } of all) {
      step.advance();
      done();
    }
  }

  #writeOne(step: Step, done: () => void): void {
    const { inTransaction, schedule, log, isStopped } = this.options;
    try {
      inTransaction(() => step.write());
    } catch (error) {
      if (isStopped()) return done();
      log.error('What became of a message could not be written', { error });
      schedule(STORE_RETRY_MS, () => this.#writeOne(step, done));
      return;
    }
    step.advance();
    done();
  }
}
