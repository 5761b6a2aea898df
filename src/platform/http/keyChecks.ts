import { keyedHash } from '#lib/secrets.ts';

const digest = (text: string): Buffer => new Bun.CryptoHasher('sha256').update(text).digest();

/**
 * Makes the check of a configured key for programs. Both sides are hashed, so that timing reveals nothing.
 * @returns true for an Authorization header with the key, with or without `Bearer`
 */
export function createKeyCheck(key: string): (authorization: string | null) => boolean {
  const expected = digest(key);
  return (authorization) => {
    const sent = authorization?.trim().replace(/^bearer\s{1,80}/i, '') ?? '';
    return crypto.timingSafeEqual(digest(sent), expected);
  };
}

export const RELAY_HEADER = 'x-bellbird-relay';

/** Requests of a relay's callers, or the relay's own, which callers may not make. */
export type RelayPurpose = 'passed on' | 'asked';

/** The value of the header. It proves the shared secret without revealing it. */
export const relayToken = (secret: string, purpose: RelayPurpose = 'passed on'): string =>
  keyedHash(secret, purpose === 'asked' ? 'bellbird relay asks' : 'bellbird relay http', 'hex');

export type RelayCheck = (request: Request) => boolean;

/**
 * Checks requests of relays. Both sides are hashed, so that timing reveals nothing.
 * @param secret shared with the relays; null if there are none
 */
export function createRelayCheck(secret: string | null, purpose: RelayPurpose = 'passed on'): RelayCheck {
  if (secret === null) return () => false;
  const expected = digest(relayToken(secret, purpose));
  return ({ headers }) => {
    const sent = headers.get(RELAY_HEADER);
    return sent !== null && crypto.timingSafeEqual(digest(sent), expected);
  };
}
