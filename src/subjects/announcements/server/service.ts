import type { Wire } from '#lib/contract/fields.ts';
import type { updateAnswer } from '../answers/news.ts';
import { refusedFor, accepted, AppError } from '#platform/http/errors.ts';
import type { App } from '#platform/app.ts';
import type { Scheduler } from '#lib/scheduler.ts';
import type { AnnouncementSource, MissingField } from '#market/sources/announcements.ts';
import { announcementToSummarise, type KeptAnnouncement, stockNewsOf } from '../rules/stockNews.ts';
import { wantedWords } from '../rules/searchWords.ts';
import { checkLiveSymbol, normaliseSymbol } from '#market/rules/liveSymbols.ts';
import { newsFor, previousNews } from '#market/rules/announcements.ts';
import type { NewsDay } from '#market/rules/stock.ts';
import type { ProviderInfo } from '#market/rules/stream.ts';
import { addDays, fromSydney } from '#lib/sydneyTime.ts';
import { finish, type Steps } from '#platform/http/readQueue.ts';
import { Intake, type NewsListener } from './intake.ts';
import { Placement, Recent } from './placement.ts';
import { announcementSearch, type AnnouncementSearch, type Found } from './search.ts';
import { AnnouncementStore } from './store.ts';

/** Specification, section 2.5. */
const ON_THE_WAY = 'Updates appear within a few seconds.';

/** Requests for the same symbol within this time (ms) share one answer. */
const HELD_MS = 30_000;
/** If the source takes longer (ms), the request succeeds and the stream delivers the result. */
const PATIENCE_MS = 5000;
const FAILED = 'The announcement source could not be reached. Try again later.';

type RefreshAnswer = Wire<typeof updateAnswer>;

type Asked = { at: number; problem: Promise<string | null> };

/** Waits for the problem of a request; null if the source takes too long. */
function withPatience(problem: Promise<string | null>, schedule: Scheduler): Promise<string | null> {
  const patience = Promise.withResolvers<null>();
  const cancel = schedule(PATIENCE_MS, () => patience.resolve(null));
  return Promise.race([problem, patience.promise]).finally(cancel);
}

/**
 * Requests the announcements of one symbol from the source, at most once in 30 s for all users.
 * @returns a function that takes a listed code and throws AppError 503 with the sentence of the source
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
      log.child('announcements').error('Could not request announcements of a stock', {
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

export type { Found } from './search.ts';

/** A query; all given members must match. */
type SearchQuery = {
  q?: string;
  code?: string;
  date?: string;
  limit?: number;
};

type SummaryResult = {
  announcementId: string;
  code: string;
  text: string | null;
  note: string | null;
  /** When the summary was written, epoch ms by the clock of the announcements. */
  at: number;
};

type NewsOf = { today: NewsDay | null; previous: NewsDay | null };

const MAX_FOUND = 50;
const MIN_Q = 2;
const MAX_Q = 80;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

const wrong = (field: string, message: string): AppError => new AppError(400, { field, message });

function wordsOf(q: string | undefined): string[] | null {
  const text = q?.trim() ?? '';
  if (text === '') return null;
  if (text.length < MIN_Q || text.length > MAX_Q) {
    throw wrong('q', `Search with ${MIN_Q} to ${MAX_Q} characters.`);
  }
  return wantedWords(text);
}

/** First and last moment of a Sydney date, epoch ms. */
function spanOf(date: string | undefined): { from: number; until: number } | null {
  if (date === undefined || date === '') return null;
  if (!DATE.test(date) || Number.isNaN(Date.parse(date))) {
    throw wrong('date', 'Write the date as YYYY-MM-DD.');
  }
  return {
    from: fromSydney(date, 0, 0),
    until: fromSydney(addDays(date, 1), 0, 0) - 1,
  };
}

function limitOf(limit: number | undefined): number {
  if (limit === undefined) return MAX_FOUND;
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_FOUND) return limit;
  throw wrong('limit', `The limit must be a whole number from 1 to ${MAX_FOUND}.`);
}

/** How far a provider's clock may be ahead of the server's, ms. */
const MAX_SKEW_MS = 10 * 60_000;

export class Announcements {
  /** Name under which announcements and summaries are stored; null if announcements are off. */
  readonly source: string | null;
  readonly sink: Intake;
  readonly placement: Placement;
  readonly #store: AnnouncementStore;
  readonly #recent: Recent;
  readonly #search: AnnouncementSearch;
  readonly #refresh: ReturnType<typeof createRefresh> | null;
  #listener: NewsListener | null = null;

  constructor(
    private readonly app: App,
    private readonly provider: AnnouncementSource | null,
  ) {
    const { db, log, market, schedule } = app;
    this.source = provider?.name ?? null;
    this.#store = new AnnouncementStore(db, this.source ?? '');
    this.#recent = new Recent(this.#store);
    this.#search = announcementSearch(db, this.source ?? '');
    this.#refresh = provider && createRefresh(app, provider);
    this.sink = new Intake({
      store: this.#store,
      recent: this.#recent,
      touch: (code, isUrgent) => this.placement.touch(code, isUrgent),
      listener: {
        shown: (announcement) => this.#listener?.shown(announcement),
        withdrawn: (id) => this.#listener?.withdrawn(id),
      },
      now: () => this.now(),
      log: log.child('announcements'),
      later: setImmediate,
      schedule,
    });
    this.placement = new Placement(
      market,
      this.#recent,
      () => this.#until(),
      () => this.sink.settle(),
    );
  }

  /** The time by the clock of the announcements, epoch ms. */
  now(): number {
    return (this.provider?.clock ?? this.app.clock).now();
  }

  /** The time (epoch ms) up to which announcements are shown. */
  #until(): number {
    // A simulated market has exact times, and a restart must not show its future.
    return this.provider?.clock ? this.now() : this.now() + MAX_SKEW_MS;
  }

  /** Replaces the listener. */
  listen(listener: NewsListener): void {
    this.#listener = listener;
  }

  isShown({ time }: Pick<KeptAnnouncement, 'time'>): boolean {
    return time <= this.#until();
  }

  /** Announcements of the shown session and of the previous trading day. */
  recent(): Iterable<KeptAnnouncement> {
    return this.#recent.all();
  }

  /** News of a stock in the shown session, and of the newest day since the previous trading day. */
  newsOf(code: string): NewsOf {
    const days = this.placement.days();
    const { news } = stockNewsOf(this.placement.shownOf(code), days, this.#recent.summaries);
    const previous = previousNews({ news }, days.today)?.day ?? null;
    return { today: newsFor({ news }, days.today).today, previous };
  }

  /** Finds announcements, newest first, at most 50. @throws AppError 400 for an invalid text, date or limit */
  search(query: SearchQuery): Found[] {
    return finish(this.searchInSteps(query));
  }

  searchInSteps({ q, code, date, limit }: SearchQuery): Steps<Found[]> {
    const wanted = normaliseSymbol(code ?? '');
    const sought = {
      words: wordsOf(q),
      code: wanted === '' ? null : wanted,
      span: spanOf(date),
      until: this.#until(),
      limit: limitOf(limit),
    };
    this.sink.settle();
    return this.#search(sought);
  }

  /** An announcement by its id; null if unknown or in the future. */
  document(id: string): KeptAnnouncement | null {
    this.sink.settle();
    const kept = this.#store.find(id);
    return kept && this.isShown(kept) ? kept : null;
  }

  latest(code: string): KeptAnnouncement | null {
    return announcementToSummarise(this.placement.shownOf(code), this.placement.days());
  }

  /** Puts a summary, or the reason why there is none, into the stock's record. The caller stores it. */
  setSummary({ announcementId, code, text, note, at }: SummaryResult): void {
    this.#recent.summaries.set(announcementId, { text, note, at });
    this.placement.touch(code, true);
  }

  /** State of the source for the stream; null if announcements are off. */
  info(): ProviderInfo | null {
    const { provider } = this;
    if (provider === null) return null;
    const { healthy, problem, lastSuccess } = provider.health();
    return {
      label: provider.label(),
      healthy,
      problem,
      lastUpdate: lastSuccess,
    };
  }

  /** Members that most rows of the source lack, and since when. */
  missing(): readonly MissingField[] {
    return this.provider?.missing?.() ?? [];
  }

  /**
   * Requests a symbol's announcements from the source, at most once in 30 s for all users.
   * @param typed untrimmed and in any case
   * @throws AppError 400 for an unlisted symbol or if announcements are off, 503 if the source fails
   */
  async update(typed: string): Promise<RefreshAnswer> {
    const code = accepted(checkLiveSymbol(typed, this.app.market.all()));
    if (this.#refresh === null) {
      throw new AppError(400, 'Announcements are switched off on this server (BELLBIRD_NEWS is off).');
    }
    return this.#refresh(code);
  }

  inspect() {
    const health = this.provider?.health() ?? null;
    return {
      label: 'Announcements',
      description: 'Health of the announcement source, and the two days that are shown.',
      summary: {
        source: this.provider?.label() ?? 'Off',
        recent: this.#recent.size,
        waiting: this.placement.waiting,
        refused: this.sink.refused,
        healthy: health?.healthy ?? true,
      },
      data: () => ({
        health,
        days: this.placement.days(),
        details: this.provider?.details?.(),
      }),
    };
  }
}
