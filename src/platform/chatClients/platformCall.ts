import { withoutControls } from './messageText.ts';
import type { PlatformCheck, SendOutcome } from './sender.ts';
import type { HttpClient, HttpFailure, HttpRequest } from '#lib/httpClient/client.ts';
import { isRecord, type JsonRecord, parseJson } from '#lib/json.ts';
import { readRecord } from '#lib/read.ts';

/** A usable answer of a platform: JSON, or nothing with status 204. */
export type PlatformAnswer = { status: number; headers: Headers; body: unknown };

/** Why there is no usable answer. Its text contains neither token nor address. */
export class CallError extends Error {
  override name = 'CallError';
  /**
   * @param reason completes the sentence "<Platform> …"
   * @param mayHaveArrived true if the platform may have acted on the call
   * @param retryAfterMs the delay that the answer demands
   * @param scope of the delay
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

type Unanswered = Extract<HttpFailure, { kind: 'timeout' | 'aborted' | 'network' }>;

/** Why there was no answer, to complete "<Platform> …", and whether the platform may have acted on the call. */
export function whyUnanswered(failure: Unanswered): { reason: string; mayHaveArrived: boolean } {
  switch (failure.kind) {
    case 'timeout': {
      const seconds = Math.round(failure.afterMs / 1000);
      return { reason: `did not answer within ${seconds} seconds`, mayHaveArrived: true };
    }
    case 'aborted':
      return { reason: 'was interrupted', mayHaveArrived: true };
    case 'network': {
      const { code } = failure;
      const why = code === null ? '' : ` (${code})`;
      return code !== null && NEVER_CONNECTED.has(code)
        ? { reason: `could not be reached${why}`, mayHaveArrived: false }
        : { reason: `broke the connection${why}`, mayHaveArrived: true };
    }
  }
}

/** A user who waits longer than this has usually asked again. */
const MAX_WAIT_MS = 30_000;

/**
 * Makes a call, and repeats it once if the platform demands a short delay.
 * @param waitMsOf the delay that an error demands; null for other errors
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
 * Makes a call for a platform's library through the shared client, which counts, limits and hides addresses.
 * @returns any JSON answer; for status 429 any answer, with a null body unless it is an object
 * @throws CallError for everything else, including answers of 500 and more
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
      throw new CallError(`answered with status ${status} and a body that is not JSON`, false, retryAfterMs);
    }
    case 'ok': {
      const { status, headers } = outcome;
      if (status === 204) return { status, headers, body: null };
      const parsed = parseJson(outcome.body);
      if (parsed.ok) return { status, headers, body: parsed.value };
      throw new CallError('answered with a body that is not JSON', true);
    }
  }
}

const MAX_WORDS = 160;

/** Text of a platform for a log or a person: one line, shortened, without tokens and addresses. */
export const platformWords = (text: string): string =>
  withoutControls(text)
    .replaceAll(/https?:\S{1,1024}|\S{24,1024}/g, '…')
    .slice(0, MAX_WORDS);

export function callOutcome(error: unknown): SendOutcome {
  if (!(error instanceof CallError)) {
    // The error is unexpected, so the message may have arrived. Its text may contain an address.
    const name = error instanceof Error ? error.name : typeof error;
    return { kind: 'unknown', reason: `could not be used (${platformWords(name)})` };
  }
  const { reason, mayHaveArrived, retryAfterMs, scope } = error;
  return mayHaveArrived
    ? { kind: 'unknown', reason }
    : { kind: 'later', afterMs: retryAfterMs, scope, reason };
}

/** @param me asks the platform for the bot's own account @param isAccount whether it sent one */
export async function checkOf(
  me: () => Promise<unknown>,
  isAccount: (account: JsonRecord) => boolean,
  outcomeOf: (error: unknown) => SendOutcome,
): Promise<PlatformCheck> {
  let outcome: SendOutcome;
  try {
    if (isAccount(readRecord(await me()))) return { kind: 'up' };
    outcome = callOutcome(new CallError('sent an answer in an unknown format', false));
  } catch (error) {
    outcome = outcomeOf(error);
  }
  if (outcome.kind === 'botBroken') return outcome;
  return {
    kind: 'down',
    reason: 'reason' in outcome ? outcome.reason : 'sent an answer in an unknown format',
  };
}
