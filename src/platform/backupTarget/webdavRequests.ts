import { errorCode } from '#lib/errors.ts';
import { TargetError, type TargetPlace } from './target.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';

export type WebDavPlace = Extract<TargetPlace, { kind: 'webdav' }>;

export type WebDavMethod = 'PROPFIND' | 'MKCOL' | 'PUT' | 'MOVE' | 'GET' | 'DELETE';

/** Why a server could not be used, to complete a sentence. Contains no secrets. */
export class WebDavError extends Error {
  override name = 'WebDavError';

  /** @param status of the answer; 0 if there was none */
  constructor(
    reason: string,
    readonly status = 0,
  ) {
    super(reason);
  }
}

const REASONS: Readonly<Record<number, string>> = {
  401: 'it rejects the user and password',
  403: 'the user does not have permission',
  404: 'the folder does not exist',
  405: 'it is not a WebDAV folder, or is read-only',
  409: 'the parent folder does not exist',
  411: 'it requires a Content-Length header, which a proxy removes',
  413: 'it does not accept files of this size',
  423: 'the file is locked there',
  429: 'it receives too many requests',
  501: 'it is not a WebDAV folder, or is read-only',
  503: 'it is busy or closed for maintenance',
  507: 'there is no space left',
};

/** Statuses that servers send for a full or read-only disk, in addition to those of the standard. */
const NOT_TAKEN: readonly number[] = [405, 500, 501];

/** The text of the answer may repeat the header with the password, so only its status is shown. */
export function refusalOf({ status, headers }: Response, method: WebDavMethod): WebDavError {
  if (status === 404 && method === 'GET') return new WebDavError('the file no longer exists', status);
  if (method === 'PUT' && NOT_TAKEN.includes(status))
    return new WebDavError(
      `it does not accept the file (${status}): check that there is space and that the folder is writable`,
      status,
    );
  const ways = headers.get('www-authenticate');
  if (status === 401 && ways !== null && !/\bbasic\b/i.test(ways))
    return new WebDavError('it does not support Basic authentication, which Bellbird uses', status);
  if (status >= 300 && status < 400)
    return new WebDavError(
      `it redirects to another address (${status}), to which Bellbird does not send the password: set the new address`,
      status,
    );
  return new WebDavError(REASONS[status] ?? `it answered ${status}`, status);
}

const BROKEN = /RESET|CLOSED|EPIPE|EOF|TERMINATED|LENGTH/i;
const CERTIFICATE = /CERT|TLS|SSL|ISSUER|ALTNAME|SELF_SIGNED/i;

function reasonOf(code: string): string {
  if (CERTIFICATE.test(code)) return 'its certificate is not trusted';
  if (BROKEN.test(code)) return 'the connection broke off';
  return /^\w{1,60}$/.test(code) ? `it cannot be reached (${code})` : 'it cannot be reached';
}

export function toTargetError({ url }: WebDavPlace, error: unknown): unknown {
  if (error instanceof TargetError) return error;
  const code = errorCode(error);
  if (!(error instanceof WebDavError) && code === '') return error;
  const reason = error instanceof WebDavError ? error.message : reasonOf(code);
  return new TargetError(`The WebDAV folder ${url} cannot be used: ${reason}.`, { cause: error });
}

export type WebDavLimits = {
  answer: number;
  still: number;
  /**
   * Limit from the last byte of a file, or its renaming, until the answer. Servers may scan or move the file.
   */
  settle: number;
};

export const LIMITS: WebDavLimits = { answer: 60_000, still: 120_000, settle: 600_000 };

export type WebDavRequest = {
  method: WebDavMethod;
  /** Name in the folder; '' is the folder itself. */
  name: string;
  headers?: Record<string, string>;
  body?: string | ReadableStream<Uint8Array>;
  idleTimeout: IdleTimeout;
};

/** Cancels a request that makes no progress. */
export class IdleTimeout {
  readonly #limit = new AbortController();
  #cancel: () => void;

  constructor(
    ms: number,
    private readonly schedule: Scheduler = timerScheduler,
  ) {
    this.#cancel = this.#after(ms);
  }

  get signal(): AbortSignal {
    return this.#limit.signal;
  }

  renew(ms: number): void {
    this.#cancel();
    this.#cancel = this.#after(ms);
  }

  end(): void {
    this.#cancel();
  }

  reasonOf(error: unknown): unknown {
    return this.#limit.signal.aborted ? new WebDavError('it did not answer in time') : error;
  }

  #after(ms: number): () => void {
    return this.schedule(ms, () => this.#limit.abort());
  }
}

const basic = ({ user, password }: WebDavPlace): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

export const addressOf = ({ url }: WebDavPlace, name: string): string => `${url}/${encodeURIComponent(name)}`;

/** The forms of the new name: a server behind a proxy may know itself by http, and some accept only the path. */
export function destinationsOf(address: string): string[] {
  const { protocol, pathname } = new URL(address);
  return [...new Set([address, address.replace(protocol, 'http:'), pathname])];
}

/**
 * Makes one request. Follows no redirect, so that the password reaches only the configured server. Unpacks
 * nothing, because the runtime's unpacking has no limit.
 * @returns the answer, whatever its status. The caller reads or cancels its body within the same time limits
 * @throws WebDavError on a timeout, otherwise the error of the connection
 */
export async function request(
  place: WebDavPlace,
  { method, name, headers = {}, body, idleTimeout }: WebDavRequest,
): Promise<Response> {
  try {
    return await fetch(addressOf(place, name), {
      method,
      headers: { authorization: basic(place), 'accept-encoding': 'identity', ...headers },
      ...(body !== undefined && { body }),
      redirect: 'manual',
      decompress: false,
      timeout: false,
      signal: idleTimeout.signal,
      // If the server closes a kept connection, the body is cut off and can't be sent again.
      keepalive: method !== 'PUT',
    });
  } catch (error) {
    throw idleTimeout.reasonOf(error);
  }
}

/** Makes a request and discards its body. @throws WebDavError for a status that is not among these */
export async function settled(
  place: WebDavPlace,
  asked: WebDavRequest,
  allowed: readonly number[],
): Promise<number> {
  try {
    const answer = await request(place, asked);
    await answer.body?.cancel();
    if (!allowed.includes(answer.status)) throw refusalOf(answer, asked.method);
    return answer.status;
  } finally {
    asked.idleTimeout.end();
  }
}
