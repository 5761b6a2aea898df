import { readList, readRecord, readText } from '../../../../lib/read.ts';
import { api, unwrap } from '../../../../../web/api/client.ts';
import { requireDone } from '../../../../../web/api/done.ts';
import { MESSAGES } from '../../../../texts/messages.ts';
import { type Headline, readHeadline } from './readHeadline.ts';

/**
 * Asks the server to look for announcements of a stock; they come by the stream.
 * @returns what it says of it; null when it says nothing
 * @throws ApiError with the sentence to show
 */
export async function refreshNews(symbol: string): Promise<string | null> {
  const body: unknown = await unwrap(api.data.news.update.post({ symbol }));
  requireDone(body, MESSAGES.news.refresh);
  return readText(readRecord(body).message) || null;
}

/** What the server says of a summary that was asked for: `summary` when there is one already. */
export type SummaryAnswer = { summary: string | null; message: string | null };

/**
 * Asks for a summary of a stock's news; it comes by the stream.
 * @throws ApiError with the sentence to show
 */
export async function summariseNews(symbol: string): Promise<SummaryAnswer> {
  const body: unknown = await unwrap(api.data.news.summarise.post({ symbol }));
  requireDone(body, MESSAGES.news.summarise);
  const { summary, message } = readRecord(body);
  return { summary: readText(summary) || null, message: readText(message) || null };
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
  const body = await unwrap(api.data.news.search.get({ query: { q, limit }, fetch: { signal } }));
  return readList(readRecord(body).announcements, readHeadline).slice(0, limit);
}
