import PQueue from 'p-queue';
import type { Passwords } from '../../deps.ts';

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
