/** The token of a request. The value has no scheme (specification 7); `Bearer` is tolerated. */
export function requestToken(request: Request): string | null {
  const value = request.headers.get('authorization')?.trim() ?? '';
  const token = value.replace(/^bearer\s{1,80}/i, '');
  return token === '' ? null : token;
}

/**
 * The token of a request for a stream. A browser's `EventSource` sends no headers of the page's, so the token may stand
 * in the query (specification 7.3); it is written down nowhere: see `requestPath`.
 */
export const streamToken = (request: Request): string | null =>
  requestToken(request) ?? (new URL(request.url).searchParams.get('token') || null);
