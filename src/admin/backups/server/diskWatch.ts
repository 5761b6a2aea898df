import type { FactStore } from '../../../platform/db/facts.ts';
import { isDiskLow } from '../rules/diskSpace.ts';
import { enoughDiskMessage, lowDiskMessage } from '../rules/hostMessage.ts';
import type { Log } from '../../../lib/log.ts';
import type { Administrators } from './administrators.ts';

/** True while the disk counts as low, also over a restart, so that administrators are told once. */
const LOW_KEY = 'disk_low';

export type DiskState = { free: number | null; isLow: boolean };

export type DiskWatchDeps = {
  facts: FactStore;
  administrators: Administrators;
  log: Log;
  /** Bytes; null when the system does not tell. */
  free(): number | null;
};

/** Knows whether the disk of the data folder is low, and tells administrators when that begins and when it is over. */
export function createDiskWatch({ facts, administrators, log, free }: DiskWatchDeps) {
  const wasLow = (): boolean => facts.read(LOW_KEY) === true;

  return {
    /** As it is at this moment; tells nobody. */
    state(): DiskState {
      const bytes = free();
      return { free: bytes, isLow: bytes !== null && isDiskLow(bytes, wasLow()) };
    },

    /** To be called now and then. @throws what the database refuses; then it is told at the next look */
    look(): void {
      const bytes = free();
      if (bytes === null) return;
      const before = wasLow();
      const isLow = isDiskLow(bytes, before);
      if (isLow === before) return;
      const facted = { freeMb: Math.floor(bytes / 1e6) };
      if (isLow) log.warn('The disk of the data folder is almost full', facted);
      else log.info('The disk of the data folder has room again', facted);
      const message = isLow ? lowDiskMessage(bytes) : enoughDiskMessage(bytes);
      administrators.tell(message, () => facts.write(LOW_KEY, isLow));
    },
  };
}

export type DiskWatch = ReturnType<typeof createDiskWatch>;
