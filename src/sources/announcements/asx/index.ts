import { createEpochTimes, type Stopwatch, type SystemClock } from '#lib/clock.ts';
import { failureText, type HttpClient, statusText } from '#lib/httpClient/client.ts';
import {
  clampRetryAfter,
  type PollFailure,
  PollLoop,
  type PollResult,
  type PollState,
} from '#lib/httpClient/pollLoop.ts';
import type { Log } from '#lib/log.ts';
import { createRateLimit, type RateLimit, waitText } from '#lib/rateLimit.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import { fromSydney, sydneyDate } from '#lib/sydneyTime.ts';
import { isTradingDay, nextTradingDay, previousTradingDay } from '#market/rules/tradingDay.ts';
import { type AnswerForm, createAnswerForm, type FormEdges } from '#sources/answerForm.ts';
import {
  type MissingField,
  type AnnouncementSink,
  type AnnouncementSource,
  type ProviderHealth,
  type Release,
} from '#market/sources/announcements.ts';
import { durationText, failureSentences } from '#sources/pollHealth.ts';
import { formatNumber } from '#texts/format.ts';
import {
  CODE,
  companyList,
  givenItems,
  ITEM_FIELDS,
  keyVariants,
  type ListAnswer,
  type Listed,
  marketPage,
  readAnswer,
} from './item.ts';

type ListPass = {
  ids: ReadonlySet<string>;
  /** Everything released since then was seen, epoch ms. */
  from: number;
  newest: number;
};

/** A list too short to be accepted. */
type ShortList = { listed: number; expected: number };

type Entry = {
  time: number;
  content: string;
  /** Whether all older announcements were listed too at that time. */
  settled: boolean;
  missed: number;
  missedSince: number;
};

/** Consecutive polls in which a withdrawn announcement must be missing. */
const MISSED_PASSES = 2;
/** The newest announcements must be missing for longer, because the list may be an old copy. */
const NEWEST_MISSED_MS = 5 * 60_000;
/** If more than this number or share are missing, the list is faulty. */
const A_FEW = 3;
const MAX_MISSING_SHARE = 0.1;

const contentOf = ({
  code,
  time,
  headline,
  document,
  announcementTypes,
  isPriceSensitive,
}: Release): string => JSON.stringify([code, time, headline, document, announcementTypes, isPriceSensitive]);

function isWithdrawn(entry: Entry, pass: ListPass, now: number): boolean {
  entry.missed += 1;
  if (entry.missed === 1) entry.missedSince = now;
  if (entry.missed < MISSED_PASSES) return false;
  return entry.time <= pass.newest || now - entry.missedSince >= NEWEST_MISSED_MS;
}

/**
 * Remembers the market list, to find new, corrected and withdrawn announcements, and to end the paging early.
 * Only listed announcements count, because others prove nothing about older ones.
 */
class ListMemory {
  private readonly entries = new Map<string, Entry>();

  /** @param options.knows whether an announcement is stored, also from before the start */
  constructor(private readonly options: { stopwatch: Stopwatch; knows: (id: string) => boolean }) {}

  /** Adds the next page. @returns new or changed announcements, ids, and whether older pages are known */
  take(items: readonly Listed[]): { releases: Release[]; ids: string[]; meetsKnown: boolean } {
    const releases: Release[] = [];
    const ids: string[] = [];
    let meetsKnown = false;
    for (const item of items) {
      const { plainKey: _, ...rest } = item;
      const release = { ...rest, id: this.idOf(item) };
      const { id, time } = release;
      const content = contentOf(release);
      const entry = this.entries.get(id);
      ids.push(id);
      // An announcement whose date changed may be listed above unknown ones.
      if (entry?.settled && entry.time === time) meetsKnown = true;
      if (entry?.content === content) entry.missed = 0;
      else {
        releases.push(release);
        this.entries.set(id, { time, content, settled: false, missed: 0, missedSince: 0 });
      }
    }
    return { releases, ids, meetsKnown };
  }

  settle(): void {
    for (const entry of this.entries.values()) entry.settled = true;
  }

  /**
   * Compares the list with an earlier one.
   * @returns ids missing for the second time; whether any is missing for the first time; and a list that is
   * too short, which is ignored
   */
  compare(pass: ListPass): { withdrawn: string[]; isAnyMissing: boolean; short: ShortList | null } {
    const expected = [...this.entries].filter(([, { time }]) => time > pass.from);
    const gone = expected.filter(([id]) => !pass.ids.has(id));
    if (gone.length > Math.max(A_FEW, expected.length * MAX_MISSING_SHARE)) {
      const listed = expected.length - gone.length;
      return { withdrawn: [], isAnyMissing: true, short: { listed, expected: expected.length } };
    }
    const now = this.options.stopwatch.monotonic();
    const isAnyMissing = gone.some(([, { missed }]) => missed === 0);
    const withdrawn = gone.filter(([, entry]) => isWithdrawn(entry, pass, now)).map(([id]) => id);
    this.drop(withdrawn);
    return { withdrawn, isAnyMissing, short: null };
  }

  has(id: string): boolean {
    return this.entries.has(id);
  }

  restore(kept: readonly Pick<Release, 'id' | 'time'>[]): void {
    for (const { id, time } of kept) {
      if (this.entries.has(id)) continue;
      this.entries.set(id, { time, content: '', settled: false, missed: 0, missedSince: 0 });
    }
  }

  drop(ids: readonly string[]): void {
    for (const id of ids) this.entries.delete(id);
  }

  forget(before: number): void {
    for (const [id, { time }] of this.entries) if (time < before) this.entries.delete(id);
  }

  size(): number {
    return this.entries.size;
  }

  /** The stored id, because the key may have changed together with its mark. */
  private idOf({ id, plainKey }: Listed): string {
    if (this.entries.has(id)) return id;
    const others = keyVariants(plainKey).filter((key) => key !== id);
    return others.find((key) => this.entries.has(key)) ?? [id, ...others].find(this.options.knows) ?? id;
  }
}

type FetchedPage = Extract<ListAnswer, { kind: 'list' }> | PollFailure;

type WalkOptions = {
  depth: 'known' | 'whole';
  from: number;
  keepFrom: number;
  fetchPage(page: number): Promise<FetchedPage>;
  memory: ListMemory;
  /** Applies each page immediately, so that a later failure loses nothing. */
  apply(releases: readonly Release[]): void;
};

type WalkResult = { kind: 'walked'; pass: ListPass; pages: number } | PollFailure;

/** Twenty pages of a hundred hold the two busiest days. Far more pages mean a wrong list. */
const MAX_PAGES = 120;
const MAX_SEEN = 10_000;
/** Failed polls count too, so that a list that always differs can't fill the memory. */
const MAX_KNOWN = 2 * MAX_SEEN;
/** New announcements move others to the next page, but never a whole page. */
const MAX_REPEATED_PAGES = 2;

const NOTHING = { from: Number.POSITIVE_INFINITY, newest: Number.NEGATIVE_INFINITY };

const TOO_MANY = `lists more than ${MAX_SEEN} announcements for two days`;

const failure = (reason: string): PollFailure => ({ kind: 'failed', reason, retryAfterMs: null });

function walkedToEnd(end: {
  pass: ListPass;
  page: number;
  given: number;
  total: number | null;
  isKnownEmpty: boolean;
}): WalkResult {
  const { pass, page, given, total, isKnownEmpty } = end;
  if (page === 0 && !(total === 0 && isKnownEmpty)) return failure('sent an empty list of announcements');
  if (total !== null && given < total) return failure('sent an incomplete list');
  return { kind: 'walked', pass, pages: page + 1 };
}

/** Announcements that could not be stored are read again by the next poll. */
function applySafely({ memory, apply }: WalkOptions, releases: readonly Release[]): void {
  try {
    apply(releases);
  } catch (error) {
    memory.drop(releases.map(({ id }) => id));
    throw error;
  }
}

/**
 * Reads the list page by page, newest first. New announcements move others to the next page; these repeat and
 * are ignored.
 * @returns the announcements seen; a failure if the list ended early or repeats itself
 */
async function walkList(options: WalkOptions): Promise<WalkResult> {
  const { depth, from, keepFrom, fetchPage, memory } = options;
  const pass: ListPass & { ids: Set<string> } = { ids: new Set(), ...NOTHING };
  let given = 0;
  let repeatedPages = 0;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const fetched = await fetchPage(page);
    if (fetched.kind === 'failed') return fetched;
    if (memory.size() >= MAX_KNOWN) return failure(TOO_MANY);
    given += fetched.given;
    const { items, total } = fetched;
    const last = items.at(-1);
    if (last === undefined)
      return walkedToEnd({ pass, page, given, total, isKnownEmpty: memory.size() === 0 });
    const { releases, ids, meetsKnown } = memory.take(items.filter(({ time }) => time >= keepFrom));
    const before = pass.ids.size;
    for (const id of ids) pass.ids.add(id);
    pass.newest = items.reduce((latest, { time }) => Math.max(latest, time), pass.newest);
    pass.from = Math.min(pass.from, last.time);
    if (releases.length > 0) applySafely(options, releases);
    if (last.time < from) pass.from = from - 1;
    if (last.time < from || (depth === 'known' && meetsKnown))
      return { kind: 'walked', pass, pages: page + 1 };
    const isRepeated = pass.ids.size === before;
    // A server with only one page returns it for every page number.
    if (isRepeated && total !== null && pass.ids.size >= total)
      return { kind: 'walked', pass, pages: page + 1 };
    repeatedPages = isRepeated ? repeatedPages + 1 : 0;
    if (repeatedPages >= MAX_REPEATED_PAGES) return failure('sent the same page again and again');
    if (pass.ids.size > MAX_SEEN) return failure(TOO_MANY);
  }
  return failure(`sent a list of more than ${MAX_PAGES} pages`);
}

const ACTIVE_MS = 20_000;
const QUIET_MS = 5 * 60_000;

/** 07:30 to 20:30 in Sydney: almost nothing is released outside. */
const beginOf = (date: string): number => fromSydney(date, 7, 30);
const endOf = (date: string): number => fromSydney(date, 20, 30);

/**
 * The wait until the next poll.
 * @param now epoch ms
 * @returns ms: 20 s in the release hours of trading days; otherwise up to 5 minutes, until they start
 */
export function waitAt(now: number): number {
  const today = sydneyDate(now);
  const trades = isTradingDay(today);
  if (trades && now >= beginOf(today) && now < endOf(today)) return ACTIVE_MS;
  const next = trades && now < beginOf(today) ? today : nextTradingDay(today);
  return Math.min(QUIET_MS, Math.max(ACTIVE_MS, beginOf(next) - now));
}

/** Lists are read back to the previous trading day; epoch ms. */
export const firstTimeOf = (now: number): number => fromSydney(previousTradingDay(sydneyDate(now)), 0, 0);

const todayFrom = (now: number): number => fromSydney(sydneyDate(now), 0, 0);

type PassOptions = {
  url: string;
  wall: SystemClock;
  http: HttpClient;
  log: Log;
  memory: ListMemory;
  form: AnswerForm;
};

type PassOutcome =
  | { kind: 'looked'; pages: number; newest: number; short: ShortList | null; withdrawn: number }
  | PollFailure;

/** The whole day is read again this often, for corrections and withdrawals further down. */
const WHOLE_DAY_MS = 15 * 60_000;
const MISSING_MS = 60_000;

function createPages({ url, wall, http, log, form }: PassOptions) {
  let lastRefusal: string | null = null;
  return async (page: number, signal: AbortSignal): Promise<FetchedPage> => {
    const now = wall.now();
    const outcome = await http.json({ ...marketPage(url, page, sydneyDate(now)), signal });
    if (signal.aborted) return { kind: 'failed', reason: 'was stopped', retryAfterMs: null };
    if (outcome.kind === 'notJson') {
      form.note([], false);
      const reason = 'sent data that is not a list of announcements';
      return { kind: 'failed', reason, retryAfterMs: null };
    }
    if (outcome.kind !== 'ok') {
      const retryAfterMs = outcome.kind === 'httpError' ? outcome.retryAfterMs : null;
      return { kind: 'failed', reason: failureText(outcome), retryAfterMs };
    }
    const answer = readAnswer(outcome.body, { base: url, code: null, now });
    form.note(givenItems(outcome.body), answer.kind !== 'unusable');
    if (answer.kind === 'unusable') return { kind: 'failed', reason: answer.reason, retryAfterMs: null };
    if (answer.firstRefusal !== null && answer.firstRefusal !== lastRefusal) {
      log.warn('Skipped announcements of ASX', { count: answer.refused, first: answer.firstRefusal });
    }
    lastRefusal = answer.firstRefusal ?? lastRefusal;
    return answer;
  };
}

/**
 * Polls the list. The first poll reads back to the previous trading day, because an earlier run may have
 * ended between two pages. Later ones end at known announcements, or read the whole day if it is due or one
 * was missing.
 * @returns `run`: never rejects; a failed poll withdraws nothing
 */
function createPasses(options: PassOptions) {
  const { wall, memory } = options;
  const fetchPage = createPages(options);
  let wholeDayAt = Number.NEGATIVE_INFINITY;
  let isAnyMissing = false;

  return {
    async run(sink: AnnouncementSink, signal: AbortSignal): Promise<PassOutcome> {
      const now = wall.now();
      const keepFrom = firstTimeOf(now);
      const started = wall.monotonic();
      const whole = started - wholeDayAt >= (isAnyMissing ? MISSING_MS : WHOLE_DAY_MS);
      const isRoutine = whole && Number.isFinite(wholeDayAt) && !isAnyMissing;
      if (!Number.isFinite(wholeDayAt)) memory.restore(sink.keptSince(keepFrom));
      memory.forget(keepFrom);
      const walked = await walkList({
        depth: whole ? 'whole' : 'known',
        from: isRoutine ? todayFrom(now) : keepFrom,
        keepFrom,
        memory,
        fetchPage: (page) => fetchPage(page, signal),
        apply: (releases) => void sink.apply(releases),
      });
      if (walked.kind === 'failed') return walked;
      memory.settle();
      if (whole) {
        wholeDayAt = started;
        isAnyMissing = false;
      }
      const { withdrawn, short, ...compared } = memory.compare(walked.pass);
      isAnyMissing ||= compared.isAnyMissing && short === null;
      if (withdrawn.length > 0) sink.withdraw(withdrawn);
      const { newest } = walked.pass;
      return { kind: 'looked', pages: walked.pages, newest, short, withdrawn: withdrawn.length };
    },
  };
}

type CompanyOptions = {
  url: string;
  wall: SystemClock;
  http: HttpClient;
  /** Why no request may be sent now, as a sentence; null if one may. */
  paused: () => string | null;
  /** Whether the market list has the announcement. That list has better data. */
  isListed: (id: string) => boolean;
};

const LIMIT = 20;
const WINDOW_MS = 60_000;
const STOPPED = 'The server no longer reads announcements.';

const refusedText = (status: number): string =>
  status === 404 ? 'has no company with this code (HTTP 404)' : statusText(status);

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
    if (outcome.kind === 'notJson') return 'ASX sent data that is not a list of announcements.';
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
    if (!CODE.test(code)) return 'That is not an ASX code.';
    const pause = this.options.paused();
    if (pause !== null) return pause;
    const waitMs = this.notBefore - this.options.wall.monotonic();
    const seconds = waitMs > 0 ? Math.ceil(waitMs / 1000) : this.limit.take('all');
    return seconds > 0 ? `Too many requests to ASX. Try again in ${waitText(seconds)}.` : null;
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
      ? 'Earlier announcements are still shown.'
      : `The last good answer is ${durationText(now - lastSuccess)} old. Announcements up to then are shown.`;
  return failureSentences('ASX', failure, shown, state, now);
}

const count = (value: number): string => formatNumber(value, 0);

const shortProblem = ({ short }: FeedState): string | null =>
  short &&
  `ASX lists only ${count(short.listed)} of ${count(short.expected)} announcements that it listed before. The others are still shown.`;

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

type AsxOptions = FormEdges & {
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
  private readonly passes: ReturnType<typeof createPasses>;
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
    this.passes = createPasses({ url, wall, http, log, memory: this.memory, form: this.form });
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
    if (this.sink === null) return 'The server does not read announcements yet.';
    return this.companies.refresh(code.toUpperCase(), this.sink);
  }

  details() {
    const { polls } = this.loop.state();
    return { ...this.feedState(), polls, listed: this.memory.size(), ...this.counts };
  }

  private async pollOnce(stop: AbortSignal): Promise<PollResult> {
    if (this.sink === null) return { kind: 'done', nextMs: ACTIVE_MS };
    const outcome = await this.passes.run(this.sink, stop);
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
