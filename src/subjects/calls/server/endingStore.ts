import { eq } from 'drizzle-orm';
import { callEndings } from '../../../platform/db/callPathSchema.ts';
import type { Db } from '../../../platform/db/open.ts';
import { calls, users } from '../../../platform/db/schema.ts';

/** SQL of ends that can still be taken back. Times are epoch ms, `pocketedValue` AUD. */
export const callEndingStore = (db: Db) => ({
  put(row: typeof callEndings.$inferInsert): void {
    const { callId: _, ...set } = row;
    db.insert(callEndings).values(row).onConflictDoUpdate({ target: callEndings.callId, set }).run();
  },

  remove(callId: number): void {
    db.delete(callEndings).where(eq(callEndings.callId, callId)).run();
  },

  /** With the call's public id and its owner. */
  all: () =>
    db
      .select({ ending: callEndings, publicId: calls.publicId, id: users.id, username: users.username })
      .from(callEndings)
      .innerJoin(calls, eq(calls.id, callEndings.callId))
      .innerJoin(users, eq(users.id, calls.userId))
      .all()
      .map(({ ending, publicId, ...owner }) => ({ ...ending, publicId, owner })),
});

export type CallEndingStore = ReturnType<typeof callEndingStore>;
