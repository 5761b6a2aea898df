/** No address of the API is longer. */
export const MAX_PATH_LENGTH = 200;

/**
 * The path of a request for anyone who writes it down or compares it, without the query, which may hold a token. What is
 * beyond the limit is cut off: anybody may send 15 KB of it.
 */
export const requestPath = (request: Request): string =>
  (URL.parse(request.url)?.pathname ?? '').slice(0, MAX_PATH_LENGTH);
