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

/** SQL of the second factors. Times are epoch ms. */
export const secondFactorStore = (db: Db) => ({
  /** One that is on, or only begun. */
  read: (userId: number): SecondFactorRow | undefined =>
    db.select().from(secondFactors).where(ofUser(userId)).get(),

  /** One that is on. */
  on: (userId: number): SecondFactorRow | undefined =>
    db.select().from(secondFactors).where(isOn(userId)).get(),

  /** Begins anew; call it only where none is on. */
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

  /** @returns whether one was on */
  remove: (userId: number): boolean => {
    const removed = db.delete(secondFactors).where(ofUser(userId)).returning().get();
    return removed !== undefined && removed.confirmedAt !== null;
  },
});

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Wrong codes within a day after which the owner is notified, once a day. */
const NOTIFIED_AFTER = 5;

/** Called once a code is known to be right or wrong. Until then it counts as an attempt, without a notification. */
export type Attempt = { right(): void; wrong(): void };

/**
 * Wrong codes, each counted before it is looked at: ten of an account at one address in a quarter of an hour; from
 * addresses that the account never logged in from also 30 an hour together; 100 a day from those together, and from each
 * address that it knows. Only who knows the password comes so far, and an address that the account knows is not kept out
 * by what others do.
 * @param notify called after the fifth wrong code of an account, from wherever
 */
export function createCodeLimit(clock: Stopwatch, notify: (userId: number) => void) {
  const byPair = createRateLimit({ clock, limit: 10, windowMs: 15 * MINUTE_MS });
  const byAccount = createRateLimit({ clock, limit: 30, windowMs: 60 * MINUTE_MS });
  const byDay = createRateLimit({ clock, limit: 100, windowMs: DAY_MS });
  const beforeNotice = createRateLimit({ clock, limit: NOTIFIED_AFTER - 1, windowMs: DAY_MS });
  const notices = createRateLimit({ clock, limit: 1, windowMs: DAY_MS });

  const wrong = (account: string, userId: number): void => {
    if (beforeNotice.take(account) > 0 && notices.take(account) === 0) notify(userId);
  };
  return {
    /**
     * @param isKnown whether the account logged in from the address before
     * @throws AppError 429
     */
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
        for (const taken of limits.slice(0, index)) taken.limit.giveBack(taken.key);
        throw refusedFor(seconds, 429, `Too many wrong codes. Try again in ${waitText(seconds)}.`);
      }
      return {
        right() {
          for (const { limit, key } of limits) limit.giveBack(key);
          byPair.forget(pair);
        },
        wrong: () => wrong(account, userId),
      };
    },
  };
}

export type CodeLimit = ReturnType<typeof createCodeLimit>;

const PLACE = 'login ticket';

const fingerprint = ({ passwordHash }: Pick<UserRow, 'passwordHash'>): string =>
  new Bun.CryptoHasher('sha256').update(passwordHash).digest('base64url');

export type Tickets = {
  /** For somebody who gave the right password. */
  issue(user: UserRow): string;
  /** Whose it is; null when it is forged or its five minutes are over. */
  userIdOf(ticket: string): number | null;
  /** Whether the password is still that of the ticket. */
  fits(ticket: string, user: UserRow): boolean;
};

function parsed(bytes: Uint8Array | null): Record<string, unknown> | null {
  if (bytes === null) return null;
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  return isRecord(value) ? value : null;
}

/**
 * What stands between the two steps of a login. It is sealed with a key of its own, so it is worth nothing anywhere else,
 * and goes on over a restart; a new password makes it void.
 */
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
      // One of longer than five minutes was given before the clock was set back.
      const isGood = typeof until === 'number' && until > now && until <= now + TICKET_MS;
      return isGood && typeof userId === 'number' ? userId : null;
    },
    fits: (ticket, user) => read(ticket)?.['password'] === fingerprint(user),
  };
}

/** The library is loaded with the first code. */
export const loadTotp = () => import('#subjects/accounts/rules/totp.ts');
type Totp = Awaited<ReturnType<typeof loadTotp>>;

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
