import { errorCode } from '#lib/errors.ts';
import { TargetError, type TargetPlace } from '../target.ts';

export type WebDavPlace = Extract<TargetPlace, { kind: 'webdav' }>;

export type WebDavMethod = 'PROPFIND' | 'MKCOL' | 'PUT' | 'MOVE' | 'GET' | 'DELETE';

/** Why a server could not be used, as the end of a sentence without secrets. */
export class WebDavError extends Error {
  override name = 'WebDavError';

  /** @param status of the answer; 0 where there was none */
  constructor(
    reason: string,
    readonly status = 0,
  ) {
    super(reason);
  }
}

const REASONS: Readonly<Record<number, string>> = {
  401: 'it does not take the user and the password',
  403: 'the user may not do this there',
  404: 'the folder is not there',
  405: 'it is no WebDAV folder, or one for reading only',
  409: 'the folder above it is not there',
  411: 'it wants a length that it was told: a proxy before it takes that away',
  413: 'it takes no files of this size',
  423: 'the file is locked there',
  429: 'it is asked too often',
  501: 'it is no WebDAV folder, or one for reading only',
  503: 'it is busy or closed for maintenance',
  507: 'there is no room left',
};

/** What servers answer to a file whose disk is full or for reading only, besides what the standard has for it. */
const NOT_TAKEN: readonly number[] = [405, 500, 501];

/** What an answer that is no success says. Its text may repeat a header with the password, so only its status is told. */
export function refusalOf({ status, headers }: Response, method: WebDavMethod): WebDavError {
  if (status === 404 && method === 'GET') return new WebDavError('that file is not there any more', status);
  if (method === 'PUT' && NOT_TAKEN.includes(status))
    return new WebDavError(
      `it does not take the file (${status}): look whether there is room, and whether the folder is for reading only`,
      status,
    );
  const ways = headers.get('www-authenticate');
  if (status === 401 && ways !== null && !/\bbasic\b/i.test(ways))
    return new WebDavError('it takes no password as Bellbird sends it (Basic authentication)', status);
  if (status >= 300 && status < 400)
    return new WebDavError(
      `it sends on to another address (${status}), where the password does not go: set the address that it has now`,
      status,
    );
  return new WebDavError(REASONS[status] ?? `it answered ${status}`, status);
}

const BROKEN = /RESET|CLOSED|EPIPE|EOF|TERMINATED|LENGTH/i;
const CERTIFICATE = /CERT|TLS|SSL|ISSUER|ALTNAME|SELF_SIGNED/i;

function reasonOf(code: string): string {
  if (CERTIFICATE.test(code)) return 'its certificate is not trusted';
  if (BROKEN.test(code)) return 'the connection broke off';
  return /^\w{1,60}$/.test(code) ? `it can’t be reached (${code})` : 'it can’t be reached';
}

/** What went wrong as a TargetError, where it is of the server or of the way to it. */
export function toTargetError({ url }: WebDavPlace, error: unknown): unknown {
  if (error instanceof TargetError) return error;
  const code = errorCode(error);
  if (!(error instanceof WebDavError) && code === '') return error;
  const reason = error instanceof WebDavError ? error.message : reasonOf(code);
  return new TargetError(`The WebDAV folder ${url} can’t be used: ${reason}.`, { cause: error });
}
