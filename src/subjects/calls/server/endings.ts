import { eq } from 'drizzle-orm';
import { TAKE_BACK_MS } from '../rules/resultText.ts';
import type { ComingEnd, EndKind } from '../rules/types.ts';
import { callEndings } from '#src/tables/callSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { calls, users } from '#platform/db/schema.ts';
import { AppError } from '#platform/http/errors.ts';
import type { App } from '#platform/app.ts';
import type { Submitter } from './parts.ts';

/** A requested end; `pocketedValue` in AUD. */
export type AskedEnd = { kind: EndKind; pocketedValue: number | null };

/** @property dueAt ms of the monotonic clock */
type HeldEnd = AskedEnd & { publicId: string; owner: Submitter; dueAt: number };

/** SQL of pending ends. Times are epoch ms, `pocketedValue` AUD. */
const callEndingStore = (db: Db) => ({
  put(row: typeof callEndings.$inferInsert): void {
    const { callId: _, ...set } = row;
    db.insert(callEndings).values(row).onConflictDoUpdate({ target: callEndings.callId, set }).run();
  },

  remove(callId: number): void {
    db.delete(callEndings).where(eq(callEndings.callId, callId)).run();
  },

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

/** Delay before a failed end is retried, for example on a full disk; ms. */
const RETRY_MS = TAKE_BACK_MS;

/**
 * Requested ends in their undo window. They are on disk, so that neither a reload nor a restart loses them. The price
 * when the window closes counts.
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

  /** The pending end that the owner sees; null for none. */
  of(callId: number): ComingEnd | null {
    const found = this.#held.get(callId);
    return found
      ? {
          kind: found.kind,
          inMs: Math.max(0, found.dueAt - this.app.clock.monotonic()),
        }
      : null;
  }

  /** Ends a call after `inMs`; replaces a pending end of the same call. */
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

  drop(callId: number): void {
    if (this.#held.delete(callId)) this.#store.remove(callId);
  }

  /** Resumes pending ends of an earlier run with their remaining time. */
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

  /** Runs due ends. A failed one is retried and does not block the others. */
  tick(): void {
    const { clock } = this.app;
    for (const [callId, one] of this.#held) {
      if (one.dueAt > clock.monotonic()) continue;
      try {
        this.#end(callId, one);
      } catch (error) {
        this.app.log.child('calls').error('Could not close a call that is due; trying again', { error });
        one.dueAt = clock.monotonic() + RETRY_MS;
      }
    }
  }

  #end(callId: number, { owner, publicId, kind, pocketedValue }: HeldEnd): void {
    try {
      this.endNow(owner, publicId, { kind, pocketedValue });
    } catch (error) {
      // The call has already ended, perhaps in an earlier run that did not delete the row.
      if (!(error instanceof AppError)) throw error;
      this.drop(callId);
    }
  }
}
