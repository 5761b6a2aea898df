import type { Stopwatch, SystemClock } from '#lib/clock.ts';
import { failureText, type HttpClient } from '#lib/httpClient/client.ts';
import type { PollFailure } from '#lib/httpClient/pollLoop.ts';
import type { Log } from '#lib/log.ts';
import { fromSydney, sydneyDate } from '#market/rules/sydneyTime.ts';
import { isTradingDay, nextTradingDay, previousTradingDay } from '#market/rules/tradingDay.ts';
import type { AnswerForm } from '#sources/answerForm.ts';
import type { AnnouncementSink, Release } from '../source.ts';
import { givenItems, keyVariants, type ListAnswer, type Listed, marketPage, readAnswer } from './item.ts';

type Look = {
  ids: ReadonlySet<string>;
  /** Everything released since then was seen, epoch ms. */
  from: number;
  newest: number;
};

/** A list that is too short to be believed. */
export type ShortList = { listed: number; expected: number };

type Entry = {
  time: number;
  content: string;
  /** Whether all older announcements were listed too at that time. */
  settled: boolean;
  missed: number;
  missedSince: number;
};

/** Consecutive polls in which a withdrawn announcement must be missing. */
const MISSED_LOOKS = 2;
/** The newest announcements must be missing for longer, because the list may be an old copy. */
const NEWEST_MISSED_MS = 5 * 60_000;
/** More missing announcements than this number or share are a fault of the list. */
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

function isWithdrawn(entry: Entry, look: Look, now: number): boolean {
  entry.missed += 1;
  if (entry.missed === 1) entry.missedSince = now;
  if (entry.missed < MISSED_LOOKS) return false;
  return entry.time <= look.newest || now - entry.missedSince >= NEWEST_MISSED_MS;
}

/**
 * Remembers the market list, to find new, corrected and withdrawn announcements, and to end the paging early.
 * Only listed announcements count, because one from elsewhere proves nothing about older ones.
 */
export class ListMemory {
  private readonly entries = new Map<string, Entry>();

  /** @param options.knows whether an announcement is stored, also from before the start */
  constructor(private readonly options: { stopwatch: Stopwatch; knows: (id: string) => boolean }) {}

  /** Takes a page in order. @returns new or changed announcements, ids, and whether older pages are known */
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
      // After a change of its date it may be above unknown announcements.
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
  compare(look: Look): { withdrawn: string[]; isAnyMissing: boolean; short: ShortList | null } {
    const expected = [...this.entries].filter(([, { time }]) => time > look.from);
    const gone = expected.filter(([id]) => !look.ids.has(id));
    if (gone.length > Math.max(A_FEW, expected.length * MAX_MISSING_SHARE)) {
      const listed = expected.length - gone.length;
      return { withdrawn: [], isAnyMissing: true, short: { listed, expected: expected.length } };
    }
    const now = this.options.stopwatch.monotonic();
    const isAnyMissing = gone.some(([, { missed }]) => missed === 0);
    const withdrawn = gone.filter(([, entry]) => isWithdrawn(entry, look, now)).map(([id]) => id);
    this.drop(withdrawn);
    return { withdrawn, isAnyMissing, short: null };
  }

  has(id: string): boolean {
    return this.entries.has(id);
  }

  /** Restores an earlier run, to find announcements withdrawn since. */
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
  /** The paging ends at earlier releases, epoch ms. */
  from: number;
  /** Older releases are ignored, epoch ms; at most `from`. */
  keepFrom: number;
  /** Pages count from 0; never rejects. */
  fetchPage(page: number): Promise<FetchedPage>;
  memory: ListMemory;
  /** Applies each page immediately, so that a later failure loses nothing. */
  apply(releases: readonly Release[]): void;
};

type WalkResult = { kind: 'walked'; look: Look; pages: number } | PollFailure;

/** Twenty pages of a hundred hold the two busiest days; many more mean another list. */
const MAX_PAGES = 120;
const MAX_SEEN = 10_000;
/** Failed polls count too, so that a list that always differs can't fill the memory. */
const MAX_KNOWN = 2 * MAX_SEEN;
/** New announcements move others to the next page, but never a whole page. */
const MAX_REPEATED_PAGES = 2;

const NOTHING = { from: Number.POSITIVE_INFINITY, newest: Number.NEGATIVE_INFINITY };

const TOO_MANY = `lists more than ${MAX_SEEN} announcements of two days`;

const failure = (reason: string): PollFailure => ({ kind: 'failed', reason, retryAfterMs: null });

function walkedToEnd(end: {
  look: Look;
  page: number;
  given: number;
  total: number | null;
  isKnownEmpty: boolean;
}): WalkResult {
  const { look, page, given, total, isKnownEmpty } = end;
  if (page === 0 && !(total === 0 && isKnownEmpty)) return failure('sent an empty list of announcements');
  if (total !== null && given < total) return failure('ended its list early');
  return { kind: 'walked', look, pages: page + 1 };
}

/** Announcements that could not be stored come again with the next poll. */
function applySafely({ memory, apply }: WalkOptions, releases: readonly Release[]): void {
  try {
    apply(releases);
  } catch (error) {
    memory.drop(releases.map(({ id }) => id));
    throw error;
  }
}

/**
 * Reads the list page by page, newest first. New announcements move others to the next page meanwhile, where
 * they repeat and are ignored.
 * @returns what was seen; a failure if the list ended early or repeats itself
 */
async function walkList(options: WalkOptions): Promise<WalkResult> {
  const { depth, from, keepFrom, fetchPage, memory } = options;
  const look: Look & { ids: Set<string> } = { ids: new Set(), ...NOTHING };
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
      return walkedToEnd({ look, page, given, total, isKnownEmpty: memory.size() === 0 });
    const { releases, ids, meetsKnown } = memory.take(items.filter(({ time }) => time >= keepFrom));
    const before = look.ids.size;
    for (const id of ids) look.ids.add(id);
    look.newest = items.reduce((latest, { time }) => Math.max(latest, time), look.newest);
    look.from = Math.min(look.from, last.time);
    if (releases.length > 0) applySafely(options, releases);
    if (last.time < from) look.from = from - 1;
    if (last.time < from || (depth === 'known' && meetsKnown))
      return { kind: 'walked', look, pages: page + 1 };
    const isRepeated = look.ids.size === before;
    // A server with only one page returns it for every page number.
    if (isRepeated && total !== null && look.ids.size >= total)
      return { kind: 'walked', look, pages: page + 1 };
    repeatedPages = isRepeated ? repeatedPages + 1 : 0;
    if (repeatedPages >= MAX_REPEATED_PAGES) return failure('sent the same page again and again');
    if (look.ids.size > MAX_SEEN) return failure(TOO_MANY);
  }
  return failure(`sent a list of more than ${MAX_PAGES} pages`);
}

export const ACTIVE_MS = 20_000;
const QUIET_MS = 5 * 60_000;

/** 07:30 to 20:30 in Sydney: almost nothing is released outside. */
const beginOf = (date: string): number => fromSydney(date, 7, 30);
const endOf = (date: string): number => fromSydney(date, 20, 30);

/**
 * The wait until the next poll.
 * @param now epoch ms
 * @returns ms: 20 s in the release hours of trading days; otherwise up to 5 minutes, ending at their begin
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

type LookOptions = {
  url: string;
  wall: SystemClock;
  http: HttpClient;
  log: Log;
  memory: ListMemory;
  form: AnswerForm;
};

type LookOutcome =
  | { kind: 'looked'; pages: number; newest: number; short: ShortList | null; withdrawn: number }
  | PollFailure;

/** The whole day is read again this often, for corrections and withdrawals further down. */
const WHOLE_DAY_MS = 15 * 60_000;
const MISSING_MS = 60_000;

function createPages({ url, wall, http, log, form }: LookOptions) {
  let lastRefusal: string | null = null;
  return async (page: number, signal: AbortSignal): Promise<FetchedPage> => {
    const now = wall.now();
    const outcome = await http.json({ ...marketPage(url, page, sydneyDate(now)), signal });
    if (signal.aborted) return { kind: 'failed', reason: 'was stopped', retryAfterMs: null };
    if (outcome.kind === 'notJson') {
      form.note([], false);
      const reason = 'sent something else than a list of announcements';
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
      log.warn('Announcements of ASX were left out', { count: answer.refused, first: answer.firstRefusal });
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
export function createLooks(options: LookOptions) {
  const { wall, memory } = options;
  const fetchPage = createPages(options);
  let wholeDayAt = Number.NEGATIVE_INFINITY;
  let isAnyMissing = false;

  return {
    async run(sink: AnnouncementSink, signal: AbortSignal): Promise<LookOutcome> {
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
      const { withdrawn, short, ...compared } = memory.compare(walked.look);
      isAnyMissing ||= compared.isAnyMissing && short === null;
      if (withdrawn.length > 0) sink.withdraw(withdrawn);
      const { newest } = walked.look;
      return { kind: 'looked', pages: walked.pages, newest, short, withdrawn: withdrawn.length };
    },
  };
}
