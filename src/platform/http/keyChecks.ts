import { keyedHash } from '#lib/secrets.ts';

const digest = (text: string): Buffer => new Bun.CryptoHasher('sha256').update(text).digest();

/**
 * Makes the check of a configured key, by which a program and not a person is admitted. Both sides are hashed
 * first, so that neither the time nor the length reveals anything of the key.
 * @param key the configured key
 * @returns true for an Authorization header that holds it, with or without `Bearer`
 */
export function createKeyCheck(key: string): (authorization: string | null) => boolean {
  const expected = digest(key);
  return (authorization) => {
    const sent = authorization?.trim().replace(/^bearer\s{1,80}/i, '') ?? '';
    return crypto.timingSafeEqual(digest(sent), expected);
  };
}

/** The header by which a request says that it comes from a relay. */
export const RELAY_HEADER = 'x-bellbird-relay';

/** What a relay passes on for a caller of its own; or what it asks itself, which no caller may. */
export type RelayPurpose = 'passed on' | 'asked';

/** What a relay sends in the header: it knows the shared secret, and who reads the header does not learn it. */
export const relayToken = (secret: string, purpose: RelayPurpose = 'passed on'): string =>
  keyedHash(secret, purpose === 'asked' ? 'bellbird relay asks' : 'bellbird relay http', 'hex');

/** Says whether a request comes from a relay. */
export type RelayCheck = (request: Request) => boolean;

/**
 * Both sides are hashed first, so that neither the time nor the length reveals anything of the token.
 * @param secret shared with the relays; null where there are none: no request comes from one then
 */
export function createRelayCheck(secret: string | null, purpose: RelayPurpose = 'passed on'): RelayCheck {
  if (secret === null) return () => false;
  const expected = digest(relayToken(secret, purpose));
  return ({ headers }) => {
    const sent = headers.get(RELAY_HEADER);
    return sent !== null && crypto.timingSafeEqual(digest(sent), expected);
  };
}
