import { refusedFor } from '#platform/http/errors.ts';
import { type Caller, FairQueue, QueueFullError } from '#lib/fairQueue.ts';

/** Hashing costs time and memory on purpose; tests pass a cheap one. */
export type Passwords = {
  /** @throws AppError 503 when too many wait */
  hash(password: string, caller: Caller): Promise<string>;
  /** @throws AppError 503 when too many wait */
  verify(password: string, hash: string, caller: Caller): Promise<boolean>;
};

const BUSY = 'The server is busy with other logins. Try again in a moment.';
const RETRY_SECONDS = 5;

/** The operator at the command line, who shares the hashing with nobody. */
export const OPERATOR: Caller = { address: 'this machine', name: 'operator', rank: 0 };

type Hashing = {
  hash(password: string): Promise<string>;
  verify(password: string, hash: string): Promise<boolean>;
};

/** argon2id with 19 MiB and two passes: OWASP's password storage cheat sheet. */
const ARGON2ID: Hashing = {
  hash: (password) => Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 }),
  verify: (password, hash) => Bun.password.verify(password, hash),
};

/**
 * Hashes two at a time: each holds its memory while it runs, and a small board has little. Callers take turns: first
 * those at addresses where the account logged in before, then addresses from where nothing wrong came lately.
 */
export function createPasswords(hashing: Hashing = ARGON2ID): Passwords {
  const queue = new FairQueue({ slots: 2, maxPerCaller: 20, maxWaiting: 64 });
  async function inTurn<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    try {
      return await queue.run(caller, work);
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error;
      throw refusedFor(RETRY_SECONDS, 503, BUSY, error);
    }
  }
  return {
    hash: (password, caller) => inTurn(caller, () => hashing.hash(password)),
    verify: (password, hash, caller) => inTurn(caller, () => hashing.verify(password, hash)),
  };
}

declare module '#platform/app.ts' {
  interface App {
    passwords: Passwords;
  }
}
