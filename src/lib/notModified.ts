import fresh from 'fresh';

/**
 * Whether the caller has this version already and may be answered 304 (RFC 9110, 13.1.2). Tags are compared weakly,
 * as a proxy may have weakened one; who asks for a reload gets the whole.
 * @param etag the version's entity tag, in quotes
 */
export const isNotModified = ({ headers }: Request, etag: string): boolean =>
  fresh(
    {
      'if-none-match': headers.get('if-none-match') ?? undefined,
      'cache-control': headers.get('cache-control') ?? undefined,
    },
    { etag },
  );
