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
