import { and, eq } from 'drizzle-orm';
import { announcementSummaries } from '#src/tables/marketSchema.ts';
import type { Db } from '#platform/db/open.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { summariseAnswer } from '#subjects/announcements/answers/news.ts';
import type { KeptAnnouncement } from '#subjects/announcements/rules/stockNews.ts';
import { checkLiveSymbol } from '#market/rules/liveSymbols.ts';
import { accepted, AppError, refusedFor } from '#platform/http/errors.ts';
import { createUserLimit, type UserLimit } from '#platform/http/requestLimits.ts';
import { waitText } from '#lib/rateLimit.ts';
import type { ModelUsage } from '#platform/model/model.ts';
import type { ModelUser } from '#subjects/model/server/index.ts';
import type { App, Part } from '#platform/app.ts';
import type { Log } from '#lib/log.ts';
import { createDocumentReader, type DocumentReader, writeSummary, type Written } from './write.ts';
import type { Stopwatch } from '#lib/clock.ts';
import { NEWS } from '#subjects/announcements/contract.ts';
import { serve } from '#platform/http/routes.ts';

type SummaryRow = typeof announcementSummaries.$inferSelect;

const summaryStore = (db: Db, source: string) => ({
  find: (announcementId: string): SummaryRow | undefined =>
    db
      .select()
      .from(announcementSummaries)
      .where(
        and(
          eq(announcementSummaries.source, source),
          eq(announcementSummaries.announcementId, announcementId),
        ),
      )
      .get(),

  keep(row: Omit<SummaryRow, 'source'>): void {
    db.insert(announcementSummaries)
      .values({ ...row, source })
      .onConflictDoUpdate({
        target: [announcementSummaries.source, announcementSummaries.announcementId],
        set: row,
      })
      .run();
  },
});

type SummaryStore = ReturnType<typeof summaryStore>;

type Run = {
  announcement: KeptAnnouncement;
  userId: number;
};

const MAX_WAITING = 2;

/** Runs summaries one after the other: a model at home answers one question at a time. */
class Runs {
  #running: Run | null = null;
  #turn: Promise<void> = Promise.resolve();
  readonly #waiting: Run[] = [];
  readonly #stopped = new AbortController();

  /** @param work performs one run; it must not throw */
  constructor(private readonly work: (run: Run, signal: AbortSignal) => Promise<void>) {}

  get isFull(): boolean {
    return this.#running !== null && this.#waiting.length >= MAX_WAITING;
  }

  stateOf(announcementId: string): 'running' | 'queued' | null {
    if (this.#running?.announcement.id === announcementId) return 'running';
    return this.#waiting.some(({ announcement }) => announcement.id === announcementId) ? 'queued' : null;
  }

  ofUser(userId: number): number {
    const all = this.#running ? [this.#running, ...this.#waiting] : this.#waiting;
    return all.filter((run) => run.userId === userId).length;
  }

  figures() {
    return {
      running: this.#running?.announcement.code ?? null,
      waiting: this.#waiting.length,
    };
  }

  /** Starts or queues a run; check `isFull` first. */
  add(run: Run): 'running' | 'queued' {
    const isFree = this.#running === null;
    this.#waiting.push(run);
    if (!isFree) return 'queued';
    this.#turn = this.#workThrough();
    return 'running';
  }

  /** Aborts the current run and drops the others. Resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.#waiting.length = 0;
    this.#stopped.abort();
    await this.#turn;
  }

  async #workThrough(): Promise<void> {
    for (let run = this.#next(); run; run = this.#next()) await this.work(run, this.#stopped.signal);
  }

  #next(): Run | null {
    this.#running = this.#waiting.shift() ?? null;
    return this.#running;
  }
}

/** How long a failed run cannot be repeated, ms. */
const WAIT_MS = 30_000;
/** Like `WAIT_MS`, for a failure of the document or the answer, which would happen again and costs tokens. */
const LASTING_WAIT_MS = 10 * 60_000;

const MAX_REMEMBERED = 500;

type Failure = { message: string; until: number };

/** Stores recent failures, so that repeated clicks do not call the model. */
class Failures {
  readonly #byId = new Map<string, Failure>();

  constructor(private readonly clock: Stopwatch) {}

  add(announcementId: string, { message, isLasting }: { message: string; isLasting: boolean }): void {
    const until = this.clock.monotonic() + (isLasting ? LASTING_WAIT_MS : WAIT_MS);
    this.#byId.delete(announcementId);
    this.#byId.set(announcementId, { message, until });
    const [oldest] = this.#byId.keys();
    if (this.#byId.size > MAX_REMEMBERED && oldest !== undefined) this.#byId.delete(oldest);
  }

  /** Why a run failed recently, and how many seconds to wait; null if it may run. */
  recent(announcementId: string): { message: string; seconds: number } | null {
    const failure = this.#byId.get(announcementId);
    const leftMs = failure ? failure.until - this.clock.monotonic() : 0;
    return failure && leftMs > 0 ? { message: failure.message, seconds: Math.ceil(leftMs / 1000) } : null;
  }

  /** @returns whether there was a failure, however long ago */
  remove(announcementId: string): boolean {
    return this.#byId.delete(announcementId);
  }
}

const MAX_A_MINUTE = 30;

const NO_MODEL = 'Summaries are off on this server';
const RUNNING = 'The summary takes about 30 seconds and appears automatically.';
const QUEUED = 'Other summaries come first. Each takes about 30 seconds. This one appears automatically.';
const READY = 'The summary is ready.';
const FAULT = 'The summary failed because of a server error. Try again later.';
const FULL_SECONDS = 30;
/** Limit per user, so that others are served too. */
const MAX_OWN = 2;
const OWN_UNDER_WAY = 'Two of your summaries are already being written. Try again in half a minute.';
const OTHERS_WAIT = 'Two summaries are already waiting. Try again in half a minute.';

type Summarised = Wire<typeof summariseAnswer>;

const underWay = (state: 'queued' | 'running'): Summarised => ({
  success: true,
  state,
  summary: null,
  message: state === 'running' ? RUNNING : QUEUED,
});

/** Summaries of announcements by a model, one run per document. */
export class Summaries {
  readonly #countRequest: UserLimit;
  readonly #failures: Failures;
  readonly #runs = new Runs((run, signal) => this.#work(run, signal));

  readonly #log: Log;
  readonly #store: SummaryStore;
  readonly #readDocument: DocumentReader;

  constructor(private readonly app: App) {
    this.#countRequest = createUserLimit(app.clock, MAX_A_MINUTE, 'Too many requests for summaries.');
    this.#failures = new Failures(app.clock);
    this.#log = app.log.child('summaries');
    this.#store = summaryStore(app.db, app.announcements.source ?? 'none');
    this.#readDocument = createDocumentReader(app.http);
  }

  /**
   * Requests a summary of a stock's most important announcement. The stream delivers it, or the reason of a failure.
   * @param typed untrimmed and in any case
   * @throws AppError 400 without a model, for an unlisted symbol or one without announcements; 429 with the time to
   * wait
   */
  summarise(user: ModelUser, typed: string): Summarised {
    const { model, market, announcements } = this.app;
    if (!model) throw new AppError(400, NO_MODEL);
    this.#countRequest(user.id);
    const code = accepted(checkLiveSymbol(typed, market.all()));
    const announcement = announcements.latest(code);
    if (!announcement) {
      const message = `${code} has no announcement from today or the previous trading day to summarise.`;
      throw new AppError(400, { field: 'symbol', message });
    }
    const kept = this.#showKept(announcement);
    if (kept) return kept;
    const state = this.#runs.stateOf(announcement.id);
    return state ? underWay(state) : this.#begin(user, announcement);
  }

  stop(): Promise<void> {
    return this.#runs.stop();
  }

  figures() {
    return this.#runs.figures();
  }

  #showKept({ id, code }: KeptAnnouncement): Summarised | null {
    const kept = this.#store.find(id);
    if (!kept) return null;
    // The record may show the note of a later failure, so replace it.
    const { text, note, createdAt } = kept;
    this.app.announcements.setSummary({
      announcementId: id,
      code,
      text,
      note,
      at: createdAt,
    });
    return { success: true, state: 'ready', summary: text, message: READY };
  }

  #begin(user: ModelUser, announcement: KeptAnnouncement): Summarised {
    this.#refuseTooSoon(announcement.id);
    this.app.modelUse.admit(user, 'summary', this.#runs.ofUser(user.id));
    if (this.#runs.ofUser(user.id) >= MAX_OWN) throw refusedFor(FULL_SECONDS, 429, OWN_UNDER_WAY);
    if (this.#runs.isFull) throw refusedFor(FULL_SECONDS, 429, OTHERS_WAIT);
    if (this.#failures.remove(announcement.id)) this.#showNone(announcement, null);
    return underWay(this.#runs.add({ announcement, userId: user.id }));
  }

  /** @throws AppError 429 after a recent failure */
  #refuseTooSoon(announcementId: string): void {
    const failure = this.#failures.recent(announcementId);
    if (!failure) return;
    const { message, seconds } = failure;
    throw refusedFor(seconds, 429, `${message} Try again in ${waitText(seconds)}.`);
  }

  async #work(run: Run, signal: AbortSignal): Promise<void> {
    const { model, modelUse } = this.app;
    if (!model) return;
    try {
      const { outcome, usage } = await writeSummary(
        this.app,
        { model, readDocument: this.#readDocument },
        run.announcement,
        signal,
      );
      if (outcome.ok) return this.#succeed(run, outcome.value, usage, model.name);
      modelUse.count(run.userId, 'summary', usage, 'failed');
      // A run that was aborted by a stop did not fail, and can be requested after the start.
      if (!signal.aborted) this.#fail(run, outcome.error);
    } catch (error) {
      this.#log.error('Could not save a summary', {
        code: run.announcement.code,
        error,
      });
      if (!signal.aborted) this.#fail(run, { message: FAULT, isLasting: false });
    }
  }

  #succeed({ announcement, userId }: Run, written: Written, usage: ModelUsage, by: string): void {
    const { announcements, modelUse } = this.app;
    const { id, code, date } = announcement;
    const createdAt = announcements.now();
    // If the announcement was withdrawn, its summary must not be shown.
    const isThere = announcements.document(id) !== null;
    if (isThere)
      this.#store.keep({
        announcementId: id,
        code,
        date,
        ...written,
        model: by,
        createdAt,
      });
    modelUse.count(userId, 'summary', usage, isThere ? 'answered' : 'failed');
    if (!isThere) return;
    this.#failures.remove(id);
    announcements.setSummary({
      announcementId: id,
      code,
      ...written,
      at: createdAt,
    });
  }

  #fail({ announcement }: Run, failure: { message: string; isLasting: boolean }): void {
    this.#failures.add(announcement.id, failure);
    this.#log.warn('A summary failed', {
      code: announcement.code,
      reason: failure.message,
    });
    this.#showNone(announcement, failure.message);
  }

  /** Shows why there is no summary; null if none was requested. */
  #showNone({ id, code }: KeptAnnouncement, note: string | null): void {
    const { announcements } = this.app;
    announcements.setSummary({
      announcementId: id,
      code,
      text: null,
      note,
      at: announcements.now(),
    });
  }
}

const routesOf = (summaries: Summaries) =>
  serve(NEWS, {
    'POST /api/data/news/summarise': ({ user, body }) => summaries.summarise(user, body.symbol),
  });

export function createSummaries(app: App) {
  const service = new Summaries(app);
  return {
    name: 'summaries',
    service,
    routes: () => routesOf(service),
    stop: () => service.stop(),
    inspect: () => ({
      label: 'Summaries',
      description: 'Summaries of announcements, written by the model.',
      summary: service.figures(),
      data: () => service.figures(),
    }),
  } satisfies Part;
}
