import { TOKEN_HEADER } from './rules/accessLevel.ts';

const BASIC = /^basic\s/i;

export const isBehindBasicAuth = (request: Request): boolean =>
  BASIC.test(request.headers.get('authorization') ?? '');

/**
 * The token of a request. It has no scheme in `Authorization` (specification 7); `Bearer` is tolerated. Behind a
 * proxy with Basic authentication the token is in a header of its own.
 */
export function requestToken(request: Request): string | null {
  const { headers } = request;
  const given = headers.get(TOKEN_HEADER) ?? (isBehindBasicAuth(request) ? '' : headers.get('authorization'));
  const value = given?.trim() ?? '';
  const token = value.replace(/^bearer\s{1,80}/i, '');
  return token === '' ? null : token;
}

/**
 * The token of a request for a stream. A browser's `EventSource` sends no custom headers, so the token may be in
 * the query (specification 7.3). It is never logged: see `requestPath`.
 */
export const streamToken = (request: Request): string | null =>
  requestToken(request) ?? (new URL(request.url).searchParams.get('token') || null);
