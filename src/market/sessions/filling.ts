import type { Log, LogProperties } from '#lib/log.ts';
import { isRecord } from '#lib/json.ts';
import { startWorker } from '#lib/workers.ts';
import { type SpecialDay, specialDays } from '../rules/tradingDay.ts';
import type { SessionMaking } from '../sources/quotes.ts';

/** What the worker makes, in order. */
export type SessionOrder = {
  folder: string;
  source: string;
  dates: readonly string[];
  make: SessionMaking;
  specialDays: readonly SpecialDay[];
};

/** An answer of the worker: a session is made, a warning, all are done, or it failed. */
export type SessionReport =
  | { date: string }
  | { warning: string; properties: LogProperties }
  | { finished: true }
  | { failed: string };

const isReport = (value: unknown): value is SessionReport =>
  isRecord(value) && ['date', 'warning', 'finished', 'failed'].some((name) => name in value);

type Running = { done: number; of: number; end(): void };

/** Makes whole sessions in a worker, one order after the other. */
export class SessionFilling {
  private running: Running | null = null;

  /** @param changed called when a session was replaced */
  constructor(
    private readonly log: Log,
    private readonly changed: () => void,
  ) {}

  progress(): { done: number; of: number } | null {
    return this.running && { done: this.running.done, of: this.running.of };
  }

  /** @returns resolves when all orders ended, also after an error */
  async run(orders: readonly Omit<SessionOrder, 'specialDays'>[]): Promise<void> {
    const wanted = orders.filter(({ dates }) => dates.length > 0);
    const of = wanted.reduce((sum, { dates }) => sum + dates.length, 0);
    if (this.running || of === 0) return;
    const running: Running = { done: 0, of, end: () => {} };
    this.running = running;
    try {
      for (const order of wanted) await this.work({ ...order, specialDays: specialDays() }, running);
    } catch (error) {
      this.log.error('The session history could not be completed; trying again later', { error });
    } finally {
      if (this.running === running) this.running = null;
    }
  }

  stop(): void {
    this.running?.end();
    this.running = null;
  }

  private work(order: SessionOrder, running: Running): Promise<void> {
    const worker = startWorker('sources/quotes/sessionWorker');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    running.end = resolve;
    worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (!isReport(data)) return;
      if ('date' in data) {
        running.done += 1;
        this.changed();
      } else if ('warning' in data) this.log.warn(data.warning, data.properties);
      else if ('failed' in data) reject(new Error(data.failed));
      else resolve();
    });
    worker.addEventListener('error', ({ message }) => reject(new Error(message)));
    worker.postMessage(order);
    return promise.finally(() => worker.terminate());
  }
}
