/** Hashing costs 200 ms on purpose; tests pass a cheap one. */
export type Passwords = {
  hash(password: string): Promise<string>;
  verify(password: string, hash: string): Promise<boolean>;
};

/** Lets at most `limit` tasks run at once; the others wait their turn. */
function limitConcurrency(limit: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/**
 * argon2id with 19 MiB and two passes (OWASP's password storage cheat sheet), two at a time: each hash holds its
 * memory while it runs, and a small board has little.
 */
export function createPasswords(): Passwords {
  const inTurn = limitConcurrency(2);
  return {
    hash: (password) =>
      inTurn(() => Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 })),
    verify: (password, hash) => inTurn(() => Bun.password.verify(password, hash)),
  };
}
