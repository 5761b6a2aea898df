import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

export const randomToken = (): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64url');

/**
 * HMAC-SHA-256 of a text. It avoids `Bun.CryptoHasher`, which with a key throws the error of an earlier
 * failed operation, such as an invalid public key of a device.
 */
export const keyedHash = (key: string, text: string, encoding: 'hex' | 'base64url'): string =>
  createHmac('sha256', key).update(text).digest(encoding);

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type Seal = {
  /** @param place kind and location; the seal opens only there @returns base64 of nonce, bytes and tag */
  seal(place: string, bytes: Uint8Array): string;
  open(place: string, sealed: string): Uint8Array | null;
};

/** @param secret the seal is as strong as this @param purpose gives each use of a secret its own key */
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
        return null;
      }
    },
  };
}
