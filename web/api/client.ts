import type { Field, Wire } from '#lib/contract/fields.ts';
import { isRecord, type JsonRecord } from '#lib/json.ts';
import { readBoolean, readRecord, readText } from '#lib/read.ts';
import type { Refusal } from '#lib/result.ts';
import type { CONTRACTS } from '#src/contracts.ts';
import { endSession, session, tokenHeaders } from '#subjects/accounts/web/shared/session/session.ts';

export const NETWORK_ERROR = 'Network error. Try again.';

/** A refused request: the sentence to show, the HTTP status (503 if the server was unreachable) and the body. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;
  /** The refused member; null if the whole request was refused, or the server was unreachable. */
  readonly field: string | null;
  constructor(message: string, status: number, body: unknown) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
    this.field = fieldIn(body);
  }
}

type Contracts = typeof CONTRACTS;
/** Method and path: 'GET /api/calls/:publicId'. */
type RouteName = keyof Contracts;
type Sent<R> = (R extends { params: infer P }
  ? { params: { readonly [N in keyof Wire<P>]: string | number } }
  : unknown) &
  (R extends { query: infer Q }
    ? { query?: { readonly [N in keyof Wire<Q>]?: Wire<Q>[N] | null } }
    : unknown) &
  (R extends { body: infer B }
    ? B extends { isOptional: true }
      ? { body?: Wire<B> }
      : { body: Wire<B> }
    : unknown);
type Options<N extends RouteName> = Sent<Contracts[N]> & {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  keepalive?: boolean;
};
/** The contract must fit the result of `read`: if a member changes its type, this fails to compile. */
type Fitting<N extends RouteName, T> = Wire<Contracts[N]['answer']> extends Partial<T> ? unknown : never;
type Reading<N extends RouteName, T> = Options<N> & { read: (body: unknown) => T } & Fitting<N, T>;

/**
 * Calls a route and reads its answer (specification 8.1). For 204 the reader gets null; for 409 the body, as on
 * success. The server's own 401 of a signed-in user ends the session and opens /login. Query members that are null are
 * omitted.
 * @param read converts the body, which may have any form because page and server may differ in version. Without it the
 * body is not read
 * @throws ApiError with the sentence to show; also if `read` rejects the body
 */
export function request<N extends RouteName, T>(route: N, options: Reading<N, T>): Promise<T>;
export function request<N extends RouteName>(route: N, options: Options<N> & { isFile: true }): Promise<Blob>;
export function request<N extends RouteName>(
  route: N,
  ...options: object extends Options<N> ? [Options<N>?] : [Options<N>]
): Promise<unknown>;
export async function request(route: RouteName, options: AnyOptions = {}): Promise<unknown> {
  const { read = (body) => body, isFile = false } = options;
  const tokenSent = session.peek().accessToken;
  let response: Response;
  try {
    response = await send(route, options, tokenSent);
  } catch (cause) {
    throw new ApiError(NETWORK_ERROR, 503, cause);
  }
  if (response.ok && isFile) return response.blob();
  let body: unknown;
  try {
    body = await bodyOf(response);
  } catch (cause) {
    // An incomplete body or invalid JSON means that a proxy answered.
    throw new ApiError(NETWORK_ERROR, 502, cause);
  }
  const { ok, status, statusText } = response;
  if (ok || status === 409) return read(body === '' ? null : body);
  // A 401 from a proxy is a page, or JSON without our error text.
  if (
    status === 401 &&
    readRecord(body).error &&
    tokenSent !== null &&
    tokenSent === session.peek().accessToken
  ) {
    endSession('expired');
  }
  throw new ApiError(errorText(status, statusText, body), status, body);
}

type Values = Readonly<Record<string, unknown>>;
type AnyOptions = {
  params?: Values;
  query?: Values;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  keepalive?: boolean;
  read?: (body: unknown) => unknown;
  isFile?: true;
};

function send(
  route: RouteName,
  { params = {}, query = {}, body, headers, signal, keepalive }: AnyOptions,
  token: string | null,
): Promise<Response> {
  const [method = '', path = ''] = route.split(' ');
  const address = path.replaceAll(/:(\w{1,60})/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  return fetch(window.location.origin + address + queryText(query), {
    method,
    headers: {
      ...(token ? tokenHeaders(token) : {}),
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
    ...(keepalive ? { keepalive } : {}),
  });
}

function bodyOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/json')) return response.json();
  return type.startsWith('application/octet-stream') ? response.arrayBuffer() : response.text();
}

/** The query text with its question mark; empty if all members are null or omitted. A list repeats its name. */
function queryText(query: Values): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== null && one !== undefined)
      .map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(String(one))}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** @throws ApiError if the body is not an object, which means that a proxy answered */
export function readAnswer(body: unknown): JsonRecord {
  if (isRecord(body)) return body;
  throw new ApiError(NETWORK_ERROR, 502, body);
}

/**
 * The error in an answer with a success status or 409.
 * @param fallback message for an error without one
 * @returns null if there is no error
 */
export function readRefusal(body: unknown, fallback: string): Refusal | null {
  const { success, error, message } = readRecord(body);
  const sentence = readText(error);
  if (sentence) return { field: fieldIn(body), message: sentence };
  if (readBoolean(success) !== false) return null;
  return { field: fieldIn(body), message: readText(message) || fallback };
}

/** The body's error, otherwise its message, otherwise status code and text (specification 8.1). */
export function errorText(status: number, statusText: string, body: unknown): string {
  return sentenceIn(status, body) ?? `${status} ${statusText}`.trim();
}

/** The server's sentence if it sent one, otherwise the screen's. A status alone is not a sentence. */
export function messageOf(problem: unknown, fallback: string): string {
  if (!(problem instanceof ApiError)) return fallback;
  return problem.message === NETWORK_ERROR
    ? NETWORK_ERROR
    : (sentenceIn(problem.status, problem.body) ?? fallback);
}

/** The server's refusal if it sent one, otherwise the screen's sentence. An unreachable server refuses no field. */
export const refusalOf = (problem: unknown, fallback: string): Refusal => ({
  field: problem instanceof ApiError ? problem.field : null,
  message: messageOf(problem, fallback),
});

/** Whether the resource is missing, or the route, because the server implements only the specification. */
export const isMissing = (problem: unknown): boolean => problem instanceof ApiError && problem.status === 404;

/** Catches a request's problem: returns `none` if the resource or route is missing. @throws all other problems */
export const ifMissing =
  <None>(none: None) =>
  (problem: unknown): None => {
    if (isMissing(problem)) return none;
    throw problem;
  };

const fieldIn = (body: unknown): string | null => readText(readRecord(body).field) || null;

function sentenceIn(status: number, body: unknown): string | null {
  if (status === 503 && (body === null || body === undefined || body === '' || body instanceof Error)) {
    return NETWORK_ERROR;
  }
  // A proxy's error page is text too, but not a sentence.
  if (typeof body === 'string') return body.trim() === '' || body.trimStart().startsWith('<') ? null : body;
  if (typeof body !== 'object' || body === null || body instanceof Error) return null;
  const { error, message } = body as { error?: unknown; message?: unknown };
  if (typeof error === 'string' && error !== '') return error;
  return typeof message === 'string' && message !== '' ? message : null;
}

/**
 * A reader for `request('GET /api/calls/mine', { read: readerOf(mineAnswer) })`.
 * @returns a reader that throws ApiError for an unusable answer
 */
export const readerOf =
  <K>({ form, read }: Field<unknown, K>) =>
  (body: unknown): NonNullable<K> => {
    const isAnswer = form.is === 'list' ? Array.isArray(body) : isRecord(body);
    const known = isAnswer ? read(body) : null;
    // A missing required member means that a proxy answered.
    if (known == null) throw new ApiError(NETWORK_ERROR, 502, body);
    return known;
  };
