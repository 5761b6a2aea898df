import { type ReadonlySignal, signal } from '@preact/signals-react';
import { MESSAGES } from '#texts/messages.ts';
import { type NewsSummary, REFRESH_MESSAGE, SUMMARISE_MESSAGE } from '#market/rules/newsRow.ts';
import { messageOf, NETWORK_ERROR, readerOf, request } from '#web/api/client.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import type { Known } from '#lib/contract/fields.ts';
import { requireDone } from '#web/api/done.ts';
import { type headline, searchAnswer, summariseAnswer, updateAnswer } from '../../answers/news.ts';

/** Whether an address is http or https. Others from a source may be scripts and must not become links. */
export const isWebAddress = (url: string | null): url is string => url !== null && /^https?:\/\//i.test(url);

export type Headline = Known<typeof headline>;

/**
 * Requests a refresh; the stream delivers the announcements.
 * @returns the server's message; null for none
 * @throws ApiError with the sentence to show
 */
async function refreshNews(symbol: string): Promise<string | null> {
  const body: unknown = await request('POST /api/data/news/update', { body: { symbol } });
  requireDone(body, MESSAGES.news.refresh);
  return updateAnswer.read(body)?.message ?? null;
}

/** `summary` is set if it already exists. */
type SummaryAnswer = { summary: string | null; message: string | null };

/** Requests a summary, which the stream delivers. @throws ApiError with the sentence to show */
async function summariseNews(symbol: string): Promise<SummaryAnswer> {
  const body: unknown = await request('POST /api/data/news/summarise', { body: { symbol } });
  requireDone(body, MESSAGES.news.summarise);
  const { summary = null, message = null } = summariseAnswer.read(body) ?? {};
  return { summary, message };
}

/** The newest announcements with these words in the headline. @throws ApiError, or the abort error of fetch */
export async function searchHeadlines(
  q: string,
  limit: number,
  signal: AbortSignal,
): Promise<readonly Headline[]> {
  const { announcements } = await request('GET /api/data/news/search', {
    query: { q, limit },
    signal,
    read: readerOf(searchAnswer),
  });
  return announcements.slice(0, limit);
}

type RefreshRequest = { isSending: boolean; message: string | null; error: string | null };

type KnownSummary = Pick<NewsSummary, 'text' | 'note'>;

/** State of a request. `before` is what was known when it was made: any change is its result. */
type SummaryRequest =
  | { state: 'waiting'; message: string; before: KnownSummary }
  /** The server already has the summary; the stream may deliver it slightly later. */
  | { state: 'told'; text: string }
  | { state: 'refused'; error: string };

type NewsRequests = { refresh: RefreshRequest | null; summary: SummaryRequest | null };

/** If no update arrives within this time (ms), nothing new was found. */
const MESSAGE_MS = 30_000;
/** Longest wait, ms: two earlier runs and this one take less. */
const WAIT_MS = 450_000;

/** Repeat interval, ms, shorter than the server remembers why a run failed. */
const ASK_AGAIN_MS = 15_000;

const NONE: NewsRequests = { refresh: null, summary: null };
const NEVER_CAME = `${MESSAGES.news.summarise}: no answer within seven minutes. Try again.`;

const state = signal<ReadonlyMap<string, NewsRequests>>(new Map());
const timers = new Map<string, ReturnType<typeof setTimeout>>();

/** Requests by symbol. They are not part of the row, because an open row may scroll out of sight. */
export const newsRequests: ReadonlySignal<ReadonlyMap<string, NewsRequests>> = state;

/** Pass `newsRequests.value`, so that the component depends on it. */
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

export async function requestRefresh(symbol: string): Promise<void> {
  if (state.peek().get(symbol)?.refresh?.isSending) return;
  set(symbol, { refresh: { isSending: true, message: null, error: null } });
  try {
    const message = (await refreshNews(symbol)) ?? REFRESH_MESSAGE;
    set(symbol, { refresh: { isSending: false, message, error: null } });
    later(`refresh ${symbol}`, MESSAGE_MS, () => set(symbol, { refresh: null }));
  } catch (problem) {
    const error = messageOf(problem, MESSAGES.news.refresh);
    set(symbol, { refresh: { isSending: false, message: null, error } });
  }
}

const isWaiting = (symbol: string): boolean => state.peek().get(symbol)?.summary?.state === 'waiting';

const refuse = (symbol: string, error: string): void => set(symbol, { summary: { state: 'refused', error } });

/**
 * Requests a summary repeatedly until a result arrives. The server starts no second run. It returns how the first one
 * ended if the stream has nothing new, for example for a repeated failure.
 * @param since time of the first request, `performance.now()`
 */
async function ask(symbol: string, since: number, isFirst: boolean): Promise<void> {
  const again = (): void => {
    if (performance.now() - since > WAIT_MS) return refuse(symbol, NEVER_CAME);
    const { accessToken } = session.peek();
    later(`summary ${symbol}`, ASK_AGAIN_MS, () => {
      if (!isWaiting(symbol)) return;
      // Another user must not continue the request.
      if (session.peek().accessToken !== accessToken) return set(symbol, { summary: null });
      void ask(symbol, since, false);
    });
  };
  try {
    const { summary, message } = await summariseNews(symbol);
    const request = state.peek().get(symbol)?.summary;
    // The stream may already have delivered the result.
    if (request?.state !== 'waiting') return;
    if (summary !== null) return set(symbol, { summary: { state: 'told', text: summary } });
    set(symbol, { summary: { ...request, message: message ?? SUMMARISE_MESSAGE } });
    again();
  } catch (problem) {
    if (!isWaiting(symbol)) return;
    const error = messageOf(problem, MESSAGES.news.summarise);
    if (isFirst || error !== NETWORK_ERROR) refuse(symbol, error);
    else again();
  }
}

/** @param before the values known when the request was sent */
export async function requestSummary(symbol: string, { text, note }: KnownSummary): Promise<void> {
  if (isWaiting(symbol)) return;
  clearTimeout(timers.get(`summary ${symbol}`));
  set(symbol, { summary: { state: 'waiting', message: SUMMARISE_MESSAGE, before: { text, note } } });
  await ask(symbol, performance.now(), true);
}

/**
 * Applies the stream's state to a pending request: a summary, or the note of a failed run. The note of an earlier
 * failure does not count until it was removed.
 */
export function noteSummary(symbol: string, now: KnownSummary): void {
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

/** Drops errors of requests; called when the row closes. */
export function forgetRefusals(symbol: string): void {
  const { refresh, summary } = state.peek().get(symbol) ?? NONE;
  if (refresh?.error != null) set(symbol, { refresh: null });
  if (summary?.state === 'refused') set(symbol, { summary: null });
}

export function forgetNewsRequests(): void {
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
  state.value = new Map();
}
