import type { Wire } from '../../../../lib/contract/fields.ts';
import type { summariseAnswer } from '../../answers/news.ts';
import type { KeptAnnouncement } from '../../rules/keptAnnouncement.ts';
import { checkLiveSymbol } from '../../../../market/rules/liveSymbols.ts';
import { accepted, AppError, refusedFor } from '../../../../platform/http/errors.ts';
import { createUserLimit } from '../../../../platform/http/requestLimits.ts';
import { waitText } from '../../../../lib/rateLimit.ts';
import type { ModelUsage } from '../../../../platform/model/model.ts';
import type { ModelUser } from '../../../model/server/service.ts';
import type { SummariesDeps } from './deps.ts';
import { createFailures } from './failures.ts';
import { createRuns, type Run } from './runs.ts';
import { writeSummary, type Written } from './write.ts';

/** Requests of one user in a minute, whatever becomes of them. */
const MAX_A_MINUTE = 30;

const NO_MODEL = 'Summaries are off on this server';
const RUNNING = 'The summary takes about 30 seconds and appears by itself.';
const QUEUED = 'Other summaries come first. Each takes about 30 seconds; this one appears by itself.';
const READY = 'The summary is ready.';
const FAULT = 'The summary failed because of a fault of the server. Try again later.';
const FULL_SECONDS = 30;
/** Of one user, so that there is a place for others. */
const MAX_OWN = 2;

export type Summarised = Wire<typeof summariseAnswer>;

const underWay = (state: 'queued' | 'running'): Summarised => ({
  success: true,
  state,
  summary: null,
  message: state === 'running' ? RUNNING : QUEUED,
});

/** Summaries of announcements that a model writes: one run a document, whoever asks. */
export function createSummariesService(deps: SummariesDeps) {
  const { model, announcements, market, modelUse, store, clock, log } = deps;
  const countRequest = createUserLimit(clock, MAX_A_MINUTE, 'Too many requests for summaries.');
  const failures = createFailures(clock);

  /** Shows of an announcement that there is no summary, and why; null while none was tried. */
  const showNone = ({ id, code }: KeptAnnouncement, note: string | null): void =>
    announcements.setSummary({ announcementId: id, code, text: null, note, at: announcements.now() });

  const fail = ({ announcement }: Run, failure: { message: string; isLasting: boolean }): void => {
    failures.add(announcement.id, failure);
    log.warn('A summary failed', { code: announcement.code, reason: failure.message });
    showNone(announcement, failure.message);
  };
  const succeed = ({ announcement, userId }: Run, written: Written, usage: ModelUsage, by: string): void => {
    const { id, code, date } = announcement;
    const createdAt = announcements.now();
    // Withdrawn while it was read: nobody is to see what it said.
    const isThere = announcements.document(id) !== null;
    if (isThere) store.keep({ announcementId: id, code, date, ...written, model: by, createdAt });
    modelUse.count(userId, 'summary', usage, isThere ? 'answered' : 'failed');
    if (!isThere) return;
    failures.remove(id);
    announcements.setSummary({ announcementId: id, code, ...written, at: createdAt });
  };

  const work = async (run: Run, signal: AbortSignal): Promise<void> => {
    if (!model) return;
    try {
      const { outcome, usage } = await writeSummary({ ...deps, model }, run.announcement, signal);
      if (outcome.ok) return succeed(run, outcome.value, usage, model.name);
      modelUse.count(run.userId, 'summary', usage, 'failed');
      // The server stops: what was broken off is no failure, and may be asked for again after the start.
      if (!signal.aborted) fail(run, outcome.error);
    } catch (error) {
      log.error('A summary could not be written', { code: run.announcement.code, error });
      if (!signal.aborted) fail(run, { message: FAULT, isLasting: false });
    }
  };
  const runs = createRuns(work);

  const begin = (user: ModelUser, announcement: KeptAnnouncement): Summarised => {
    const failure = failures.recent(announcement.id);
    if (failure) {
      const { message, seconds } = failure;
      throw refusedFor(seconds, 429, `${message} It can be tried again in ${waitText(seconds)}.`);
    }
    modelUse.admit(user, 'summary', runs.ofUser(user.id));
    if (runs.ofUser(user.id) >= MAX_OWN) {
      throw refusedFor(
        FULL_SECONDS,
        429,
        'Two of your summaries are already on their way. Try again in half a minute.',
      );
    }
    if (runs.isFull()) {
      throw refusedFor(FULL_SECONDS, 429, 'Two summaries are already waiting. Try again in half a minute.');
    }
    // Why the run before failed is no news any more.
    if (failures.remove(announcement.id)) showNone(announcement, null);
    return underWay(runs.add({ announcement, userId: user.id }));
  };

  return {
    /**
     * Asks for the summary of the announcement of a stock that matters most. It comes by the stream, as does the
     * sentence on why it failed.
     * @param typed untrimmed and in any case
     * @throws AppError 400 without a model, for a symbol that is not listed or has no announcement; 429 with the time
     *   to wait
     */
    summarise(user: ModelUser, typed: string): Summarised {
      if (!model) throw new AppError(400, NO_MODEL);
      countRequest(user.id);
      const code = accepted(checkLiveSymbol(typed, market.all()));
      const announcement = announcements.latest(code);
      if (!announcement) {
        const message = `${code} has no announcement from today or the previous trading day to summarise.`;
        throw new AppError(400, { field: 'symbol', message });
      }
      const kept = store.find(announcement.id);
      if (kept) {
        // Its note may be that of a later failure, or it belongs to one that matters most again.
        const { text, note, createdAt } = kept;
        announcements.setSummary({ announcementId: announcement.id, code, text, note, at: createdAt });
        return { success: true, state: 'ready', summary: text, message: READY };
      }
      const state = runs.stateOf(announcement.id);
      return state ? underWay(state) : begin(user, announcement);
    },

    stop: (): Promise<void> => runs.stop(),
    figures: runs.figures,
  };
}

export type Summaries = ReturnType<typeof createSummariesService>;
