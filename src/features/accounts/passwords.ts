import PQueue from 'p-queue';

/** Hashing costs 200 ms on purpose; tests pass a cheap one. */
export type Passwords = {
  hash(password: string): Promise<string>;
  verify(password: string, hash: string): Promise<boolean>;
};

/**
 * argon2id with 19 MiB and two passes (OWASP's password storage cheat sheet), two at a time: each hash holds its
 * memory while it runs, and a small board has little.
 */
export function createPasswords(): Passwords {
  const queue = new PQueue({ concurrency: 2 });
  return {
    hash: (password) =>
      queue.add(() =>
        Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 }),
      ),
    verify: (password, hash) => queue.add(() => Bun.password.verify(password, hash)),
  };
}
