import { Secret, TOTP } from 'otpauth';

const STEP_MS = 30_000;
const ISSUER = 'Bellbird';

/** RFC 6238 with what every authenticator app knows: SHA-1, six digits, 30 s. @param secret base32 */
const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({
    issuer: ISSUER,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: STEP_MS / 1000,
    secret: Secret.fromBase32(secret),
  });

/** Random bytes as base32: a secret of 20, a recovery code of 10. */
export const base32 = (bytes: Uint8Array<ArrayBuffer>): string => new Secret({ buffer: bytes.buffer }).base32;

/** The step of 30 s in which a time lies. @param now epoch ms */
export const stepAt = (now: number): number => Math.floor(now / STEP_MS);

/**
 * The step that a code is of, of the present one and its two neighbours; null for none of them.
 *
 * @param secret base32
 * @param now epoch ms
 */
export function stepOf(secret: string, code: string, now: number): number | null {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: 1 });
  return delta === null ? null : stepAt(now) + delta;
}

/** The code of a moment. @param secret base32 @param now epoch ms */
export const codeAt = (secret: string, now: number): string => totpOf(secret).generate({ timestamp: now });

/** What an authenticator app reads from the picture. @param secret base32 */
export const otpauthAddress = (secret: string, username: string): string =>
  totpOf(secret, username).toString();
