import type { FactStore } from '../../../platform/db/facts.ts';
import { isDiskLow } from '../rules/diskSpace.ts';
import { enoughDiskMessage, lowDiskMessage } from '../rules/hostMessage.ts';
import type { Scheduler } from '../../../lib/scheduler.ts';
import type { Log } from '../../../lib/log.ts';
import type { Administrators } from '../../notices/server/service.ts';

/** True while the disk counts as low, also over a restart, so that administrators are told once. */
const LOW_KEY = 'disk_low';

export type DiskState = { free: number | null; isLow: boolean };

const LOOK_EVERY_MS = 60_000;
/** The port answers and the market is filled by then. */
const FIRST_LOOK_MS = 5000;

export type DiskWatchDeps = {
  facts: FactStore;
  administrators: Administrators;
  log: Log;
  schedule: Scheduler;
  /** Bytes; null when the system does not tell. */
  free(): number | null;
};

/** Knows whether the disk of the data folder is low, and tells administrators when that begins and when it is over. */
export class DiskWatch {
  #cancel: (() => void) | null = null;

  constructor(private readonly deps: DiskWatchDeps) {}

  /** As it is at this moment; tells nobody. */
  state(): DiskState {
    const free = this.deps.free();
    return { free, isLow: free !== null && isDiskLow(free, this.#wasLow()) };
  }

  /** Looks now and then from now on. */
  start(): void {
    this.#cancel ??= this.deps.schedule(FIRST_LOOK_MS, () => this.#again());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** @throws what the database refuses; then it is told at the next look */
  look(): void {
    const { log, facts, administrators } = this.deps;
    const { free, isLow } = this.state();
    if (free === null || isLow === this.#wasLow()) return;
    const facted = { freeMb: Math.floor(free / 1e6) };
    if (isLow) log.warn('The disk of the data folder is almost full', facted);
    else log.info('The disk of the data folder has room again', facted);
    const message = isLow ? lowDiskMessage(free) : enoughDiskMessage(free);
    administrators.tell(message, () => facts.write(LOW_KEY, isLow));
  }

  #wasLow(): boolean {
    return this.deps.facts.read(LOW_KEY) === true;
  }

  #again(): void {
    try {
      this.look();
    } catch (error) {
      this.deps.log.error('The room on the disk could not be looked at; trying again', { error });
    }
    this.#cancel = this.deps.schedule(LOOK_EVERY_MS, () => this.#again());
  }
}
