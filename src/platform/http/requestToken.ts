import { TOKEN_HEADER } from './rules/accessLevel.ts';

const BASIC = /^basic\s/i;

/** Whether the request carries the name and password of a proxy, which browsers send in `Authorization`. */
export const isBehindBasicAuth = (request: Request): boolean =>
  BASIC.test(request.headers.get('authorization') ?? '');

/**
 * The token of a request. It has no scheme in `Authorization` (specification 7); `Bearer` is tolerated. Behind a proxy with
 * Basic authentication that header is the proxy's, and the token is in one of its own.
 */
export function requestToken(request: Request): string | null {
  const { headers } = request;
  const given = headers.get(TOKEN_HEADER) ?? (isBehindBasicAuth(request) ? '' : headers.get('authorization'));
  const value = given?.trim() ?? '';
  const token = value.replace(/^bearer\s{1,80}/i, '');
  return token === '' ? null : token;
}

/**
 * The token of a request for a stream. A browser's `EventSource` sends no headers of the page's, so the token may stand
 * in the query (specification 7.3); it is written down nowhere: see `requestPath`.
 */
export const streamToken = (request: Request): string | null =>
  requestToken(request) ?? (new URL(request.url).searchParams.get('token') || null);
