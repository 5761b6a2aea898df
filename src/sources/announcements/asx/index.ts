import { createEpochTimes, type SystemClock } from '#lib/clock.ts';
import { failureText, type HttpClient, statusText } from '#lib/httpClient/client.ts';
import { clampRetryAfter, PollLoop, type PollResult, type PollState } from '#lib/httpClient/pollLoop.ts';
import type { Log } from '#lib/log.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import type { AnnouncementSink, AnnouncementSource, ProviderHealth } from '../source.ts';
import { type AnswerForm, createAnswerForm, type FormEdges, type MissingField } from '#sources/answerForm.ts';
import { CODE, companyList, ITEM_FIELDS, readAnswer } from './item.ts';
import { ACTIVE_MS, createLooks, ListMemory, type ShortList, waitAt } from './poll.ts';
import { formatNumber } from '#texts/format.ts';
import { durationText, failureSentences } from '#sources/pollHealth.ts';
import { createRateLimit, type RateLimit, waitText } from '#lib/rateLimit.ts';

type CompanyOptions = {
  url: string;
  wall: SystemClock;
  http: HttpClient;
  /** Why no request may be sent now, as a sentence; null if one may. */
  paused: () => string | null;
  /** Whether the market list has it. That list has better data. */
  isListed: (id: string) => boolean;
};

const LIMIT = 20;
const WINDOW_MS = 60_000;
const STOPPED = 'Announcements are not read any more.';

const refusedText = (status: number): string =>
  status === 404 ? 'knows no company of this code (HTTP 404)' : statusText(status);

/** Loads the latest five announcements of a company, which may be older than the market list. */
class CompanyLists {
  private readonly limit: RateLimit;
  private readonly running = new Map<string, Promise<string | null>>();
  /** Pause requested by the provider, a stopwatch reading. */
  private notBefore = Number.NEGATIVE_INFINITY;
  private readonly stopped = new AbortController();

  constructor(private readonly options: CompanyOptions) {
    this.limit = createRateLimit({ clock: options.wall, limit: LIMIT, windowMs: WINDOW_MS });
  }

  /** @returns null after a success, otherwise a sentence; concurrent callers share the request */
  async refresh(code: string, sink: AnnouncementSink): Promise<string | null> {
    const known = this.running.get(code);
    if (known) return known;
    const refused = this.refusal(code);
    if (refused !== null) return refused;
    const run = this.ask(code, sink).finally(() => this.running.delete(code));
    this.running.set(code, run);
    return run;
  }

  stop(): void {
    this.stopped.abort();
  }

  private async ask(code: string, sink: AnnouncementSink): Promise<string | null> {
    const { url, wall, http, isListed } = this.options;
    const { signal } = this.stopped;
    const outcome = await http.json({ ...companyList(url, code), signal });
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

type FeedState = Pick<PollState, 'circuit' | 'failure' | 'nextAttempt'> & {
  lastSuccess: number | null;
  short: ShortList | null;
  newest: number | null;
};

/** Longer than any run of non-trading days. */
const OLD_MS = 10 * 86_400_000;

function failureProblem(state: FeedState, failure: string, now: number): string {
  const { lastSuccess } = state;
  const shown =
    lastSuccess === null
      ? 'Announcements that were kept earlier stay.'
      : `The last good answer is ${durationText(now - lastSuccess)} old; announcements stay as they were.`;
  return failureSentences('ASX', failure, shown, state, now);
}

const count = (value: number): string => formatNumber(value, 0);

const shortProblem = ({ short }: FeedState): string | null =>
  short &&
  `ASX lists only ${count(short.listed)} of ${count(short.expected)} announcements that it listed before. The others stay.`;

function oldProblem({ newest }: FeedState, now: number): string | null {
  if (newest === null || now - newest < OLD_MS) return null;
  return `The newest announcement that ASX lists is ${Math.floor((now - newest) / 86_400_000)} days old.`;
}

/**
 * Unhealthy before the first answer, after a failure until the next success, while the list is too short, and
 * if it has nothing new for days.
 * @param now epoch ms
 */
function healthOf(state: FeedState, now: number): ProviderHealth {
  const { failure, lastSuccess } = state;
  const waiting = lastSuccess === null ? 'Waiting for the first answer from ASX.' : null;
  const problem =
    failure === null
      ? (waiting ?? shortProblem(state) ?? oldProblem(state, now))
      : failureProblem(state, failure, now);
  return { healthy: problem === null, problem, lastSuccess };
}

export type AsxOptions = FormEdges & {
  /** Base address; /asx-research/1.0 is added. Document links begin with it too. */
  url: string;
  wall: SystemClock;
  log: Log;
  http: HttpClient;
  random?: () => number;
  schedule?: Scheduler;
};

const OPEN_AFTER_FAILURES = 5;
const MAX_WAIT_MS = 10 * 60_000;

/** The exchange's announcements, on the wall clock. A failure changes only the health. */
export class AsxAnnouncements implements AnnouncementSource {
  readonly name = 'asx';
  private sink: AnnouncementSink | null = null;
  private readonly memory: ListMemory;
  private readonly form: AnswerForm;
  private readonly looks: ReturnType<typeof createLooks>;
  private readonly loop: PollLoop;
  private readonly companies: CompanyLists;
  private readonly epochOf: (reading: number) => number;
  private lastSuccess: number | null = null;
  private short: ShortList | null = null;
  private newest: number | null = null;
  private readonly counts = { pages: 0, withdrawn: 0 };

  constructor(private readonly options: AsxOptions) {
    const { url, wall, log, http, random = Math.random, schedule = timerScheduler } = options;
    this.epochOf = createEpochTimes(wall);
    this.memory = new ListMemory({ stopwatch: wall, knows: (id) => this.sink?.knows(id) ?? false });
    this.form = createAnswerForm({ ...options, source: this.name, fields: ITEM_FIELDS });
    this.looks = createLooks({ url, wall, http, log, memory: this.memory, form: this.form });
    this.loop = new PollLoop({
      name: 'ASX',
      poll: (stop) => this.pollOnce(stop),
      rules: { openAfter: OPEN_AFTER_FAILURES, intervalMs: ACTIVE_MS, maxWaitMs: MAX_WAIT_MS },
      clock: wall,
      log,
      schedule,
      random,
    });
    this.companies = new CompanyLists({
      url,
      wall,
      http,
      paused: () => (this.loop.state().circuit.state === 'closed' ? null : this.health().problem),
      isListed: (id) => this.memory.has(id),
    });
  }

  label(): string {
    return 'ASX';
  }

  async start(into: AnnouncementSink): Promise<void> {
    this.sink = into;
    this.loop.start();
  }

  stop(): Promise<void> {
    this.companies.stop();
    return this.loop.stop();
  }

  health(): ProviderHealth {
    return healthOf(this.feedState(), this.options.wall.now());
  }

  missing(): readonly MissingField[] {
    return this.form.missing();
  }

  async refresh(code: string): Promise<string | null> {
    if (this.sink === null) return 'Announcements are not read yet.';
    return this.companies.refresh(code.toUpperCase(), this.sink);
  }

  details() {
    const { polls } = this.loop.state();
    return { ...this.feedState(), polls, listed: this.memory.size(), ...this.counts };
  }

  private async pollOnce(stop: AbortSignal): Promise<PollResult> {
    if (this.sink === null) return { kind: 'done', nextMs: ACTIVE_MS };
    const outcome = await this.looks.run(this.sink, stop);
    if (outcome.kind === 'failed') return outcome;
    const { wall } = this.options;
    this.short = outcome.short;
    this.newest = Number.isFinite(outcome.newest) ? outcome.newest : null;
    this.counts.pages += outcome.pages;
    this.counts.withdrawn += outcome.withdrawn;
    this.lastSuccess = wall.monotonic();
    return { kind: 'done', nextMs: waitAt(wall.now()) };
  }

  private feedState(): FeedState {
    const { circuit, failure, nextAttempt } = this.loop.state();
    const lastSuccess = this.lastSuccess === null ? null : this.epochOf(this.lastSuccess);
    return { circuit, failure, nextAttempt, lastSuccess, short: this.short, newest: this.newest };
  }
}
