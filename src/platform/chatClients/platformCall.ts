import { withoutControls } from './messageText.ts';
import type { PlatformCheck, SendOutcome } from './sender.ts';
import type { HttpClient, HttpFailure, HttpRequest } from '#lib/httpClient/client.ts';
import { isRecord, parseJson } from '#lib/json.ts';

/** A usable answer of a platform: JSON, or nothing with status 204. */
export type PlatformAnswer = { status: number; headers: Headers; body: unknown };

/** Why there is no usable answer. Its text holds neither token nor address. */
export class CallError extends Error {
  override name = 'CallError';
  /**
   * @param reason completes the sentence "<Platform> …"
   * @param mayHaveArrived what was sent may have been acted on
   * @param retryAfterMs what the answer asked for
   * @param scope whom it asked to wait
   */
  constructor(
    readonly reason: string,
    readonly mayHaveArrived: boolean,
    readonly retryAfterMs: number | null = null,
    readonly scope: 'chat' | 'platform' = 'platform',
  ) {
    super(reason);
  }
}

/** Faults of a connection that was never made, so that nothing can have been sent. */
export const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ConnectionRefused',
  'FailedToOpenSocket',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** A call that brought no answer at all. */
type Unanswered = Extract<HttpFailure, { kind: 'timeout' | 'aborted' | 'network' }>;

/** Why there was none, to complete "<Platform> …", and whether what was sent may have been acted on. */
export function whyUnanswered(failure: Unanswered): { reason: string; mayHaveArrived: boolean } {
  switch (failure.kind) {
    case 'timeout': {
      const seconds = Math.round(failure.afterMs / 1000);
      return { reason: `did not answer within ${seconds} seconds`, mayHaveArrived: true };
    }
    case 'aborted':
      return { reason: 'was not waited for', mayHaveArrived: true };
    case 'network': {
      const { code } = failure;
      const why = code === null ? '' : ` (${code})`;
      return code !== null && NEVER_CONNECTED.has(code)
        ? { reason: `could not be reached${why}`, mayHaveArrived: false }
        : { reason: `broke the connection${why}`, mayHaveArrived: true };
    }
  }
}

/** A user who waits longer than this for an answer has usually asked again. */
const MAX_WAIT_MS = 30_000;

/**
 * Makes a call, and once more if the platform asks to wait a little.
 * @param waitMsOf how long an error asks to wait; null for other errors
 */
export async function patiently(
  call: () => Promise<unknown>,
  waitMsOf: (error: unknown) => number | null,
): Promise<void> {
  try {
    await call();
  } catch (error) {
    const waitMs = waitMsOf(error);
    if (waitMs === null || waitMs > MAX_WAIT_MS) throw error;
    await Bun.sleep(waitMs);
    await call();
  }
}

const TOO_MANY_REQUESTS = 429;

const parsedOrNull = (text: string): unknown => {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : null;
};

/**
 * One call for a platform's library, through the client that counts, limits and never shows an address.
 * @returns any answer that is JSON; of status 429 whatever it holds, with a body of null when that is no object
 * @throws CallError for everything else, answers of 500 and more among them
 */
export async function callPlatform(http: HttpClient, request: HttpRequest): Promise<PlatformAnswer> {
  const outcome = await http.text(request);
  switch (outcome.kind) {
    case 'timeout':
    case 'aborted':
    case 'network': {
      const { reason, mayHaveArrived } = whyUnanswered(outcome);
      throw new CallError(reason, mayHaveArrived);
    }
    case 'tooLarge':
      throw new CallError('sent an answer that is too large', true);
    case 'httpError': {
      const { status, headers, retryAfterMs } = outcome;
      if (status >= 500) throw new CallError(`answered with status ${status}`, true, retryAfterMs);
      const body = parsedOrNull(outcome.text);
      if (isRecord(body) || status === TOO_MANY_REQUESTS) return { status, headers, body };
      throw new CallError(`answered with status ${status} and something else than JSON`, false, retryAfterMs);
    }
    case 'ok': {
      const { status, headers } = outcome;
      if (status === 204) return { status, headers, body: null };
      const parsed = parseJson(outcome.body);
      if (parsed.ok) return { status, headers, body: parsed.value };
      throw new CallError('answered with something else than JSON', true);
    }
  }
}

const MAX_WORDS = 160;

/** Words of a platform for a log or a person: one line, cut, without what looks like a token or an address. */
export const platformWords = (text: string): string =>
  withoutControls(text)
    .replaceAll(/https?:\S{1,1024}|\S{24,1024}/g, '…')
    .slice(0, MAX_WORDS);

/** What became of a message when its call gave no usable answer. */
export function callOutcome(error: unknown): SendOutcome {
  if (!(error instanceof CallError)) {
    // Unforeseen, so nothing is known of the message either; the error's own text may hold an address.
    const name = error instanceof Error ? error.name : typeof error;
    return { kind: 'unknown', reason: `could not be used (${platformWords(name)})` };
  }
  const { reason, mayHaveArrived, retryAfterMs, scope } = error;
  return mayHaveArrived
    ? { kind: 'unknown', reason }
    : { kind: 'later', afterMs: retryAfterMs, scope, reason };
}

/** Reads the outcome of a harmless call: null when it was answered well. */
export async function checkOf(call: () => Promise<SendOutcome | null>): Promise<PlatformCheck> {
  const outcome = await call();
  if (outcome === null) return { kind: 'up' };
  if (outcome.kind === 'botBroken') return outcome;
  return { kind: 'down', reason: 'reason' in outcome ? outcome.reason : 'sent an answer of an unknown form' };
}
