import { columnsFor, type ExtraColumn, isOptional } from './columns.ts';
import { type Fetch, fetchScan } from './fetchScan.ts';
import { buildScanRequest } from './request.ts';
import { readScan, type ScanBatch } from './scan.ts';
import type { Scheduler } from '../../../lib/scheduler.ts';
import { sessionViewAt } from './sessionView.ts';
import type { Clock } from '../../../lib/clock.ts';

/** `reason` completes the sentence "TradingView …". */
export type PollOutcome =
  | { kind: 'batch'; batch: ScanBatch }
  | { kind: 'failed'; reason: string; retryAfterMs: number | null };

export type PollOptions = {
  url: string;
  cookie: string | null;
  timeoutMs: number;
  wall: Clock;
  fetch: Fetch;
  schedule: Scheduler;
  extraColumns: () => readonly ExtraColumn[];
  /** Called once for each column that the platform does not know. */
  onUnknownColumn: (column: string) => void;
};

/** So many unknown columns are found out within one poll; the next poll finds the rest. */
const MAX_COLUMN_RETRIES = 8;

const isSamePlace = (a: ExtraColumn, b: ExtraColumn): boolean =>
  a.tf === b.tf && a.key === b.key && a.valueKey === b.valueKey;

/**
 * Makes one poll at a time: asks, checks, reads. A column that the platform does not know (its list changes without
 * notice) is left out from then on, and the poll asked again; everything else that goes wrong fails the poll. An
 * indicator that nobody uses any more is cleared once, so that no old value stands in its place.
 * @returns `run`: never rejects; `signal` ends it early
 */
export function createPoll(options: PollOptions): { run(signal: AbortSignal): Promise<PollOutcome> } {
  const unknown = new Set<string>();
  /** Where the last applied answer put indicator values. */
  let filled: readonly ExtraColumn[] = [];

  const attempt = async (stop: AbortSignal, columns: readonly string[]): ReturnType<typeof fetchScan> => {
    const limit = new AbortController();
    const cancel = options.schedule(options.timeoutMs, () => limit.abort());
    const outcome = await fetchScan(buildScanRequest({ url: options.url, cookie: options.cookie, columns }), {
      fetch: options.fetch,
      signal: AbortSignal.any([stop, limit.signal]),
      timedOut: () => limit.signal.aborted,
      timeoutMs: options.timeoutMs,
      now: options.wall.now(),
    });
    cancel();
    return outcome;
  };

  const once = async (stop: AbortSignal): Promise<PollOutcome & { unknownColumn: string | null }> => {
    const extra = options.extraColumns();
    const columns = columnsFor(extra, unknown);
    const emptied = filled.filter((old) => !extra.some((one) => isSamePlace(one, old)));
    const outcome = await attempt(stop, columns);
    if (outcome.kind === 'failed') return outcome;
    const scan = readScan(outcome.text, columns, sessionViewAt(options.wall.now()), [...extra, ...emptied]);
    if (scan.kind === 'batch') {
      filled = extra;
      return { kind: 'batch', batch: scan, unknownColumn: null };
    }
    return { kind: 'failed', reason: scan.reason, retryAfterMs: null, unknownColumn: scan.unknownColumn };
  };

  return {
    async run(signal) {
      let outcome = await once(signal);
      for (let retry = 0; retry < MAX_COLUMN_RETRIES; retry += 1) {
        const column = outcome.unknownColumn;
        if (outcome.kind === 'batch' || column === null || !isOptional(column) || unknown.has(column)) break;
        unknown.add(column);
        options.onUnknownColumn(column);
        outcome = await once(signal);
      }
      return outcome;
    },
  };
}
