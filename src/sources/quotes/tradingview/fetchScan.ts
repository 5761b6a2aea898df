import type { HttpClient, HttpRequest } from '../../../lib/httpClient/client.ts';
import type { HttpFailure } from '../../../lib/httpClient/outcome.ts';
import { unknownColumnOf } from './answer.ts';

/** `reason` completes the sentence "TradingView …" and holds no secret. */
export type FetchOutcome =
  | { kind: 'text'; text: string }
  | { kind: 'failed'; reason: string; retryAfterMs: number | null; unknownColumn: string | null };

function statusReason(status: number): string {
  if (status === 429) return 'asks to slow down (HTTP 429)';
  if (status === 401 || status === 403) {
    return `refuses the request (HTTP ${status}); if BELLBIRD_TRADINGVIEW_COOKIE is set, it may have expired`;
  }
  if (status >= 300 && status < 400) return `redirects elsewhere (HTTP ${status})`;
  return `answered HTTP ${status}`;
}

function reasonOf(failure: HttpFailure): string {
  switch (failure.kind) {
    case 'httpError':
      return statusReason(failure.status);
    case 'timeout':
      return `did not answer within ${Math.round(failure.afterMs / 100) / 10} seconds`;
    case 'tooLarge':
      return `sent an answer larger than ${failure.maxBytes / 1024 / 1024} MB`;
    case 'network':
      return failure.code === null ? 'could not be reached' : `could not be reached (${failure.code})`;
    case 'aborted':
      return 'could not be reached';
  }
}

/**
 * Makes one request and reads its body.
 * @returns the body of a 2xx answer, or why there is none; never rejects
 */
export async function fetchScan(http: HttpClient, request: HttpRequest): Promise<FetchOutcome> {
  const outcome = await http.text(request);
  if (outcome.kind === 'ok') return { kind: 'text', text: outcome.body };
  const reason = reasonOf(outcome);
  if (outcome.kind !== 'httpError')
    return { kind: 'failed', reason, retryAfterMs: null, unknownColumn: null };
  const unknownColumn = unknownColumnOf(outcome.text.replaceAll('\\"', '"'));
  return { kind: 'failed', reason, retryAfterMs: outcome.retryAfterMs, unknownColumn };
}
