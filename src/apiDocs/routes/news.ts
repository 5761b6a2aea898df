import type { RouteDescriptions } from '../description.ts';

/** Announcements. */
export const NEWS: RouteDescriptions = {
  'POST /api/data/news/update': {
    tag: 'News',
    summary: 'Look for new announcements of a stock now',
    refusals: { 429: 'Asked too often within a minute.' },
    example: { body: { symbol: 'BHP' } },
  },
  'GET /api/data/news/search': {
    tag: 'News',
    summary: 'Search the announcements that are kept',
    description: 'By words of the headline, code and Sydney day; the newest first.',
    refusals: {
      429: 'Much of the caller’s waits to be read; `Retry-After` says when.',
      503: 'Much waits to be read, of all callers.',
    },
    example: { query: { q: 'quarterly', symbol: 'BHP', limit: '10' } },
  },
  'POST /api/data/news/summarise': {
    tag: 'News',
    summary: "Have a stock's latest announcement summarised",
    description: 'What is not ready at once comes by the stream. Needs a model on the server.',
    refusals: { 429: 'The summaries of the day are used up.' },
    example: { body: { symbol: 'BHP' } },
  },
};
