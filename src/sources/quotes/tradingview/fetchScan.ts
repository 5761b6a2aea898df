import type { ScanRequest } from './request.ts';
import { retryAfterMs } from '../../../lib/httpClient/retryAfter.ts';
import { unknownColumnOf } from './answer.ts';

/** The part of `fetch` that is used; tests pass their own. */
export type Fetch = (url: string, init: ScanRequest['init'] & { signal: AbortSignal }) => Promise<Response>;

/** `reason` completes the sentence "TradingView …" and holds no secret. */
export type FetchOutcome =
  | { kind: 'text'; text: string }
  | { kind: 'failed'; reason: string; retryAfterMs: number | null; unknownColumn: string | null };

/** The whole market with a few dozen columns is about 1 MB. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;

const failed = (
  reason: string,
  more: { retryAfterMs?: number | null; unknownColumn?: string | null } = {},
): FetchOutcome => ({
  kind: 'failed',
  reason,
  retryAfterMs: more.retryAfterMs ?? null,
  unknownColumn: more.unknownColumn ?? null,
});

/** Reads a body up to a limit; null when it is longer. */
async function readText(response: Response, limit: number): Promise<string | null> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > limit) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function statusReason(status: number): string {
  if (status === 429) return 'asks to slow down (HTTP 429)';
  if (status === 401 || status === 403) {
    return `refuses the request (HTTP ${status}); if BELLBIRD_TRADINGVIEW_COOKIE is set, it may have expired`;
  }
  if (status >= 300 && status < 400) return `redirects elsewhere (HTTP ${status})`;
  return `answered HTTP ${status}`;
}

async function refusalOf(response: Response, now: number): Promise<FetchOutcome> {
  const text = (await readText(response, MAX_ERROR_BYTES)) ?? '';
  return failed(statusReason(response.status), {
    retryAfterMs: retryAfterMs(response.headers.get('retry-after'), now),
    unknownColumn: unknownColumnOf(text.replaceAll('\\"', '"')),
  });
}

/** Codes only: an error's own text may repeat a header, and the cookie is one. */
function errorReason(error: unknown): string {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
  return code !== null && /^\w{1,40}$/.test(code) ? `could not be reached (${code})` : 'could not be reached';
}

/**
 * Makes one request and reads its body.
 * @param signal ends the attempt, body included; `timedOut` tells a time limit from a stop
 * @param now epoch ms, for a Retry-After that is a date
 * @returns the body of a 2xx answer, or why there is none; never rejects
 */
export async function fetchScan(
  request: ScanRequest,
  options: { fetch: Fetch; signal: AbortSignal; timedOut(): boolean; timeoutMs: number; now: number },
): Promise<FetchOutcome> {
  try {
    const response = await options.fetch(request.url, { ...request.init, signal: options.signal });
    if (!response.ok) return await refusalOf(response, options.now);
    const text = await readText(response, MAX_BODY_BYTES);
    return text === null ? failed('sent an answer larger than 64 MB') : { kind: 'text', text };
  } catch (error) {
    if (options.timedOut()) {
      return failed(`did not answer within ${Math.round(options.timeoutMs / 100) / 10} seconds`);
    }
    return failed(errorReason(error));
  }
}
