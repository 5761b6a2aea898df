import { eq } from 'drizzle-orm';
import type { Db } from './open.ts';
import { facts } from './schema.ts';

export const factStore = (db: Db) => ({
  /** Null if the key is missing or its value unreadable. */
  read(key: string): unknown {
    const value = db.select().from(facts).where(eq(facts.key, key)).get()?.value;
    try {
      return value === undefined ? null : JSON.parse(value);
    } catch {
      return null;
    }
  },

  write(key: string, value: unknown): void {
    const text = JSON.stringify(value);
    db.insert(facts)
      .values({ key, value: text })
      .onConflictDoUpdate({ target: facts.key, set: { value: text } })
      .run();
  },
});

export type FactStore = ReturnType<typeof factStore>;

/** SQL that stores a value under a key. An update in place does not change the index; a replaced row rewrites it. */
export const WRITE_FACT =
  'INSERT INTO facts (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value';
