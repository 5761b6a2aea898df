import { eq } from 'drizzle-orm';
import type { Db } from '../../../platform/db/open.ts';
import { facts } from '../../../platform/db/schema.ts';

const KEY = 'setup_token_hash';

/** SQL of the one value that is kept of the set-up token: its hash. */
export const setupTokenStore = (db: Db) => ({
  hash: (): string | null => db.select().from(facts).where(eq(facts.key, KEY)).get()?.value ?? null,

  setHash: (value: string): void => {
    db.insert(facts)
      .values({ key: KEY, value })
      .onConflictDoUpdate({ target: facts.key, set: { value } })
      .run();
  },

  dropHash: (): void => {
    db.delete(facts).where(eq(facts.key, KEY)).run();
  },
});
