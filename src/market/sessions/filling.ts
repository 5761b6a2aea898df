import { availableParallelism } from 'node:os';
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

type Running = { done: number; of: number; ends: (() => void)[] };

type Order = Omit<SessionOrder, 'specialDays'>;

/** Sessions that are worth a second worker. */
const MANY = 10;

/** Shares many sessions between two workers, in the same order. */
function shared(order: Order): Order[] {
  if (order.dates.length < MANY || availableParallelism() < 2) return [order];
  return [0, 1].map((own) => ({ ...order, dates: order.dates.filter((_, index) => index % 2 === own) }));
}

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

  /** @returns false if an order failed */
  async run(orders: readonly Order[]): Promise<boolean> {
    const wanted = orders.filter(({ dates }) => dates.length > 0);
    const of = wanted.reduce((sum, { dates }) => sum + dates.length, 0);
    if (this.running || of === 0) return true;
    const running: Running = { done: 0, of, ends: [] };
    this.running = running;
    try {
      for (const order of wanted) {
        // Stopped.
        if (this.running !== running) return true;
        await Promise.all(
          shared(order).map((one) => this.work({ ...one, specialDays: specialDays() }, running)),
        );
      }
      return true;
    } catch (error) {
      for (const end of running.ends) end();
      this.log.error('The session history could not be completed; trying again later', { error });
      return false;
    } finally {
      if (this.running === running) this.running = null;
    }
  }

  stop(): void {
    for (const end of this.running?.ends ?? []) end();
    this.running = null;
  }

  private work(order: SessionOrder, running: Running): Promise<void> {
    const worker = startWorker('sources/quotes/sessionWorker');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    running.ends.push(resolve);
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
