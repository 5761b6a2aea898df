import { SUMMARISE_LEVEL } from '#platform/http/rules/accessLevel.ts';
import { numeric, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import { listedSymbol } from '#market/rules/liveSymbols.ts';
import { BUSY, type RouteContracts } from '#texts/routeContract.ts';
import { searchAnswer, summariseAnswer, updateAnswer } from './answers/news.ts';

export const NEWS = {
  'POST /api/data/news/update': {
    access: 1,
    tag: 'News',
    summary: 'Check for new announcements of a stock',
    body: object({ symbol: listedSymbol }),
    answer: updateAnswer,
    refusals: { 429: 'Too many requests in one minute.' },
    example: { body: { symbol: 'BHP' } },
  },
  'GET /api/data/news/search': {
    access: 1,
    tag: 'News',
    summary: 'Search stored announcements',
    description: 'By headline words, code and Sydney day; newest first.',
    query: object({
      q: optional(sent(text, { maxLength: 200, error: 'Search with 2 to 80 characters.' })),
      symbol: optional(sent(text, { maxLength: 40, error: '`symbol` is not a stock code.' })),
      date: optional(sent(text, { maxLength: 10, error: 'Write the date as YYYY-MM-DD.' })),
      limit: optional(sent(numeric, { error: 'The limit must be a whole number from 1 to 50.' })),
    }),
    answer: searchAnswer,
    refusals: {
      429: 'Too many of your requests are waiting. Wait for the seconds in `Retry-After`.',
      503: BUSY,
    },
    example: { query: { q: 'quarterly', symbol: 'BHP', limit: '10' } },
  },
  'POST /api/data/news/summarise': {
    access: SUMMARISE_LEVEL,
    tag: 'News',
    summary: 'Summarise a stock’s latest announcement',
    description: 'A summary that is not ready is sent by the stream later. Requires a model on the server.',
    body: object({ symbol: sent(text, { maxLength: 40, error: 'Symbol is required' }) }),
    answer: summariseAnswer,
    refusals: { 429: 'You have no summaries left today.' },
    example: { body: { symbol: 'BHP' } },
  },
} as const satisfies RouteContracts;
