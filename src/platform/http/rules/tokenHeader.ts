/** Carries the token where `Authorization` belongs to a proxy with Basic authentication. */
export const TOKEN_HEADER = 'x-access-token';

/** The cookie by which a page knows that it is behind such a proxy. */
export const BASIC_AUTH_COOKIE = 'basic-auth=1';
