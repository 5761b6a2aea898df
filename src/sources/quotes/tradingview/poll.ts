import type { Clock } from '#lib/clock.ts';
import { failureText, type HttpClient, type HttpRequest, statusText } from '#lib/httpClient/client.ts';
import type { PollFailure } from '#lib/httpClient/pollLoop.ts';
import { columnsFor, type ExtraColumn, isOptional } from './columns.ts';
import { buildScanRequest, unknownColumnOf } from './answer.ts';
import { readScan, type ScanBatch } from './scan.ts';
import { sessionViewAt } from './sessionView.ts';

/** `reason` completes the sentence "TradingView …" and holds no secret. */
type FetchOutcome =
  | { kind: 'text'; text: string }
  | { kind: 'failed'; reason: string; retryAfterMs: number | null; unknownColumn: string | null };

/** A refusal may be about the account whose cookie is sent. */
const describeStatus = (status: number): string =>
  status === 401 || status === 403
    ? `${statusText(status)}; if BELLBIRD_TRADINGVIEW_COOKIE is set, it may have expired`
    : statusText(status);

/**
 * Makes one request and reads its body.
 * @returns the body of a 2xx answer, or why there is none; never rejects
 */
async function fetchScan(http: HttpClient, request: HttpRequest): Promise<FetchOutcome> {
  const outcome = await http.text(request);
  if (outcome.kind === 'ok') return { kind: 'text', text: outcome.body };
  const reason = failureText(outcome, describeStatus);
  if (outcome.kind !== 'httpError')
    return { kind: 'failed', reason, retryAfterMs: null, unknownColumn: null };
  const unknownColumn = unknownColumnOf(outcome.text.replaceAll('\\"', '"'));
  return { kind: 'failed', reason, retryAfterMs: outcome.retryAfterMs, unknownColumn };
}

export type PollOutcome = { kind: 'batch'; batch: ScanBatch } | PollFailure;

export type PollOptions = {
  url: string;
  cookie: string | null;
  timeoutMs: number;
  wall: Clock;
  http: HttpClient;
  extraColumns: () => readonly ExtraColumn[];
  /** Called once for each column that the platform does not know. */
  onUnknownColumn: (column: string) => void;
  /** Called for an answer of which nothing can be used. */
  onBadForm?: () => void;
};

/** This many unknown columns are found out within one poll; the next poll finds the rest. */
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
  const { http, url, cookie, timeoutMs } = options;
  const unknown = new Set<string>();
  /** Where the last applied answer put indicator values. */
  let filled: readonly ExtraColumn[] = [];

  const once = async (signal: AbortSignal): Promise<PollOutcome & { unknownColumn: string | null }> => {
    const extra = options.extraColumns();
    const columns = columnsFor(extra, unknown);
    const emptied = filled.filter((old) => !extra.some((one) => isSamePlace(one, old)));
    const request = buildScanRequest({ url, cookie, columns, timeoutMs });
    const outcome = await fetchScan(http, { ...request, signal });
    if (outcome.kind === 'failed') return outcome;
    const scan = readScan(outcome.text, columns, sessionViewAt(options.wall.now()), [...extra, ...emptied]);
    if (scan.kind === 'batch') {
      filled = extra;
      return { kind: 'batch', batch: scan, unknownColumn: null };
    }
    options.onBadForm?.();
    return { kind: 'failed', reason: scan.reason, retryAfterMs: null, unknownColumn: scan.unknownColumn };
  };

  return {
    async run(signal) {
      let outcome = await once(signal);
      for (let retry = 0; retry < MAX_COLUMN_RETRIES; retry += 1) {
        const column = outcome.unknownColumn;
        if (outcome.kind === 'batch' || column === null || !isOptional(column) || unknown.has(column)) break;
        unknown.add(column);
        options.onBadForm?.();
        options.onUnknownColumn(column);
        outcome = await once(signal);
      }
      return outcome;
    },
  };
}
