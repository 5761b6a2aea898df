import { Elysia, NotFoundError, ParseError, ValidationError } from 'elysia';
import { isDiskFull } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import type { Refusal, Result } from '#lib/result.ts';

export const MAX_PATH_LENGTH = 200;

/** The path of a request, cut at the limit, without the query, which may contain a token. */
export const requestPath = (request: Request): string =>
  (URL.parse(request.url)?.pathname ?? '').slice(0, MAX_PATH_LENGTH);

type AppErrorOptions = {
  cause?: unknown;
  headers?: Record<string, string>;
  /** Further members of the answer, required by the specification. */
  members?: Record<string, unknown>;
};

/** A refusal with its HTTP status. A sentence refuses the whole request; a `Refusal` names the field. */
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

export const refusedFor = (seconds: number, status: 429 | 503, message: string, cause?: unknown): AppError =>
  new AppError(status, message, { cause, headers: { 'retry-after': String(seconds) } });

export function accepted<T>(checked: Result<T>, status = 400): T {
  if (checked.ok) return checked.value;
  throw new AppError(status, checked.error);
}

/** The text of a refusal that is tolerated. @throws the problem if it is not a refusal */
export function refusalText(problem: unknown): string {
  if (problem instanceof AppError && (problem.status === 400 || problem.status === 404))
    return problem.message;
  throw problem;
}

/** Adds members to the refusals of a route's work. @throws AppError with them; other errors unchanged */
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
 * The one form of refusals: `error` is the sentence, and `field` names the input, unless the whole request is
 * refused.
 * @param more headers, and members of the body by the specification
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

/** Turns a JSON pointer into the form of rules: '/columns/0/id' gives 'columns[0].id'; null for the whole. */
function fieldAt(pointer: string): string | null {
  const path = pointer.replaceAll(/\/(\d{1,9})(?=\/|$)/g, '[$1]').replaceAll('/', '.');
  return path === '' ? null : path.replace(/^\./, '');
}

/** Why a text or a list is too long, as the end of a sentence; null for other problems. */
function excessOf(error: ValidationError['valueError']): string | null {
  const maxLength: unknown = error?.schema['maxLength'];
  const maxItems: unknown = error?.schema['maxItems'];
  const value: unknown = error?.value;
  const isOver = (most: unknown, length: number): boolean => typeof most === 'number' && length > most;
  if (typeof value === 'string' && isOver(maxLength, value.length))
    return `has more than ${String(maxLength)} characters`;
  return Array.isArray(value) && isOver(maxItems, value.length)
    ? `has more than ${String(maxItems)} entries`
    : null;
}

/** The refusal of a malformed request: the message of its schema, or one that names the field. */
function formRefusal({ type, valueError }: ValidationError): Refusal {
  const field = fieldAt(valueError?.path ?? '');
  const own: unknown = valueError?.schema['error'];
  if (typeof own === 'string') return { field, message: own };
  const where = { body: 'request body', query: 'query', params: 'address', headers: 'headers' }[type];
  const what =
    field === null ? `The ${where ?? 'request'}` : `The field "${field}" of the ${where ?? 'request'}`;
  return { field, message: `${what} ${excessOf(valueError) ?? 'is missing or invalid'}.` };
}

/** Elysia wraps errors of parse hooks in a ParseError. */
function unwrapped(error: unknown): unknown {
  const cause = error instanceof ParseError ? error.cause : undefined;
  return cause instanceof AppError || cause instanceof NotFoundError ? cause : error;
}

/** A failure as an AppError for the caller; null for a fault of the server. */
function toAppError(code: string | number, error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  if (error instanceof ValidationError && error.type !== 'response') {
    return new AppError(400, formRefusal(error));
  }
  if (code === 'PARSE') return new AppError(400, 'The request body is not valid JSON.');
  if (error instanceof NotFoundError) return new AppError(404, 'The API has no such address.');
  if (isDiskFull(error)) return new AppError(507, NO_ROOM);
  if (code === 'INVALID_COOKIE_SIGNATURE')
    return new AppError(400, 'The request has an invalid cookie. Clear the cookies of this site.');
  if (code === 'INVALID_FILE_TYPE') return new AppError(400, 'The file has the wrong type.');
  return null;
}

/** False for answers that ask for a repetition, as while the market is loading. */
const isFailure = ({ status, headers, cause }: AppError): boolean =>
  status >= 500 && (cause !== undefined || headers['retry-after'] === undefined);

/** Answers every failure with `refusalResponse`. The text and stack of an error go only to the log. */
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
    set.status = answered.status;
    return refusalResponse(answered.status, answered, answered);
  });
