import { createEpochTimes, type SystemClock } from '#lib/clock.ts';
import type { HttpClient } from '#lib/httpClient/client.ts';
import { PollLoop, type PollResult } from '#lib/httpClient/pollLoop.ts';
import type { Log } from '#lib/log.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import type { AnnouncementSink, AnnouncementSource, ProviderHealth } from '../source.ts';
import { type AnswerForm, createAnswerForm, type FormEdges } from '#sources/answerForm.ts';
import type { MissingField } from '#sources/missingFields.ts';
import { CompanyLists } from './company.ts';
import { ITEM_FIELDS } from './item.ts';
import { type FeedState, healthOf } from './feedHealth.ts';
import { ListMemory, type ShortList } from './listMemory.ts';
import { createLooks, ACTIVE_MS, waitAt } from './poll.ts';

export type AsxOptions = FormEdges & {
  /** Base address; /asx-research/1.0 is added. Links to documents begin with it too. */
  url: string;
  wall: SystemClock;
  log: Log;
  http: HttpClient;
  random?: () => number;
  schedule?: Scheduler;
};

const OPEN_AFTER_FAILURES = 5;
const MAX_WAIT_MS = 10 * 60_000;

/** The exchange's own list of announcements as a source, on the wall clock. What fails changes nothing but the health. */
export class AsxAnnouncements implements AnnouncementSource {
  readonly name = 'asx';
  private sink: AnnouncementSink | null = null;
  private readonly memory: ListMemory;
  private readonly form: AnswerForm;
  private readonly looks: ReturnType<typeof createLooks>;
  private readonly loop: PollLoop;
  private readonly companies: CompanyLists;
  private readonly epochOf: (reading: number) => number;
  /** By the stopwatch. */
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

  /** Does not wait for the first answer. */
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
