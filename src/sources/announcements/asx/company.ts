import { clampRetryAfter } from '#lib/httpClient/backoff.ts';
import { failureText, statusText } from '#lib/httpClient/failureText.ts';
import type { HttpClient } from '#lib/httpClient/client.ts';
import { createRateLimit, type RateLimit, waitText } from '#lib/rateLimit.ts';
import type { SystemClock } from '#lib/clock.ts';
import type { AnnouncementSink } from '../source.ts';
import { readAnswer, CODE } from './item.ts';
import { companyList } from './request.ts';

export type CompanyOptions = {
  url: string;
  wall: SystemClock;
  http: HttpClient;
  /** Why nothing is asked now, a sentence: the provider is being left alone. Null when it may be asked. */
  paused: () => string | null;
  /** Whether the market's list holds it: what that list says of an announcement is better. */
  isListed: (id: string) => boolean;
};

/** Over all companies together. */
const LIMIT = 20;
const WINDOW_MS = 60_000;
const STOPPED = 'Announcements are not read any more.';

const refusedText = (status: number): string =>
  status === 404 ? 'knows no company of this code (HTTP 404)' : statusText(status);

/** Looks for announcements of one company: its latest five, which may be older than the days of the market's list. */
export class CompanyLists {
  private readonly limit: RateLimit;
  private readonly running = new Map<string, Promise<string | null>>();
  /** By the stopwatch: the provider asked to be left alone until then. */
  private notBefore = Number.NEGATIVE_INFINITY;
  private readonly stopped = new AbortController();

  constructor(private readonly options: CompanyOptions) {
    this.limit = createRateLimit({ clock: options.wall, limit: LIMIT, windowMs: WINDOW_MS });
  }

  /** @returns null when it went well, else a sentence; anyone who asks for the same company meanwhile gets the same */
  async refresh(code: string, sink: AnnouncementSink): Promise<string | null> {
    const known = this.running.get(code);
    if (known) return known;
    const refused = this.refusal(code);
    if (refused !== null) return refused;
    const run = this.ask(code, sink).finally(() => this.running.delete(code));
    this.running.set(code, run);
    return run;
  }

  /** Ends what is under way, and asks no more. */
  stop(): void {
    this.stopped.abort();
  }

  private async ask(code: string, sink: AnnouncementSink): Promise<string | null> {
    const { url, wall, http, isListed } = this.options;
    const { signal } = this.stopped;
    const outcome = await http.json({ ...companyList(url, code), signal });
    // What arrives while the source is stopped changes nothing more.
    if (signal.aborted) return STOPPED;
    if (outcome.kind === 'notJson') return 'ASX sent something else than a list of announcements.';
    if (outcome.kind !== 'ok') {
      if (outcome.kind === 'httpError')
        this.notBefore = wall.monotonic() + clampRetryAfter(outcome.retryAfterMs);
      return `ASX ${failureText(outcome, refusedText)}.`;
    }
    const answer = readAnswer(outcome.body, { base: url, code, now: wall.now() });
    if (answer.kind === 'unusable') return `ASX ${answer.reason}.`;
    const unknown = answer.items.filter(({ id }) => !isListed(id) && !sink.knows(id));
    if (unknown.length > 0) sink.apply(unknown.map(({ plainKey: _, ...release }) => release));
    return null;
  }

  private refusal(code: string): string | null {
    if (this.stopped.signal.aborted) return STOPPED;
    if (!CODE.test(code)) return 'That is not a code of the exchange.';
    const pause = this.options.paused();
    if (pause !== null) return pause;
    const waitMs = this.notBefore - this.options.wall.monotonic();
    const seconds = waitMs > 0 ? Math.ceil(waitMs / 1000) : this.limit.take('all');
    return seconds > 0 ? `ASX is asked too often. Try again in ${waitText(seconds)}.` : null;
  }
}
