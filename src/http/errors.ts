import { Elysia, NotFoundError, ParseError, ValidationError } from 'elysia';
import type { Log } from '../lib/log.ts';

/** A refusal whose message is shown to the person as it stands; the cause goes to the log only. */
export class AppError extends Error {
  override name = 'AppError';
  readonly headers: Record<string, string>;
  constructor(
    readonly status: number,
    message: string,
    options: { cause?: unknown; headers?: Record<string, string> } = {},
  ) {
    super(message, { cause: options.cause });
    this.headers = options.headers ?? {};
  }
}

const INTERNAL = 'Something went wrong on the server. Try again, and tell the administrator if it stays.';

const NO_ROOM = 'The server has no room left on its disk, so nothing can be saved. Tell the administrator.';

/** Whether a failure, or what caused it, is a database that can't grow. */
const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'SQLITE_FULL') || isDiskFull(error.cause));

/** `{ error }` with a status: the one shape of every refusal. */
export const refusal = (status: number, error: string, headers: Record<string, string> = {}): Response =>
  Response.json({ error }, { status, headers: { 'cache-control': 'no-store', ...headers } });

function requestFault(error: ValidationError): string {
  const found = error.valueError;
  const own: unknown = found?.schema['error'];
  if (typeof own === 'string') return own;
  const field = found?.path.slice(1).replaceAll('/', '.');
  const where = { body: 'request body', query: 'query', params: 'address', headers: 'headers' }[error.type];
  if (!field) return `The ${where ?? 'request'} is missing or has the wrong form.`;
  return `The field "${field}" of the ${where ?? 'request'} is missing or has the wrong form.`;
}

/** A parse hook that refuses a request arrives wrapped. */
function unwrapped(error: unknown): unknown {
  const cause = error instanceof ParseError ? error.cause : undefined;
  return cause instanceof AppError || cause instanceof NotFoundError ? cause : error;
}

/** What a failure is told to the caller as; null when it is our own fault, which is told in general words only. */
function publicFault(code: string | number, error: unknown): { status: number; message: string } | null {
  if (error instanceof AppError) return { status: error.status, message: error.message };
  if (error instanceof ValidationError && error.type !== 'response') {
    return { status: 400, message: requestFault(error) };
  }
  if (code === 'PARSE') return { status: 400, message: 'The request body is not valid JSON.' };
  if (error instanceof NotFoundError) return { status: 404, message: 'There is no such address in the API.' };
  if (isDiskFull(error)) return { status: 507, message: NO_ROOM };
  if (code === 'INVALID_COOKIE_SIGNATURE')
    return { status: 400, message: 'The request has a damaged cookie.' };
  if (code === 'INVALID_FILE_TYPE') return { status: 400, message: 'The file has the wrong type.' };
  return null;
}

/**
 * Renders every failure of every route as `{ error: sentence }`. A thrown error's own text and stack never leave
 * the server; they go to the log with the route they came from.
 */
export const errors = (deps: { log: Log }) =>
  new Elysia({ name: 'errors' }).onError({ as: 'global' }, ({ code, error: thrown, request, set }) => {
    const error = unwrapped(thrown);
    const fault = publicFault(error === thrown ? code : '', error);
    if (!fault || fault.status >= 500) {
      deps.log.error('A request failed', {
        method: request.method,
        path: URL.parse(request.url)?.pathname ?? '',
        error,
        cause: error instanceof Error ? error.cause : undefined,
      });
    }
    // The request log reads it from here.
    set.status = fault?.status ?? 500;
    if (!fault) return refusal(500, INTERNAL);
    return refusal(fault.status, fault.message, error instanceof AppError ? error.headers : {});
  });
