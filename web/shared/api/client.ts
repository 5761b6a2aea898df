import { treaty } from '@elysiajs/eden';
import type { App } from '../../../src/app.ts';
import { endSession, session } from '../session/session.ts';

export const NETWORK_ERROR = 'Network error. Try again.';

/** A refused request: its text, the HTTP status (503 without a body when the server was not reached) and the body. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;
  constructor(message: string, status: number, body: unknown) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
  }
}

/** The server's calls, typed by its own routes: `api.settings.get()`. Always wrapped: `await unwrap(api.settings.get())`. */
export const api = treaty<App>(window.location.origin, {
  // Without this every string that looks like a date arrives as a Date.
  parseDate: false,
  fetcher: ((input: RequestInfo, init?: RequestInit) => globalThis.fetch(input, init)) as typeof fetch,
  headers: () => {
    const token = session.peek().accessToken;
    return token ? { authorization: token } : {};
  },
}).api;

type Answer = {
  data: unknown;
  error: { status: unknown; value: unknown } | null;
  status: number;
  response?: Response | undefined;
};
type Good<A> = A extends { error: null; data: infer D } ? D : never;
type Conflict<A> = A extends { error: infer E } ? Extract<E, { status: 409 }> : never;
type ValueOf<E> = E extends { value: infer V } ? V : never;
type ConflictBody<A> = ValueOf<Conflict<A>>;

/**
 * Waits for an answer and gives its body (spec 8.1). 204 gives null; 409 gives its body like a success; 401 of a
 * signed-in caller ends the session and goes to /login.
 * @throws ApiError with the sentence to show
 */
export async function unwrap<A extends Answer>(pending: Promise<A>): Promise<Good<A> | ConflictBody<A>> {
  const tokenSent = session.peek().accessToken;
  let answer: A;
  try {
    answer = await pending;
  } catch (cause) {
    // The body said it was JSON and was not: some proxy answered in the server's place.
    throw new ApiError(NETWORK_ERROR, 502, cause);
  }
  if (answer.error === null) return (answer.data === '' ? null : answer.data) as Good<A>;
  const body = answer.error.value;
  if (answer.status === 409) return body as ConflictBody<A>;
  if (answer.status === 401 && tokenSent !== null && tokenSent === session.peek().accessToken) {
    endSession();
  }
  throw new ApiError(errorText(answer.status, answer.response?.statusText ?? '', body), answer.status, body);
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
