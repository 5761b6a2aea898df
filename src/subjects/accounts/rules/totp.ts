import { Secret, TOTP } from 'otpauth';

const STEP_MS = 30_000;
const ISSUER = 'Bellbird';

/** RFC 6238 with the defaults of authenticator apps: SHA-1, six digits, 30 s. @param secret base32 */
const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({
    issuer: ISSUER,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: STEP_MS / 1000,
    secret: Secret.fromBase32(secret),
  });

/** Encodes a secret (20 bytes) or a recovery code (10 bytes). */
export const base32 = (bytes: Uint8Array<ArrayBuffer>): string => new Secret({ buffer: bytes.buffer }).base32;

/** The 30 s step of a time. @param now epoch ms */
export const stepAt = (now: number): number => Math.floor(now / STEP_MS);

/** The step of a code: the current one or a neighbour; null if the code fits neither. */
export function stepOf(secret: string, code: string, now: number): number | null {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: 1 });
  return delta === null ? null : stepAt(now) + delta;
}

/** @param secret base32 @param now epoch ms */
export const codeAt = (secret: string, now: number): string => totpOf(secret).generate({ timestamp: now });

/** The address in the QR code. @param secret base32 */
export const otpauthAddress = (secret: string, username: string): string =>
  totpOf(secret, username).toString();
