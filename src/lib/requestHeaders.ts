import fresh from 'fresh';
import Negotiator from 'negotiator';

export type Encoding = 'br' | 'gzip';

/** Brotli first, because it is smaller, if the caller weighs both the same. */
const PREFERRED: readonly Encoding[] = ['br', 'gzip'];

type Preferring = {
  encoding<T>(available: readonly T[], options: { preferred: readonly string[] }): T | undefined;
};

const negotiatorOf = (header: string | null): Negotiator =>
  new Negotiator({ headers: { 'accept-encoding': header ?? '' } });

/**
 * The available encoding with the highest weight, `identity` if none is accepted (RFC 9110, 12.5.3).
 * @param header Accept-Encoding, null if missing
 */
export function chooseEncoding(header: string | null, available: readonly Encoding[]): Encoding | 'identity' {
  const negotiator = negotiatorOf(header) as Preferring;
  return negotiator.encoding([...available, 'identity' as const], { preferred: PREFERRED }) ?? 'identity';
}

/** Whether gzip is accepted: named, or covered by *, and not with q=0. */
export const acceptsGzip = (header: string | null): boolean =>
  negotiatorOf(header).encodings(['gzip']).length > 0;

/**
 * Whether the caller has this version and can be answered with 304 (RFC 9110, 13.1.2). Tags are compared
 * weakly, because a proxy may have weakened one. A reload gets the full answer.
 * @param etag the entity tag, in quotes
 */
export const isNotModified = ({ headers }: Request, etag: string): boolean =>
  fresh(
    {
      'if-none-match': headers.get('if-none-match') ?? undefined,
      'cache-control': headers.get('cache-control') ?? undefined,
    },
    { etag },
  );
