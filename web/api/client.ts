import type { Treaty } from '@elysiajs/eden';
import type { App } from '#src/compose.ts';
import { isRecord, type JsonRecord } from '#lib/json.ts';
import { readBoolean, readRecord, readText } from '#lib/read.ts';
import type { Refusal } from '#lib/result.ts';
import { endSession, session, tokenHeaders } from '#subjects/accounts/web/shared/session/session.ts';
import { createCaller } from './caller.ts';

export const NETWORK_ERROR = 'Network error. Try again.';

/** A refused request: its text, the HTTP status (503 without a body when the server was not reached) and the body. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;
  /** The input that the server refuses; null when it is the whole, and when the server was not reached. */
  readonly field: string | null;
  constructor(message: string, status: number, body: unknown) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
    this.field = fieldIn(body);
  }
}

/**
 * The server's calls, typed by its own routes: `api.settings.get()`. Always unwrapped and read:
 * `await unwrap(api.settings.get(), readerOf(settingsAnswer))`.
 */
export const api = (
  createCaller(window.location.origin, (): Record<string, string> => {
    const token = session.peek().accessToken;
    return token ? tokenHeaders(token) : {};
  }) as Treaty.Create<App>
).api;

/** An answer as Eden's types give it; `T` is what the server's own routes promise of its body. */
type Answer<T> = {
  data: T | null;
  error: { status: unknown; value: unknown } | null;
  status: number;
  response?: Response | undefined;
};

/**
 * Waits for an answer and reads its body (spec 8.1). 204 gives null to the reader; 409 gives its body like a success;
 * the server's own 401 of a signed-in caller ends the session and goes to /login.
 * @param read turns the body, of which nothing is certain, into what the page works with. A page may be older or newer
 *   than the server that answers. Without it the body stays unread.
 * @throws ApiError with the sentence to show; also when `read` says that the body is no answer at all
 */
export function unwrap(pending: Promise<Answer<unknown>>): Promise<unknown>;
export function unwrap<T>(
  // The server's own types must fit what is read: a member that changes its form fails to compile.
  pending: Promise<Answer<Partial<NoInfer<T>>>>,
  read: (body: unknown) => T,
): Promise<T>;
export async function unwrap(
  pending: Promise<Answer<unknown>>,
  read: (body: unknown) => unknown = (body) => body,
): Promise<unknown> {
  const tokenSent = session.peek().accessToken;
  let answer: Answer<unknown>;
  try {
    answer = await pending;
  } catch (cause) {
    // The body said it was JSON and was not: some proxy answered in the server's place.
    throw new ApiError(NETWORK_ERROR, 502, cause);
  }
  if (answer.error === null) return read(answer.data === '' ? null : answer.data);
  const body = answer.error.value;
  if (answer.status === 409) return read(body);
  // A proxy’s 401 is a page, or JSON without a sentence of ours.
  if (
    answer.status === 401 &&
    readRecord(body).error &&
    tokenSent !== null &&
    tokenSent === session.peek().accessToken
  ) {
    endSession('expired');
  }
  throw new ApiError(errorText(answer.status, answer.response?.statusText ?? '', body), answer.status, body);
}

/**
 * The members of an answer's body.
 * @throws ApiError when it is no object: some proxy answered in the server's place
 */
export function readAnswer(body: unknown): JsonRecord {
  if (isRecord(body)) return body;
  throw new ApiError(NETWORK_ERROR, 502, body);
}

/**
 * What an answer that came as a success or a 409 says went wrong all the same.
 * @param fallback the sentence for an answer that gives none
 * @returns null when nothing did
 */
export function readRefusal(body: unknown, fallback: string): Refusal | null {
  const { success, error, message } = readRecord(body);
  const sentence = readText(error);
  if (sentence) return { field: fieldIn(body), message: sentence };
  if (readBoolean(success) !== false) return null;
  return { field: fieldIn(body), message: readText(message) || fallback };
}

/** The body's error, else its message, else the status code with its text (spec 8.1). */
export function errorText(status: number, statusText: string, body: unknown): string {
  return sentenceIn(status, body) ?? `${status} ${statusText}`.trim();
}

/** The sentence of a failed call: the server's own where it gave one, else the screen's; a bare status is none. */
export function messageOf(problem: unknown, fallback: string): string {
  if (!(problem instanceof ApiError)) return fallback;
  return problem.message === NETWORK_ERROR
    ? NETWORK_ERROR
    : (sentenceIn(problem.status, problem.body) ?? fallback);
}

/**
 * A failed call as a refusal: the server's own where it gave one, else the screen's sentence. A server that was not
 * reached refuses no field.
 */
export const refusalOf = (problem: unknown, fallback: string): Refusal => ({
  field: problem instanceof ApiError ? problem.field : null,
  message: messageOf(problem, fallback),
});

/** The server says that there is no such thing, or, as one that knows only what the specification names, no such route. */
export const isMissing = (problem: unknown): boolean => problem instanceof ApiError && problem.status === 404;

/** The field that a body names beside its sentence. */
const fieldIn = (body: unknown): string | null => readText(readRecord(body).field) || null;

function sentenceIn(status: number, body: unknown): string | null {
  if (status === 503 && (body === null || body === undefined || body === '' || body instanceof Error)) {
    return NETWORK_ERROR;
  }
  // A proxy's error page is text too, but no sentence.
  if (typeof body === 'string') return body.trim() === '' || body.trimStart().startsWith('<') ? null : body;
  if (typeof body !== 'object' || body === null || body instanceof Error) return null;
  const { error, message } = body as { error?: unknown; message?: unknown };
  if (typeof error === 'string' && error !== '') return error;
  return typeof message === 'string' && message !== '' ? message : null;
}
