import { eq } from 'drizzle-orm';
import { TAKE_BACK_MS } from '../rules/resultText.ts';
import type { ComingEnd, EndKind } from '../rules/types.ts';
import { callEndings } from '#src/tables/callSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { calls, users } from '#platform/db/schema.ts';
import { AppError } from '#platform/http/errors.ts';
import type { App } from '#platform/app.ts';
import type { Submitter } from './parts.ts';

/** How an owner wants a call ended; `pocketedValue` in AUD. */
export type AskedEnd = { kind: EndKind; pocketedValue: number | null };

/** @property dueAt a reading of the stopwatch */
type HeldEnd = AskedEnd & { publicId: string; owner: Submitter; dueAt: number };

/** SQL of ends that can still be taken back. Times are epoch ms, `pocketedValue` AUD. */
const callEndingStore = (db: Db) => ({
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
      .select({
        ending: callEndings,
        publicId: calls.publicId,
        id: users.id,
        username: users.username,
      })
      .from(callEndings)
      .innerJoin(calls, eq(calls.id, callEndings.callId))
      .innerJoin(users, eq(users.id, calls.userId))
      .all()
      .map(({ ending, publicId, ...owner }) => ({
        ...ending,
        publicId,
        owner,
      })),
});

/** After an end that failed, as on a full disk. */
const RETRY_MS = TAKE_BACK_MS;

/**
 * Ends that were asked for and can still be taken back. They are on disk, so that neither a page that is loaded again nor
 * a restart takes the rest of that time away, or forgets them; the price that counts is that of the moment they end.
 */
export class Endings {
  readonly #store: ReturnType<typeof callEndingStore>;
  readonly #held = new Map<number, HeldEnd>();

  /** @param endNow ends a call and drops its pending end; throws AppError 404 or 409 if there is nothing to end */
  constructor(
    private readonly app: App,
    private readonly endNow: (owner: Submitter, publicId: string, asked: AskedEnd) => void,
  ) {
    this.#store = callEndingStore(app.db);
  }

  /** What is shown to a call's owner; null where no end is held. */
  of(callId: number): ComingEnd | null {
    const found = this.#held.get(callId);
    return found
      ? {
          kind: found.kind,
          inMs: Math.max(0, found.dueAt - this.app.clock.monotonic()),
        }
      : null;
  }

  /** Holds an end for this many ms, in the place of one that is held already. */
  hold(call: { id: number; publicId: string }, owner: Submitter, asked: AskedEnd, inMs: number): void {
    const { clock } = this.app;
    this.#store.put({ callId: call.id, ...asked, dueAt: clock.now() + inMs });
    this.#held.set(call.id, {
      ...asked,
      owner,
      publicId: call.publicId,
      dueAt: clock.monotonic() + inMs,
    });
  }

  /** The call goes on, or has ended. */
  drop(callId: number): void {
    if (this.#held.delete(callId)) this.#store.remove(callId);
  }

  /** Takes up those of an earlier run, with what was left of their time. */
  resume(): void {
    const { clock } = this.app;
    const now = clock.now();
    for (const { callId, publicId, owner, kind, pocketedValue, dueAt } of this.#store.all()) {
      const leftMs = Math.max(0, Math.min(TAKE_BACK_MS, dueAt - now));
      this.#held.set(callId, {
        kind,
        pocketedValue,
        publicId,
        owner,
        dueAt: clock.monotonic() + leftMs,
      });
    }
  }

  /** Ends what is due. One that can't be written waits, and holds up no other. */
  tick(): void {
    const { clock } = this.app;
    for (const [callId, one] of this.#held) {
      if (one.dueAt > clock.monotonic()) continue;
      try {
        this.#end(callId, one);
      } catch (error) {
        this.app.log
          .child('calls')
          .error('A call could not be ended when it was due, and is tried again', { error });
        one.dueAt = clock.monotonic() + RETRY_MS;
      }
    }
  }

  #end(callId: number, { owner, publicId, kind, pocketedValue }: HeldEnd): void {
    try {
      this.endNow(owner, publicId, { kind, pocketedValue });
    } catch (error) {
      // It ended in another way, perhaps in an earlier run that did not come to the row.
      if (!(error instanceof AppError)) throw error;
      this.drop(callId);
    }
  }
}
