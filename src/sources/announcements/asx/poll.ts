import type { Stopwatch, SystemClock } from '#lib/clock.ts';
import { failureText, type HttpClient } from '#lib/httpClient/client.ts';
import type { PollFailure } from '#lib/httpClient/pollLoop.ts';
import type { Log } from '#lib/log.ts';
import { fromSydney, sydneyDate } from '#market/rules/sydneyTime.ts';
import { isTradingDay, nextTradingDay, previousTradingDay } from '#market/rules/tradingDay.ts';
import type { AnswerForm } from '#sources/answerForm.ts';
import type { AnnouncementSink, Release } from '../source.ts';
import { givenItems, keyVariants, type ListAnswer, type Listed, marketPage, readAnswer } from './item.ts';

/** What one look at the list showed of a stretch of it. */
type Look = {
  /** Ids of everything that was there. */
  ids: ReadonlySet<string>;
  /** Nothing newer than this, epoch ms, was missing because of where the look ended. */
  from: number;
  /** Of the newest announcement there, epoch ms. */
  newest: number;
};

/** A list that lacks too much to be true. */
export type ShortList = { listed: number; expected: number };

type Entry = {
  time: number;
  /** Everything that a correction may change. */
  content: string;
  /** Whether all that is older was listed too when this was taken. */
  settled: boolean;
  missed: number;
  /** By the stopwatch. */
  missedSince: number;
};

/** This many looks in a row must lack an announcement. */
const MISSED_LOOKS = 2;
/** A list that ends before the newest ones may be an old copy: those must be missing for longer. */
const NEWEST_MISSED_MS = 5 * 60_000;
/** So few may be missing at once, or so large a share; more is a fault of the list. */
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

/** Whether an announcement that is not there now was missing often and long enough. */
function isWithdrawn(entry: Entry, look: Look, now: number): boolean {
  entry.missed += 1;
  if (entry.missed === 1) entry.missedSince = now;
  if (entry.missed < MISSED_LOOKS) return false;
  return entry.time <= look.newest || now - entry.missedSince >= NEWEST_MISSED_MS;
}

/**
 * Remembers what the market's list held: to tell what is new, what was corrected and what was withdrawn, and where a
 * walk through the pages may end. Only what came by the list counts: an announcement that is known from elsewhere says
 * nothing of those beneath it.
 */
export class ListMemory {
  private readonly entries = new Map<string, Entry>();

  /** @param options.knows whether an announcement is kept already, also from before the start */
  constructor(private readonly options: { stopwatch: Stopwatch; knows: (id: string) => boolean }) {}

  /** Takes a page in its order. @returns what is new or has changed, and ids and whether older pages are known */
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
      // One that was given another date stands above others that are not known yet.
      if (entry?.settled && entry.time === time) meetsKnown = true;
      if (entry?.content === content) entry.missed = 0;
      else {
        releases.push(release);
        this.entries.set(id, { time, content, settled: false, missed: 0, missedSince: 0 });
      }
    }
    return { releases, ids, meetsKnown };
  }

  /** Everything taken so far came in a row without gaps. */
  settle(): void {
    for (const entry of this.entries.values()) entry.settled = true;
  }

  /**
   * Compares what was listed before with what a look showed.
   * @returns ids that were missing for the second time; whether any is missing for the first time; a list that is too
   *   short, of which nothing is believed
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

  /** Takes over what an earlier run kept, so that what was withdrawn since is missed. */
  restore(kept: readonly Pick<Release, 'id' | 'time'>[]): void {
    for (const { id, time } of kept) {
      if (this.entries.has(id)) continue;
      this.entries.set(id, { time, content: '', settled: false, missed: 0, missedSince: 0 });
    }
  }

  /** Forgets some, so that they count as new the next time. */
  drop(ids: readonly string[]): void {
    for (const id of ids) this.entries.delete(id);
  }

  /** Forgets what was released before this moment, epoch ms. */
  forget(before: number): void {
    for (const [id, { time }] of this.entries) if (time < before) this.entries.delete(id);
  }

  size(): number {
    return this.entries.size;
  }

  /** The id that an announcement already has: its key may have changed together with its mark. */
  private idOf({ id, plainKey }: Listed): string {
    if (this.entries.has(id)) return id;
    const others = keyVariants(plainKey).filter((key) => key !== id);
    return others.find((key) => this.entries.has(key)) ?? [id, ...others].find(this.options.knows) ?? id;
  }
}

type FetchedPage = Extract<ListAnswer, { kind: 'list' }> | PollFailure;

type WalkOptions = {
  /** How far: to the first announcement that is known, or always to `from`. */
  depth: 'known' | 'whole';
  /** The walk ends at what was released before this, epoch ms. */
  from: number;
  /** What is older than this is left out, epoch ms; at most `from`. */
  keepFrom: number;
  /** Asks for a page, counted from 0; never rejects. */
  fetchPage(page: number): Promise<FetchedPage>;
  memory: ListMemory;
  /** Takes what is new or changed of a page, at once: what was fetched is not lost with a later page. */
  apply(releases: readonly Release[]): void;
};

/** A walk that came to its end: what it saw, and how many pages that took. */
type WalkResult = { kind: 'walked'; look: Look; pages: number } | PollFailure;

/** Twenty of a hundred announcements are the two busiest days; many more pages are another list than the one known. */
const MAX_PAGES = 120;
/** The two busiest days are 2,000 announcements. */
const MAX_SEEN = 10_000;
/** What looks that failed have left is counted too: a list that is another one at each look must fill no memory. */
const MAX_KNOWN = 2 * MAX_SEEN;
/** New announcements push others to the next page, but never all of a page. */
const MAX_REPEATED_PAGES = 2;

/** Of a look that saw nothing yet. */
const NOTHING = { from: Number.POSITIVE_INFINITY, newest: Number.NEGATIVE_INFINITY };

const TOO_MANY = `lists more than ${MAX_SEEN} announcements of two days`;

const failure = (reason: string): PollFailure => ({ kind: 'failed', reason, retryAfterMs: null });

/** The end of the list, as far as it may be believed: all that there is was given. */
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

/** What could not be kept comes again with the next look. */
function applySafely({ memory, apply }: WalkOptions, releases: readonly Release[]): void {
  try {
    apply(releases);
  } catch (error) {
    memory.drop(releases.map(({ id }) => id));
    throw error;
  }
}

/**
 * Reads the list page by page, newest first. While it is read, new announcements push others to the next page, where they
 * come a second time: nothing is lost by that, and each counts once.
 * @returns what was seen; a failure when the list ended early or repeats itself
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
    // A server that has no more than one page gives it for each.
    if (isRepeated && total !== null && look.ids.size >= total)
      return { kind: 'walked', look, pages: page + 1 };
    repeatedPages = isRepeated ? repeatedPages + 1 : 0;
    if (repeatedPages >= MAX_REPEATED_PAGES) return failure('sent the same page again and again');
    if (look.ids.size > MAX_SEEN) return failure(TOO_MANY);
  }
  return failure(`sent a list of more than ${MAX_PAGES} pages`);
}

/** Between two looks while the exchange releases announcements, ms. */
export const ACTIVE_MS = 20_000;
/** And at other times. */
const QUIET_MS = 5 * 60_000;

/** 07:30 to 20:30 in Sydney: outside of it hardly anything is released. */
const beginOf = (date: string): number => fromSydney(date, 7, 30);
const endOf = (date: string): number => fromSydney(date, 20, 30);

/**
 * How long to wait until the next look.
 * @param now epoch ms
 * @returns ms: 20 s in the hours of release of trading days; else 5 minutes, or less so that they are met
 */
export function waitAt(now: number): number {
  const today = sydneyDate(now);
  const trades = isTradingDay(today);
  if (trades && now >= beginOf(today) && now < endOf(today)) return ACTIVE_MS;
  const next = trades && now < beginOf(today) ? today : nextTradingDay(today);
  return Math.min(QUIET_MS, Math.max(ACTIVE_MS, beginOf(next) - now));
}

/** The beginning of the days that lists are read of: the previous trading day and since; epoch ms. */
export const firstTimeOf = (now: number): number => fromSydney(previousTradingDay(sydneyDate(now)), 0, 0);

/** The beginning of today in Sydney, epoch ms. */
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

/** So often the whole day is read again, for corrections and withdrawals further down. */
const WHOLE_DAY_MS = 15 * 60_000;
/** After something was missing it is read again sooner, but not at each look. */
const MISSING_MS = 60_000;

/** Asks for pages and reads them; a changed reason to refuse items is logged once. */
function createPages({ url, wall, http, log, form }: LookOptions) {
  let lastRefusal: string | null = null;
  return async (page: number, signal: AbortSignal): Promise<FetchedPage> => {
    const now = wall.now();
    const outcome = await http.json({ ...marketPage(url, page, sydneyDate(now)), signal });
    // A source that was stopped meanwhile changes nothing more.
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
 * Looks at the list once at a time. The first look goes down to the beginning of the previous trading day, whatever is
 * known: an earlier run may have ended between two pages. Later ones end at what is known, but now and then, and when
 * something was missing, the whole day is read again.
 * @returns `run`: never rejects; a failed look withdraws nothing
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
