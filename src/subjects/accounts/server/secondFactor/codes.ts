import { type GivenCode, inBlocks, isFresh, RECOVERY_CODES } from '#subjects/accounts/rules/secondFactor.ts';
import { createSealFor } from '#lib/secrets.ts';
import { AppError } from '#platform/http/errors.ts';
import { secondFactorStore, type SecondFactorRow } from './store.ts';
import { formatClock } from '#texts/format.ts';
import type { App } from '#platform/app.ts';

/** The library is loaded with the first code. */
export const loadTotp = () => import('#subjects/accounts/rules/totp.ts');
export type Totp = Awaited<ReturnType<typeof loadTotp>>;

const placeOf = (userId: number): string => `second factor ${userId}`;

/** Keeps secrets of authenticator apps so that the database alone tells nothing of them. */
export function createSecretSeal(jwtSecret: string) {
  const seal = createSealFor(jwtSecret, { salt: 'bellbird accounts', info: 'second factor' });
  return {
    /** @param secret base32 */
    close: (userId: number, secret: string): string => seal.seal(placeOf(userId), Buffer.from(secret)),
    /** @returns base32; null where it was sealed with another secret of the server */
    open: ({ userId, sealedSecret }: SecondFactorRow): string | null => {
      const bytes = seal.open(placeOf(userId), sealedSecret);
      return bytes === null ? null : new TextDecoder().decode(bytes);
    },
  };
}

export type SecretSeal = ReturnType<typeof createSecretSeal>;

/** A code has 80 random bits, so its hash needs no key and no cost, and works when the server's secret is another. */
const hashOf = (userId: number, code: string): string =>
  new Bun.CryptoHasher('sha256').update(`recovery code\n${userId}\n${code}`).digest('base64url');

/** Ten new recovery codes, as they are shown once, and what is kept of them. */
export function newRecoveryCodes(userId: number, { base32 }: Totp): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    base32(crypto.getRandomValues(new Uint8Array(10))),
  );
  return { codes: codes.map((code) => inBlocks(code)), hashes: codes.map((code) => hashOf(userId, code)) };
}

/** The one sentence of every code that is not taken: which of the reasons it is tells a guesser something. */
export const wrongCode = (now: number): string =>
  `That code is wrong or was used already. Codes go by the clock, and this server’s says ${formatClock(now)} in Sydney: if it is wrong, use a recovery code and tell the administrator.`;

const LOST_SECRET =
  'The server’s secret was changed, so codes of your app can’t be checked any more. Use a recovery code, or ask an administrator to clear your two-factor login.';

/**
 * Takes a code, once; call it in the transaction of what it is for.
 *
 * @returns whether it was right
 * @throws AppError 409 when the app's codes can't be checked
 */
export function takeCode(
  { app: { db }, secrets }: { app: App; secrets: SecretSeal },
  totp: Totp,
  row: SecondFactorRow,
  { given, now }: { given: GivenCode; now: number },
): boolean {
  const store = secondFactorStore(db);
  const { userId, lastStep, recoveryHashes } = row;
  if (given.is === 'recovery') {
    const hash = hashOf(userId, given.code);
    if (!recoveryHashes.includes(hash)) return false;
    store.update(userId, { recoveryHashes: recoveryHashes.filter((one) => one !== hash) });
    return true;
  }
  const secret = secrets.open(row);
  if (secret === null) throw new AppError(409, { field: 'code', message: LOST_SECRET });
  const step = totp.stepOf(secret, given.code, now);
  if (step === null || !isFresh(step, lastStep, totp.stepAt(now))) return false;
  store.update(userId, { lastStep: step });
  return true;
}
