import { object } from '#lib/contract/objects.ts';
import { LOADING_OR_BUSY, OFTEN, type RouteContracts } from '#texts/routeContract.ts';
import { overnightAnswer, priceRangesAnswer, usualValueAnswer } from './answers/overview.ts';

const REFUSALS = { 429: OFTEN, 503: LOADING_OR_BUSY };

export const OVERVIEW = {
  'GET /api/data/usual-value': {
    access: 1,
    tag: 'Market',
    summary: 'Read the usual traded value by time of day',
    description:
      'The average value traded since the start of a session, at 10:00 Sydney and every five minutes after it, in AUD for shares and funds. It uses up to 20 sessions; points with fewer than three are null.',
    query: object({}),
    answer: usualValueAnswer,
    refusals: REFUSALS,
    example: {},
  },
  'GET /api/data/price-ranges': {
    access: 1,
    tag: 'Market',
    summary: 'Read 52-week highs and lows',
    description:
      'From stored daily bars, as columns of codes, highs and lows. Stocks whose source states a 52-week range are in the stream instead.',
    query: object({}),
    answer: priceRangesAnswer,
    refusals: REFUSALS,
    example: {},
  },
  'GET /api/data/overnight': {
    access: 1,
    tag: 'Market',
    summary: 'Read figures of other markets',
    description: 'Indexes, commodities and the Australian dollar, as far as the source or a bridge has them.',
    query: object({}),
    answer: overnightAnswer,
    refusals: { 429: OFTEN },
    example: {},
  },
} as const satisfies RouteContracts;
