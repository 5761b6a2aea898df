import { Elysia, NotFoundError, ParseError, ValidationError } from 'elysia';
import { isDiskFull } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import type { Refusal, Result } from '#lib/result.ts';

/** No address of the API is longer. */
export const MAX_PATH_LENGTH = 200;

/**
 * The path of a request for anyone who writes it down or compares it, without the query, which may hold a token. What is
 * beyond the limit is cut off: anybody may send 15 KB of it.
 */
export const requestPath = (request: Request): string =>
  (URL.parse(request.url)?.pathname ?? '').slice(0, MAX_PATH_LENGTH);

type AppErrorOptions = {
  /** For the log only. */
  cause?: unknown;
  headers?: Record<string, string>;
  /** What the specification's form of this answer has beside `error`. */
  members?: Record<string, unknown>;
};

/**
 * A refusal on its way to the caller, with the HTTP status that it is answered with.
 * A bare sentence refuses the whole; a `Refusal` names the field at fault.
 */
export class AppError extends Error {
  override name = 'AppError';
  readonly field: string | null;
  readonly headers: Record<string, string>;
  readonly members: Record<string, unknown>;
  constructor(
    readonly status: number,
    refusal: Refusal | string,
    { cause, headers = {}, members = {} }: AppErrorOptions = {},
  ) {
    super(typeof refusal === 'string' ? refusal : refusal.message, { cause });
    this.field = typeof refusal === 'string' ? null : refusal.field;
    this.headers = headers;
    this.members = members;
  }
}

/** A refusal that is over after this many seconds, as its `Retry-After` says. */
export const refusedFor = (seconds: number, status: 429 | 503, message: string, cause?: unknown): AppError =>
  new AppError(status, message, { cause, headers: { 'retry-after': String(seconds) } });

/**
 * The value of a check.
 *
 * @throws AppError with the refusal when the check said no
 */
export function accepted<T>(checked: Result<T>, status = 400): T {
  if (checked.ok) return checked.value;
  throw new AppError(status, checked.error);
}

/** Why something was refused that is left out for that. @throws the problem where it is no refusal of what was sent */
export function refusalText(problem: unknown): string {
  if (problem instanceof AppError && problem.status === 400) return problem.message;
  throw problem;
}

/**
 * Does a route's work. When it is refused, the answer has these members too, as the specification gives its form.
 *
 * @throws AppError with the members; any other error as it is
 */
export async function refusingWith<T>(
  members: Record<string, unknown>,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { status, field, message, cause, headers } = error;
    const all = { ...members, ...error.members };
    throw new AppError(status, { field, message }, { cause, headers, members: all });
  }
}

const INTERNAL =
  'Something went wrong on the server. Try again, and tell the administrator if it happens again.';

const NO_ROOM = 'The server’s disk is full, so nothing can be saved. Tell the administrator.';

/**
 * The one shape of every refusal on the wire: `error` is the sentence, `field` names the input at fault and is absent
 * when that is the whole.
 *
 * @param more headers, and members of the body that the specification gives this answer
 */
export function refusalResponse(
  status: number,
  refusal: Refusal | string,
  { headers = {}, members = {} }: Pick<AppErrorOptions, 'headers' | 'members'> = {},
): Response {
  const { field, message } = typeof refusal === 'string' ? { field: null, message: refusal } : refusal;
  const body = { ...members, error: message, ...(field === null ? {} : { field }) };
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } });
}

/** A JSON pointer as rules name fields: '/columns/0/id' gives 'columns[0].id'; null for the whole. */
function fieldAt(pointer: string): string | null {
  const path = pointer.replaceAll(/\/(\d{1,9})(?=\/|$)/g, '[$1]').replaceAll('/', '.');
  return path === '' ? null : path.replace(/^\./, '');
}

/** What a text or a list has too much of; null where that is not what is wrong. */
function excessOf(error: ValidationError['valueError']): string | null {
  const maxLength: unknown = error?.schema['maxLength'];
  const maxItems: unknown = error?.schema['maxItems'];
  const value: unknown = error?.value;
  const isOver = (most: unknown, length: number): boolean => typeof most === 'number' && length > most;
  if (typeof value === 'string' && isOver(maxLength, value.length))
    return `has more than the ${String(maxLength)} characters that are allowed`;
  return Array.isArray(value) && isOver(maxItems, value.length)
    ? `has more than the ${String(maxItems)} entries that are allowed`
    : null;
}

/** What is wrong with the form of a request: the sentence of its schema, else one that names the field. */
function formRefusal({ type, valueError }: ValidationError): Refusal {
  const field = fieldAt(valueError?.path ?? '');
  const own: unknown = valueError?.schema['error'];
  if (typeof own === 'string') return { field, message: own };
  const where = { body: 'request body', query: 'query', params: 'address', headers: 'headers' }[type];
  const what =
    field === null ? `The ${where ?? 'request'}` : `The field "${field}" of the ${where ?? 'request'}`;
  return { field, message: `${what} ${excessOf(valueError) ?? 'is missing or has the wrong form'}.` };
}

/** An error that a parse hook threw arrives inside a ParseError. */
function unwrapped(error: unknown): unknown {
  const cause = error instanceof ParseError ? error.cause : undefined;
  return cause instanceof AppError || cause instanceof NotFoundError ? cause : error;
}

/** A failure as an AppError that may be sent; null for a fault of the server, of which the caller learns nothing. */
function toAppError(code: string | number, error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  if (error instanceof ValidationError && error.type !== 'response') {
    return new AppError(400, formRefusal(error));
  }
  if (code === 'PARSE') return new AppError(400, 'The request body is not valid JSON.');
  if (error instanceof NotFoundError) return new AppError(404, 'There is no such address in the API.');
  if (isDiskFull(error)) return new AppError(507, NO_ROOM);
  if (code === 'INVALID_COOKIE_SIGNATURE') return new AppError(400, 'The request has a damaged cookie.');
  if (code === 'INVALID_FILE_TYPE') return new AppError(400, 'The file has the wrong type.');
  return null;
}

/** Whether something went wrong; not where the server only asks to be asked again, as while its market is loading. */
const isFailure = ({ status, headers, cause }: AppError): boolean =>
  status >= 500 && (cause !== undefined || headers['retry-after'] === undefined);

/**
 * Renders every failure of every route with `refusalResponse`. A thrown error's own text and stack never leave the
 * server; they go to the log with the route they came from.
 */
export const errors = (deps: { log: Log }) =>
  new Elysia({ name: 'errors' }).onError({ as: 'global' }, ({ code, error: thrown, request, set }) => {
    const error = unwrapped(thrown);
    const refused = toAppError(error === thrown ? code : '', error);
    if (!refused || isFailure(refused)) {
      deps.log.error('A request failed', {
        method: request.method,
        path: requestPath(request),
        error,
        cause: error instanceof Error ? error.cause : undefined,
      });
    }
    const answered = refused ?? new AppError(500, INTERNAL);
    // The request log reads it from here.
    set.status = answered.status;
    return refusalResponse(answered.status, answered, answered);
  });
