import {
  searchAnswer,
  summariseAnswer,
  updateAnswer,
} from '../../src/subjects/announcements/answers/news.ts';
import { auctionAnswer } from '../../src/market/auctions/rules/auctionAnswer.ts';
import type { Wire } from '../../src/lib/contract/fields.ts';
import { bareAnswer } from './contractAnswers.ts';

/** The answers of the news row and of the search of headlines, with just the members that the specification names; see `specifiedAnswers.ts`. */

/** Of today and yesterday. */
export const BHP_NEWS = {
  '2026-11-20': {
    headline: 'Quarterly report',
    summary: 'Production rose.',
    summary_generated_at: '2026-11-19T23:30:00Z',
    alerted: false,
    announcements: {
      a1: {
        headline: 'Quarterly report',
        url: 'https://example.com/a1.pdf',
        announcementTypes: ['Quarterly'],
        isPriceSensitive: true,
      },
    },
  },
  '19/11/2026': { headline: 'Change of registry', summary: null, alerted: false },
};

export const OWN_BHP_NEWS = {
  '2026-11-20': { ...BHP_NEWS['2026-11-20'], summary_of: 'a1', summary_note: 'Made of the headlines.' },
};

export const OWN_NEWS_SOURCE = {
  label: 'ASX',
  healthy: false,
  problem: 'The ASX refuses requests.',
  lastUpdate: 1_795_136_400_000,
};

const AUCTION: Wire<typeof auctionAnswer> = {
  symbol: 'BHP',
  date: '2026-11-20',
  columns: { time: [1_795_125_600_000], price: [42.5], volume: [1000], surplus: [-200] },
  thinned: false,
};
const UPDATED: Wire<typeof updateAnswer> = {
  success: true,
  message: 'Updates appear within a few seconds.',
};
const SUMMARISED: Wire<typeof summariseAnswer> = {
  success: true,
  state: 'running',
  summary: null,
  message: 'Queued.',
};
const FOUND: Wire<typeof searchAnswer> = {
  announcements: [
    {
      id: 'a1',
      code: 'BHP',
      headline: 'Quarterly report',
      url: 'https://example.com/a1.pdf',
      time: '2026-11-19T22:10:00Z',
      isPriceSensitive: true,
      announcementTypes: ['Quarterly'],
    },
  ],
};

export const SPECIFIED_NEWS_ANSWERS = {
  // The specification names no member of these two.
  'POST /api/data/news/update': bareAnswer(updateAnswer, UPDATED),
  'POST /api/data/news/summarise': bareAnswer(summariseAnswer, SUMMARISED),
  // Not specified: this product's own, as it gives it at least.
  'GET /api/data/news/search': bareAnswer(searchAnswer, FOUND),
  'GET /api/data/auction': bareAnswer(auctionAnswer, AUCTION),
};

/** What this product says besides. */
export const OWN_NEWS_ANSWERS = {
  'POST /api/data/news/update': UPDATED,
  'POST /api/data/news/summarise': SUMMARISED,
  'GET /api/data/news/search': FOUND,
};
