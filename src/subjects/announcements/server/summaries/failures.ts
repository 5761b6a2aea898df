import type { Stopwatch } from '../../../../lib/clock.ts';

/** After this a run that failed may be tried again. */
const WAIT_MS = 30_000;
/** One whose document or answer was at fault would fail again, and costs tokens each time. */
const LASTING_WAIT_MS = 10 * 60_000;

const MAX_REMEMBERED = 500;

type Failure = { message: string; until: number };

/** Remembers for a while which runs failed, so that a click again and again does not ask the model each time. */
export function createFailures(clock: Stopwatch) {
  const byId = new Map<string, Failure>();
  return {
    add(announcementId: string, { message, isLasting }: { message: string; isLasting: boolean }): void {
      byId.delete(announcementId);
      byId.set(announcementId, {
        message,
        until: clock.monotonic() + (isLasting ? LASTING_WAIT_MS : WAIT_MS),
      });
      if (byId.size <= MAX_REMEMBERED) return;
      for (const oldest of byId.keys()) {
        byId.delete(oldest);
        return;
      }
    },
    /** Why a run failed lately, and in how many seconds it may be tried again; null when it may be now. */
    recent(announcementId: string): { message: string; seconds: number } | null {
      const failure = byId.get(announcementId);
      const leftMs = failure ? failure.until - clock.monotonic() : 0;
      return failure && leftMs > 0 ? { message: failure.message, seconds: Math.ceil(leftMs / 1000) } : null;
    },
    /** @returns whether a failure was remembered, however old */
    remove: (announcementId: string): boolean => byId.delete(announcementId),
  };
}
