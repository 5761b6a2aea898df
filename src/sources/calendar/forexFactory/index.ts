import { failureText, type HttpClient } from '#lib/httpClient/client.ts';
import { clampRetryAfter } from '#lib/httpClient/pollLoop.ts';
import type { Stopwatch } from '#lib/clock.ts';
import { failed, type Result } from '#lib/result.ts';
import { withoutEndSlashes } from '#lib/text.ts';
import { readWeek, type Week } from './week.ts';

export type WeeklyFileOptions = {
  /** Base address, e.g. https://nfs.faireconomy.media */
  url: string;
  stopwatch: Stopwatch;
  http: HttpClient;
};

/** The provider refuses who asks more often, whatever came of it. */
const ASK_EVERY_MS = 60 * 60_000;
const TIMEOUT_MS = 15_000;
/** A week is about 16 KB. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** The file of the current week, fetched at most once an hour, or less often when the provider asks for that. */
export function createWeeklyFile({ url, stopwatch, http }: WeeklyFileOptions) {
  let notBefore = Number.NEGATIVE_INFINITY;
  let last: Result<Week, string> = failed('was not asked yet');

  return {
    /**
     * The week as it is known: asked for when an hour has passed, else what came the last time. Never rejects.
     * @returns the error completes "ForexFactory …"
     */
    async read(signal: AbortSignal): Promise<Result<Week, string>> {
      const now = stopwatch.monotonic();
      if (now < notBefore) return last;
      notBefore = now + ASK_EVERY_MS;
      const outcome = await http.json({
        method: 'GET',
        url: `${withoutEndSlashes(url.trim())}/ff_calendar_thisweek.json`,
        endpoint: 'forexfactory/ff_calendar_thisweek.json',
        headers: { accept: 'application/json' },
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_ANSWER_BYTES,
        signal,
      });
      if (outcome.kind === 'aborted') notBefore = now;
      if (outcome.kind === 'httpError') {
        notBefore = Math.max(notBefore, now + clampRetryAfter(outcome.retryAfterMs));
      }
      if (outcome.kind === 'ok') last = readWeek(outcome.body);
      else if (outcome.kind === 'notJson') last = failed('sent something else than a list of events');
      else last = failed(failureText(outcome));
      return last;
    },
  };
}
