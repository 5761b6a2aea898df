import { object } from '#lib/contract/objects.ts';
import { LOADING_OR_BUSY, OFTEN, type RouteContracts } from '#texts/routeContract.ts';
import { priceRangesAnswer, usualValueAnswer } from './answers/overview.ts';

const REFUSALS = { 429: OFTEN, 503: LOADING_OR_BUSY };

/** What the market overview needs besides the stream: each route with what it answers, and its words. */
export const OVERVIEW = {
  'GET /api/data/usual-value': {
    access: 1,
    tag: 'Market',
    summary: 'Get the value that is usually traded by each time of day',
    description:
      'The mean of the last sessions, 20 at most, in AUD: of shares and of funds, from the beginning of the session until ' +
      '10:00 in Sydney and each five minutes after it, 79 points. A point of fewer than three sessions is null. Each price ' +
      'source has its own. With `If-None-Match` what has not changed is answered 304.',
    query: object({}),
    answer: usualValueAnswer,
    refusals: REFUSALS,
    example: {},
  },
  'GET /api/data/price-ranges': {
    access: 1,
    tag: 'Market',
    summary: 'Get the highest and lowest prices of the kept daily bars',
    description:
      'Of the 52 weeks before the session, as far as daily bars are kept: columns of codes, highs and lows. Stocks whose ' +
      'source states a range of 52 weeks are left out: theirs is in the stream. With `If-None-Match` what has not changed ' +
      'is answered 304.',
    query: object({}),
    answer: priceRangesAnswer,
    refusals: REFUSALS,
    example: {},
  },
} as const satisfies RouteContracts;
