import type { Known } from '#lib/contract/fields.ts';
import { readerOf, request } from '#web/api/client.ts';
import { requireDone } from '#web/api/done.ts';
import { MESSAGES } from '#texts/messages.ts';
import {
  type headline,
  searchAnswer,
  summariseAnswer,
  updateAnswer,
} from '#subjects/announcements/answers/news.ts';

/** An announcement that a search found. */
export type Headline = Known<typeof headline>;

/**
 * Asks the server to look for announcements of a stock; they come by the stream.
 * @returns what it says of it; null when it says nothing
 * @throws ApiError with the sentence to show
 */
export async function refreshNews(symbol: string): Promise<string | null> {
  const body: unknown = await request('POST /api/data/news/update', { body: { symbol } });
  requireDone(body, MESSAGES.news.refresh);
  return updateAnswer.read(body)?.message ?? null;
}

/** What the server says of a summary that was asked for: `summary` when there is one already. */
export type SummaryAnswer = { summary: string | null; message: string | null };

/**
 * Asks for a summary of a stock's news; it comes by the stream.
 * @throws ApiError with the sentence to show
 */
export async function summariseNews(symbol: string): Promise<SummaryAnswer> {
  const body: unknown = await request('POST /api/data/news/summarise', { body: { symbol } });
  requireDone(body, MESSAGES.news.summarise);
  const { summary = null, message = null } = summariseAnswer.read(body) ?? {};
  return { summary, message };
}

/**
 * The newest announcements whose headlines have these words.
 * @throws ApiError with the server's sentence; whatever fetch throws when it is given up
 */
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
