import { numeric, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import { listedSymbol } from '#market/rules/liveSymbols.ts';
import { BUSY, type RouteContracts } from '#texts/routeContract.ts';
import { searchAnswer, summariseAnswer, updateAnswer } from './answers/news.ts';

/** Announcements: each route with what it is sent, what it answers, and its words. */
export const NEWS = {
  'POST /api/data/news/update': {
    access: 1,
    tag: 'News',
    summary: 'Look for new announcements of a stock now',
    body: object({ symbol: listedSymbol }),
    answer: updateAnswer,
    refusals: { 429: 'Asked too often within a minute.' },
    example: { body: { symbol: 'BHP' } },
  },
  'GET /api/data/news/search': {
    access: 1,
    tag: 'News',
    summary: 'Search the announcements that are kept',
    description: 'By words of the headline, code and Sydney day; the newest first.',
    query: object({
      q: optional(sent(text, { maxLength: 200, error: 'Search with 2 to 80 characters.' })),
      symbol: optional(sent(text, { maxLength: 40, error: 'That is no stock code.' })),
      date: optional(sent(text, { maxLength: 10, error: 'A date is written as YYYY-MM-DD.' })),
      limit: optional(sent(numeric, { error: 'The limit is a whole number from 1 to 50.' })),
    }),
    answer: searchAnswer,
    refusals: {
      429: 'Much of the caller’s waits to be read; `Retry-After` says when.',
      503: BUSY,
    },
    example: { query: { q: 'quarterly', symbol: 'BHP', limit: '10' } },
  },
  'POST /api/data/news/summarise': {
    access: 2,
    tag: 'News',
    summary: "Have a stock's latest announcement summarised",
    description: 'What is not ready at once comes by the stream. Needs a model on the server.',
    body: object({ symbol: sent(text, { maxLength: 40, error: 'Symbol is required' }) }),
    answer: summariseAnswer,
    refusals: { 429: 'The summaries of the day are used up.' },
    example: { body: { symbol: 'BHP' } },
  },
} as const satisfies RouteContracts;
