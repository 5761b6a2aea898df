import type { SystemClock } from '#lib/clock.ts';
import type { HttpClient } from '#lib/httpClient/client.ts';
import { failureText } from '#lib/httpClient/failureText.ts';
import type { PollFailure } from '#lib/httpClient/pollLoop.ts';
import type { Log } from '#lib/log.ts';
import { sydneyDate, fromSydney } from '#market/rules/sydneyTime.ts';
import type { AnnouncementSink } from '../source.ts';
import type { AnswerForm } from '#sources/answerForm.ts';
import { givenItems, readAnswer } from './item.ts';
import type { ListMemory, ShortList } from './listMemory.ts';
import { marketPage } from './request.ts';
import { type FetchedPage, walkList } from './walk.ts';
import { isTradingDay, nextTradingDay, previousTradingDay } from '#market/rules/tradingDay.ts';

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

export type LookOptions = {
  url: string;
  wall: SystemClock;
  http: HttpClient;
  log: Log;
  memory: ListMemory;
  form: AnswerForm;
};

export type LookOutcome =
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
