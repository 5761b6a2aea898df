import type { Log } from '../../lib/log.ts';
import { Repetition } from '../../lib/repetition.ts';
import { type Scheduler, timerScheduler } from '../../lib/scheduler.ts';
import type { Engine, RelayReport } from '../engine/types.ts';

const REPORT_MS = 2000;

export type ReportingDeps = {
  engine: Pick<Engine, 'report' | 'reports' | 'unreport' | 'listen' | 'isUp'>;
  log: Log;
  /** What this relay tells of itself now. */
  own(): RelayReport;
  schedule?: Scheduler;
};

/** Tells the others of this relay, and knows what they tell. */
export class Reporting {
  #others: readonly RelayReport[] = [];
  #isBusy = false;
  #isStopped = false;
  readonly #repetition: Repetition;

  constructor(private readonly deps: ReportingDeps) {
    const { schedule = timerScheduler, log } = deps;
    const work = (): void => void this.#exchange();
    const failure = 'The relay could not tell of itself';
    this.#repetition = new Repetition({ schedule, everyMs: REPORT_MS, work, log, failure });
  }

  start(): void {
    this.deps.engine.listen({ up: () => void this.#exchange() });
    this.#repetition.start();
    void this.#exchange();
  }

  /** Streams of the market that other relays have open, as far as they told: of an address, null for all. */
  readonly elsewhere = (address: string | null): number =>
    this.#others.reduce(
      (sum, { pages, addresses }) => sum + (address === null ? pages : (addresses[address] ?? 0)),
      0,
    );

  /** The relay is leaving. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#repetition.stop();
    if (!this.deps.engine.isUp()) return;
    try {
      await this.deps.engine.unreport(this.deps.own().id);
    } catch (error) {
      this.deps.log.debug('The relay could not take back what it told of itself; it is forgotten soon', {
        error,
      });
    }
  }

  async #exchange(): Promise<void> {
    const { engine, own, log } = this.deps;
    if (this.#isBusy || this.#isStopped || !engine.isUp()) return;
    this.#isBusy = true;
    const report = own();
    try {
      await engine.report(report);
      const all = await engine.reports();
      this.#others = all.filter(({ id }) => id !== report.id);
    } catch (error) {
      // That the engine went, and is back, the log is told by who listens to it.
      log.debug('The relay could not tell of itself', { error });
    } finally {
      this.#isBusy = false;
    }
  }
}
