import { createHmac } from 'node:crypto';

/**
 * HMAC-SHA-256 of a text. Not by `Bun.CryptoHasher`: with a key it throws what another operation failed with before it, as a
 * public key of somebody's device that lies on no curve.
 */
export const keyedHash = (key: string, text: string, encoding: 'hex' | 'base64url'): string =>
  createHmac('sha256', key).update(text).digest(encoding);
