import type { HttpClient, HttpRequest } from '../../../lib/httpClient/client.ts';
import { failureText, statusText } from '../../../lib/httpClient/failureText.ts';
import { unknownColumnOf } from './answer.ts';

/** `reason` completes the sentence "TradingView …" and holds no secret. */
export type FetchOutcome =
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
export async function fetchScan(http: HttpClient, request: HttpRequest): Promise<FetchOutcome> {
  const outcome = await http.text(request);
  if (outcome.kind === 'ok') return { kind: 'text', text: outcome.body };
  const reason = failureText(outcome, describeStatus);
  if (outcome.kind !== 'httpError')
    return { kind: 'failed', reason, retryAfterMs: null, unknownColumn: null };
  const unknownColumn = unknownColumnOf(outcome.text.replaceAll('\\"', '"'));
  return { kind: 'failed', reason, retryAfterMs: outcome.retryAfterMs, unknownColumn };
}
