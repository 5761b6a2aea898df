import { auditEntries } from '../../db/administrationSchema.ts';
import type { Db } from '../../db/open.ts';
import type { Deed } from './service.ts';

/** What administrators did, in the database. */
export const auditStore = (db: Db) => ({
  insert({ userId, action, target, before, after, reason }: Deed, at: number): void {
    db.insert(auditEntries)
      .values({
        ...{ at, userId, action, target },
        before: before ?? null,
        after: after ?? null,
        reason: reason ?? null,
      })
      .run();
  },
});
