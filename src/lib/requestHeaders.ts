import fresh from 'fresh';
import Negotiator from 'negotiator';

/** A coding that the server can answer in besides the plain bytes. */
export type Encoding = 'br' | 'gzip';

/** Brotli is the smaller one, so it is taken where the caller weighs both the same. */
const PREFERRED: readonly Encoding[] = ['br', 'gzip'];

/** The published types lack the second argument. */
type Preferring = {
  encoding<T>(available: readonly T[], options: { preferred: readonly string[] }): T | undefined;
};

const negotiatorOf = (header: string | null): Negotiator =>
  new Negotiator({ headers: { 'accept-encoding': header ?? '' } });

/**
 * The encoding to answer in: the available one that the caller weighs highest, `identity` when it accepts none
 * (RFC 9110, 12.5.3).
 * @param header the request's Accept-Encoding, null when it sent none
 */
export function chooseEncoding(header: string | null, available: readonly Encoding[]): Encoding | 'identity' {
  const negotiator = negotiatorOf(header) as Preferring;
  return negotiator.encoding([...available, 'identity' as const], { preferred: PREFERRED }) ?? 'identity';
}

/** Whether a caller takes gzip: named, or covered by *, and not with q=0. */
export const acceptsGzip = (header: string | null): boolean =>
  negotiatorOf(header).encodings(['gzip']).length > 0;

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
