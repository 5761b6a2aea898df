import type { Wire } from '#lib/contract/fields.ts';
import type { updateAnswer } from '../answers/news.ts';
import { refusedFor } from '#platform/http/errors.ts';
import type { App } from '#platform/app.ts';
import type { Scheduler } from '#lib/scheduler.ts';
import type { AnnouncementSource } from '#sources/announcements/source.ts';

/** Specification, section 2.5. */
const ON_THE_WAY = 'Updates appear within a few seconds.';

/** Anyone who asks for a symbol within this time of the last request gets its answer. */
const HELD_MS = 30_000;
/** A source that takes longer is not waited for: what it finds arrives with the stream. */
const PATIENCE_MS = 5000;
const FAILED = 'The source of announcements could not be asked. Try again later.';

export type RefreshAnswer = Wire<typeof updateAnswer>;

/** One request to the source: its problem is a sentence, null when there is none. */
type Asked = { at: number; problem: Promise<string | null> };

/** The problem, or null when it takes too long to learn of it. */
function withPatience(problem: Promise<string | null>, schedule: Scheduler): Promise<string | null> {
  const patience = Promise.withResolvers<null>();
  const cancel = schedule(PATIENCE_MS, () => patience.resolve(null));
  return Promise.race([problem, patience.promise]).finally(cancel);
}

/**
 * Asks the source for the announcements of one symbol, at most once in 30 s anyone who asks.
 * @returns a function of a listed code; it throws AppError 503 with the sentence of the source
 */
export function createRefresh({ clock, log, schedule }: App, source: AnnouncementSource) {
  const asked = new Map<string, Asked>();

  function forgetOld(now: number): void {
    for (const [code, { at }] of asked) {
      if (now - at < HELD_MS) return;
      asked.delete(code);
    }
  }

  async function ask(code: string): Promise<string | null> {
    try {
      return (await source.refresh?.(code)) ?? null;
    } catch (error) {
      log.child('announcements').error('Announcements of a stock could not be asked for', {
        code,
        error,
      });
      return FAILED;
    }
  }

  return async (code: string): Promise<RefreshAnswer> => {
    const now = clock.monotonic();
    forgetOld(now);
    let running = asked.get(code);
    if (!running) {
      running = { at: now, problem: ask(code) };
      asked.set(code, running);
    }
    const problem = await withPatience(running.problem, schedule);
    if (problem === null) return { success: true, message: ON_THE_WAY };
    throw refusedFor(Math.ceil((running.at + HELD_MS - clock.monotonic()) / 1000), 503, problem);
  };
}
