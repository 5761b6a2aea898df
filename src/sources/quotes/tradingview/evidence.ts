import { textCell, timeCell } from './cells.ts';
import type { CellReader } from './row.ts';

/** What one answer states about its age. */
export type Evidence = {
  /** How many rows carry which update_mode. */
  modes: ReadonlyMap<string, number>;
  /** Newest last_bar_update_time, epoch ms. */
  newestUpdate: number | null;
  /** Opening of the newest one-minute bar, epoch ms. */
  newestMinute: number | null;
};

/** A provider's clock may run a little ahead of ours; a time further in the future is not counted. */
const CLOCK_SKEW_MS = 60_000;

const newer = (a: number | null, b: number | null, limit: number): number | null =>
  b === null || b > limit ? a : Math.max(a ?? b, b);

/** Collects the evidence of an answer row by row. */
export function createEvidence(now: number): { add(cell: CellReader): void; result(): Evidence } {
  const limit = now + CLOCK_SKEW_MS;
  const modes = new Map<string, number>();
  let newestUpdate: number | null = null;
  let newestMinute: number | null = null;
  return {
    add(cell) {
      const mode = textCell(cell('update_mode'));
      if (mode !== null) modes.set(mode, (modes.get(mode) ?? 0) + 1);
      newestUpdate = newer(newestUpdate, timeCell(cell('last_bar_update_time')), limit);
      newestMinute = newer(newestMinute, timeCell(cell('time|1')), limit);
    },
    result: () => ({ modes, newestUpdate, newestMinute }),
  };
}
