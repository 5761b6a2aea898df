import { type ReadonlySignal, signal } from '@preact/signals-react';
import { MESSAGES } from '#texts/messages.ts';
import { type NewsSummary, REFRESH_NOTICE, SUMMARISE_NOTICE } from '#market/rules/newsRow.ts';
import { messageOf, NETWORK_ERROR } from '#web/api/client.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { refreshNews, summariseNews } from './api.ts';

/** A refresh that was asked for. */
export type RefreshRequest = { isSending: boolean; notice: string | null; error: string | null };

/** What was known of a summary: its text and note. */
type Known = Pick<NewsSummary, 'text' | 'note'>;

/** A summary that was asked for. `before` is what was known then: anything else is the outcome. */
export type SummaryRequest =
  | { state: 'waiting'; notice: string; before: Known }
  /** The server has it already; the stream may bring it a moment later. */
  | { state: 'told'; text: string }
  | { state: 'refused'; error: string };

export type NewsRequests = { refresh: RefreshRequest | null; summary: SummaryRequest | null };

/** So long updates may take to appear; then nothing new was found. */
export const NOTICE_MS = 30_000;
/** Longer than two runs before it and its own may take. */
export const WAIT_MS = 450_000;

/** Less than the server remembers why a run failed. */
export const ASK_AGAIN_MS = 15_000;

const NONE: NewsRequests = { refresh: null, summary: null };
const NEVER_CAME = `${MESSAGES.news.summarise}: nothing came within seven minutes. Try again.`;

const state = signal<ReadonlyMap<string, NewsRequests>>(new Map());
const timers = new Map<string, ReturnType<typeof setTimeout>>();

/** What this window asked for, by symbol. It outlives the row that asked: an open row scrolls out of sight. */
export const newsRequests: ReadonlySignal<ReadonlyMap<string, NewsRequests>> = state;

/** What was asked for of one symbol; pass `newsRequests.value`, so that the component follows it. */
export const requestsOf = (all: ReadonlyMap<string, NewsRequests>, symbol: string): NewsRequests =>
  all.get(symbol) ?? NONE;

function set(symbol: string, change: Partial<NewsRequests>): void {
  const next = { ...(state.peek().get(symbol) ?? NONE), ...change };
  const all = new Map(state.peek());
  if (next.refresh === null && next.summary === null) all.delete(symbol);
  else all.set(symbol, next);
  state.value = all;
}

function later(key: string, ms: number, run: () => void): void {
  clearTimeout(timers.get(key));
  timers.set(
    key,
    setTimeout(() => {
      timers.delete(key);
      run();
    }, ms),
  );
}

/** Has the server look for announcements of a stock. */
export async function requestRefresh(symbol: string): Promise<void> {
  if (state.peek().get(symbol)?.refresh?.isSending) return;
  set(symbol, { refresh: { isSending: true, notice: null, error: null } });
  try {
    const notice = (await refreshNews(symbol)) ?? REFRESH_NOTICE;
    set(symbol, { refresh: { isSending: false, notice, error: null } });
    later(`refresh ${symbol}`, NOTICE_MS, () => set(symbol, { refresh: null }));
  } catch (problem) {
    const error = messageOf(problem, MESSAGES.news.refresh);
    set(symbol, { refresh: { isSending: false, notice: null, error } });
  }
}

const isWaiting = (symbol: string): boolean => state.peek().get(symbol)?.summary?.state === 'waiting';

const refuse = (symbol: string, error: string): void => set(symbol, { summary: { state: 'refused', error } });

/**
 * Asks for a summary, and again while nothing has come: the server does not begin a second run, and says what became of the
 * first where the stream had nothing new to tell, as when it failed for the same reason as the one before.
 * @param since when it was asked for first, on the clock of `performance`
 */
async function ask(symbol: string, since: number, isFirst: boolean): Promise<void> {
  const again = (): void => {
    if (performance.now() - since > WAIT_MS) return refuse(symbol, NEVER_CAME);
    const { accessToken } = session.peek();
    later(`summary ${symbol}`, ASK_AGAIN_MS, () => {
      if (!isWaiting(symbol)) return;
      // Nobody else asks for who asked.
      if (session.peek().accessToken !== accessToken) return set(symbol, { summary: null });
      void ask(symbol, since, false);
    });
  };
  try {
    const { summary, message } = await summariseNews(symbol);
    const request = state.peek().get(symbol)?.summary;
    // The outcome may have come by the stream already.
    if (request?.state !== 'waiting') return;
    if (summary !== null) return set(symbol, { summary: { state: 'told', text: summary } });
    set(symbol, { summary: { ...request, notice: message ?? SUMMARISE_NOTICE } });
    again();
  } catch (problem) {
    if (!isWaiting(symbol)) return;
    const error = messageOf(problem, MESSAGES.news.summarise);
    if (isFirst || error !== NETWORK_ERROR) refuse(symbol, error);
    else again();
  }
}

/** Has a summary of a stock's news written. @param before what is known of it now */
export async function requestSummary(symbol: string, { text, note }: Known): Promise<void> {
  if (isWaiting(symbol)) return;
  clearTimeout(timers.get(`summary ${symbol}`));
  set(symbol, { summary: { state: 'waiting', notice: SUMMARISE_NOTICE, before: { text, note } } });
  await ask(symbol, performance.now(), true);
}

/**
 * Takes note of what the stream says of a summary: the one that was waited for, or the note of a failed run. The note of
 * an earlier failure is no outcome, until it was taken away.
 */
export function noteSummary(symbol: string, now: Known): void {
  const request = state.peek().get(symbol)?.summary;
  if (!request) return;
  if (now.text !== null) return set(symbol, { summary: null });
  if (request.state !== 'waiting') return;
  const { before } = request;
  if (now.note !== null && now.note !== before.note) set(symbol, { summary: null });
  else if (now.note === null && before.note !== null) {
    set(symbol, { summary: { ...request, before: { ...before, note: null } } });
  }
}

/** Forgets why something was refused, as its row is closed. */
export function forgetRefusals(symbol: string): void {
  const { refresh, summary } = state.peek().get(symbol) ?? NONE;
  if (refresh?.error != null) set(symbol, { refresh: null });
  if (summary?.state === 'refused') set(symbol, { summary: null });
}

/** Forgets everything that was asked for. */
export function forgetNewsRequests(): void {
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
  state.value = new Map();
}
