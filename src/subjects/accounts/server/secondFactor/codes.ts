import { MINUTE_MS, DAY_MS } from '#lib/units.ts';
import { and, eq, isNotNull } from 'drizzle-orm';
import type { Db } from '#platform/db/open.ts';
import { secondFactors } from '#platform/db/schema.ts';
import { refusedFor, AppError } from '#platform/http/errors.ts';
import type { Stopwatch } from '#lib/clock.ts';
import { createRateLimit, waitText } from '#lib/rateLimit.ts';
import {
  TICKET_MS,
  type GivenCode,
  inBlocks,
  isFresh,
  RECOVERY_CODES,
} from '#subjects/accounts/rules/secondFactor.ts';
import { createSealFor } from '#lib/secrets.ts';
import { isRecord } from '#lib/json.ts';
import type { App } from '#platform/app.ts';
import type { UserRow } from '../store.ts';
import { formatClock } from '#texts/format.ts';

export type SecondFactorRow = typeof secondFactors.$inferSelect;

const ofUser = (userId: number) => eq(secondFactors.userId, userId);
const isOn = (userId: number) => and(ofUser(userId), isNotNull(secondFactors.confirmedAt));

/** SQL of second factors. Times are epoch ms. */
export const secondFactorStore = (db: Db) => ({
  /** The row of a user, whether active or only begun. */
  read: (userId: number): SecondFactorRow | undefined =>
    db.select().from(secondFactors).where(ofUser(userId)).get(),

  /** The row of a user if two-factor login is active. */
  on: (userId: number): SecondFactorRow | undefined =>
    db.select().from(secondFactors).where(isOn(userId)).get(),

  /** Starts the set-up again; call it only if two-factor login is not active. */
  begin: (userId: number, sealedSecret: string, now: number): void => {
    const set = { sealedSecret, begunAt: now, confirmedAt: null, lastStep: 0, recoveryHashes: [] };
    db.insert(secondFactors)
      .values({ userId, ...set })
      .onConflictDoUpdate({ target: secondFactors.userId, set })
      .run();
  },

  update: (
    userId: number,
    change: Partial<Pick<SecondFactorRow, 'confirmedAt' | 'lastStep' | 'recoveryHashes'>>,
  ): void => {
    db.update(secondFactors).set(change).where(ofUser(userId)).run();
  },

  remove: (userId: number): boolean => {
    const removed = db.delete(secondFactors).where(ofUser(userId)).returning().get();
    return removed !== undefined && removed.confirmedAt !== null;
  },
});

/** Wrong codes per day after which the owner is notified, at most once a day. */
const NOTIFIED_AFTER = 5;

/** Call one of these when the code was checked. Until then it counts as an attempt without a notification. */
export type Attempt = { right(): void; wrong(): void };

/**
 * Limits wrong codes: 10 per account and address in 15 minutes, and 100 a day. Unknown addresses of an account share 30 an
 * hour and the 100 a day, so that they cannot lock out a known address.
 * @param notify called after the fifth wrong code of an account
 */
export function createCodeLimit(clock: Stopwatch, notify: (userId: number) => void) {
  const byPair = createRateLimit({ clock, limit: 10, windowMs: 15 * MINUTE_MS });
  const byAccount = createRateLimit({ clock, limit: 30, windowMs: 60 * MINUTE_MS });
  const byDay = createRateLimit({ clock, limit: 100, windowMs: DAY_MS });
  const beforeNotification = createRateLimit({ clock, limit: NOTIFIED_AFTER - 1, windowMs: DAY_MS });
  const notifications = createRateLimit({ clock, limit: 1, windowMs: DAY_MS });

  const wrong = (account: string, userId: number): void => {
    if (beforeNotification.take(account) > 0 && notifications.take(account) === 0) notify(userId);
  };
  return {
    /** @param isKnown whether the account logged in from the address before @throws AppError 429 */
    begin(userId: number, address: string, isKnown: boolean): Attempt {
      const [pair, account] = [`${userId}\n${address}`, String(userId)];
      const limits = [
        { limit: byPair, key: pair },
        ...(isKnown ? [] : [{ limit: byAccount, key: account }]),
        { limit: byDay, key: isKnown ? pair : account },
      ];
      for (const [index, { limit, key }] of limits.entries()) {
        const seconds = limit.take(key);
        if (seconds === 0) continue;
        for (const used of limits.slice(0, index)) used.limit.refund(used.key);
        throw refusedFor(seconds, 429, `Too many wrong codes. Try again in ${waitText(seconds)}.`);
      }
      return {
        right() {
          for (const { limit, key } of limits) limit.refund(key);
          byPair.forget(pair);
        },
        wrong: () => wrong(account, userId),
      };
    },
  };
}

export type CodeLimit = ReturnType<typeof createCodeLimit>;

const PLACE = 'login ticket';

const fingerprint = ({ passwordHash }: UserRow): string =>
  new Bun.CryptoHasher('sha256').update(passwordHash).digest('base64url');

export type Tickets = {
  issue(user: UserRow): string;
  /** The user of a ticket; null if it is forged or older than five minutes. */
  userIdOf(ticket: string): number | null;
  /** Whether the password is the same as when the ticket was issued. */
  fits(ticket: string, user: UserRow): boolean;
};

function parsed(bytes: Uint8Array | null): Record<string, unknown> | null {
  if (bytes === null) return null;
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  return isRecord(value) ? value : null;
}

/** Tickets connect the two steps of a login. They survive a restart and become invalid with a new password. */
export function createTickets({ clock, jwtSecret }: App): Tickets {
  const seal = createSealFor(jwtSecret, { salt: 'bellbird accounts', info: 'login ticket' });
  const read = (ticket: string) => parsed(seal.open(PLACE, ticket));
  return {
    issue(user) {
      const body = { userId: user.id, until: clock.now() + TICKET_MS, password: fingerprint(user) };
      return seal.seal(PLACE, Buffer.from(JSON.stringify(body)));
    },
    userIdOf(ticket) {
      const { userId, until } = read(ticket) ?? {};
      const now = clock.now();
      // A ticket that would last longer than five minutes is from before the clock was set back.
      const isGood = typeof until === 'number' && until > now && until <= now + TICKET_MS;
      return isGood && typeof userId === 'number' ? userId : null;
    },
    fits: (ticket, user) => read(ticket)?.['password'] === fingerprint(user),
  };
}

export const loadTotp = () => import('#subjects/accounts/rules/totp.ts');
type Totp = Awaited<ReturnType<typeof loadTotp>>;

const placeOf = (userId: number): string => `second factor ${userId}`;

/** Encrypts the secrets of authenticator apps in the database. */
export function createSecretSeal(jwtSecret: string) {
  const seal = createSealFor(jwtSecret, { salt: 'bellbird accounts', info: 'second factor' });
  return {
    close: (userId: number, secret: string): string => seal.seal(placeOf(userId), Buffer.from(secret)),
    /** @returns base32; null if it was encrypted with another server secret */
    open: ({ userId, sealedSecret }: SecondFactorRow): string | null => {
      const bytes = seal.open(placeOf(userId), sealedSecret);
      return bytes === null ? null : new TextDecoder().decode(bytes);
    },
  };
}

export type SecretSeal = ReturnType<typeof createSecretSeal>;

/** A code has 80 random bits: its hash needs no key and no cost, and survives a new server secret. */
const hashOf = (userId: number, code: string): string =>
  new Bun.CryptoHasher('sha256').update(`recovery code\n${userId}\n${code}`).digest('base64url');

export function newRecoveryCodes(userId: number, { base32 }: Totp): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    base32(crypto.getRandomValues(new Uint8Array(10))),
  );
  return { codes: codes.map((code) => inBlocks(code)), hashes: codes.map((code) => hashOf(userId, code)) };
}

/** The same sentence for every rejected code, because a reason would help an attacker. */
export const wrongCode = (now: number): string =>
  `That code is wrong or was already used. Codes depend on the time: this server’s clock shows ${formatClock(now)} Sydney. If that is wrong, use a recovery code and tell the administrator.`;

const LOST_SECRET =
  'The server’s secret was changed, so it cannot check codes from your app. Use a recovery code, or ask an administrator to clear your two-factor login.';

/**
 * Uses a code once; call it in the transaction of the action that it allows.
 * @returns whether it was correct
 * @throws AppError 409 if the app's codes cannot be checked
 */
export function consumeCode(
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
