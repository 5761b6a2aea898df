import { TAKE_BACK_MS } from '../rules/endText.ts';
import type { ComingEnd, EndKind } from '../rules/types.ts';
import { AppError } from '../../../platform/http/errors.ts';
import type { SystemClock } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import type { Submitter } from './deps.ts';
import type { CallEndingStore } from './endingStore.ts';

/** How an owner wants a call ended; `pocketedValue` in AUD. */
export type AskedEnd = { kind: EndKind; pocketedValue: number | null };

/** @property dueAt a reading of the stopwatch */
type HeldEnd = AskedEnd & { publicId: string; owner: Submitter; dueAt: number };

export type EndingsDeps = {
  store: CallEndingStore;
  clock: SystemClock;
  log: Log;
  /** Ends a call, and drops what is held of it. @throws AppError 404 or 409 where there is nothing to end */
  end(owner: Submitter, publicId: string, asked: AskedEnd): void;
};

/** After an end that failed, as on a full disk. */
const RETRY_MS = TAKE_BACK_MS;

/**
 * Ends that were asked for and can still be taken back. They are on disk, so that neither a page that is loaded again nor
 * a restart takes the rest of that time away, or forgets them; the price that counts is that of the moment they end.
 */
export function createEndings({ store, clock, log, end }: EndingsDeps) {
  const held = new Map<number, HeldEnd>();

  function drop(callId: number): void {
    if (held.delete(callId)) store.remove(callId);
  }

  function endNow(callId: number, { owner, publicId, kind, pocketedValue }: HeldEnd): void {
    try {
      end(owner, publicId, { kind, pocketedValue });
    } catch (error) {
      // It ended in another way, perhaps in an earlier run that did not come to the row.
      if (error instanceof AppError) return drop(callId);
      throw error;
    }
  }

  return {
    /** What is shown to a call's owner; null where no end is held. */
    of(callId: number): ComingEnd | null {
      const found = held.get(callId);
      return found ? { kind: found.kind, inMs: Math.max(0, found.dueAt - clock.monotonic()) } : null;
    },

    /** Holds an end for so many ms, in the place of one that is held already. */
    hold(call: { id: number; publicId: string }, owner: Submitter, asked: AskedEnd, inMs: number): void {
      store.put({ callId: call.id, ...asked, dueAt: clock.now() + inMs });
      held.set(call.id, { ...asked, owner, publicId: call.publicId, dueAt: clock.monotonic() + inMs });
    },

    /** The call goes on, or has ended. */
    drop,

    /** Takes up those of an earlier run, with what was left of their time. */
    resume(): void {
      const now = clock.now();
      for (const { callId, publicId, owner, kind, pocketedValue, dueAt } of store.all()) {
        const leftMs = Math.max(0, Math.min(TAKE_BACK_MS, dueAt - now));
        held.set(callId, { kind, pocketedValue, publicId, owner, dueAt: clock.monotonic() + leftMs });
      }
    },

    /** Ends what is due. One that can't be written waits, and holds up no other. */
    tick(): void {
      for (const [callId, one] of held) {
        if (one.dueAt > clock.monotonic()) continue;
        try {
          endNow(callId, one);
        } catch (error) {
          log.error('A call could not be ended when it was due, and is tried again', { error });
          one.dueAt = clock.monotonic() + RETRY_MS;
        }
      }
    },
  };
}

export type Endings = ReturnType<typeof createEndings>;
