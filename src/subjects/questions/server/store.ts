import { eq, sql } from 'drizzle-orm';
import type { Db } from '#platform/db/open.ts';
import { users } from '#platform/db/schema.ts';
import { lazy } from '#lib/lazy.ts';
import type { ModelUser } from '#subjects/model/server/index.ts';

/** SQL of who asks. */
export function questionStore(db: Db) {
  const byId = lazy(() =>
    db
      .select({
        id: users.id,
        subscriptionType: users.subscriptionType,
        isAdmin: users.isAdmin,
      })
      .from(users)
      .where(eq(users.id, sql.placeholder('id')))
      .prepare(),
  );
  return {
    /** A user as the database has it at this moment. */
    user: (id: number): ModelUser | undefined => byId().get({ id }),
  };
}

export type QuestionStore = ReturnType<typeof questionStore>;
