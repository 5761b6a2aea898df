import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** 192 random bits as 32 characters that are safe in an address: for tokens, sessions and public ids. */
export const randomToken = (): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64url');

/**
 * HMAC-SHA-256 of a text. Not by `Bun.CryptoHasher`: with a key it throws what another operation failed with before it, as a
 * public key of somebody's device that lies on no curve.
 */
export const keyedHash = (key: string, text: string, encoding: 'hex' | 'base64url'): string =>
  createHmac('sha256', key).update(text).digest(encoding);

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Makes bytes unreadable, and unchangeable, for all who do not have the secret. */
export type Seal = {
  /**
   * @param place what it is and where it will stand; only there it opens
   * @returns base64 of nonce, sealed bytes and tag
   */
  seal(place: string, bytes: Uint8Array): string;
  /** @returns the bytes; null for what was not sealed with the same secret for the same place */
  open(place: string, sealed: string): Uint8Array | null;
};

/**
 * @param secret of any length; what it is good for depends on how hard it is to guess
 * @param purpose keys of one secret for two purposes have nothing to do with each other
 */
export function createSealFor(secret: string, purpose: { salt: string; info: string }): Seal {
  const key = new Uint8Array(hkdfSync('sha256', secret, purpose.salt, purpose.info, KEY_BYTES));
  return {
    seal(place, bytes) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(place));
      const parts = [nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()];
      return Buffer.concat(parts).toString('base64');
    },
    open(place, sealed) {
      const all = Buffer.from(sealed, 'base64');
      if (all.length < NONCE_BYTES + TAG_BYTES) return null;
      const nonce = all.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(place));
      decipher.setAuthTag(all.subarray(-TAG_BYTES));
      try {
        return Buffer.concat([decipher.update(all.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
      } catch {
        // Thrown for nothing but a tag that does not fit.
        return null;
      }
    },
  };
}
