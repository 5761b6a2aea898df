import type { Log } from '#lib/log.ts';
import { Repetition } from '#lib/repetition.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import { alertStreams, marketStreams } from '../engine/openStreams.ts';
import type { Engine, OpenStreams, RelayReport } from '../engine/types.ts';

const REPORT_MS = 2000;

export type ReportingDeps = {
  engine: Pick<Engine, 'report' | 'reports' | 'primaryStreams' | 'unreport' | 'listen' | 'isUp'>;
  log: Log;
  /** What this relay tells of itself now. */
  own(): RelayReport;
  schedule?: Scheduler;
};

/** Tells the others of this relay, and knows what they and the primary tell. */
export class Reporting {
  /** What the other relays have open, and the primary. */
  #others: readonly OpenStreams[] = [];
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

  /** Streams of the market that others have open, as far as they told: of an address, null for all. */
  readonly marketElsewhere = (address: string | null): number => marketStreams(this.#others, address);

  /** The same of streams of alerts. */
  readonly alertsElsewhere = (address: string | null): number => alertStreams(this.#others, address);

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
      const primary = await engine.primaryStreams();
      this.#others = [...all.filter(({ id }) => id !== report.id), ...(primary ? [primary] : [])];
    } catch (error) {
      // That the engine went, and is back, the log is told by who listens to it.
      log.debug('The relay could not tell of itself', { error });
    } finally {
      this.#isBusy = false;
    }
  }
}
