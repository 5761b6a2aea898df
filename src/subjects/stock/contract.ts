import { choice, numeric, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import { auctionAnswer, dayEventsAnswer } from '#market/auctions/rules/auction.ts';
import { CHART_TIMEFRAMES, MAX_BARS, MAX_DAY_LINES } from '#market/bars/rules/bars.ts';
import { barsAnswer } from '#market/bars/rules/barsAnswer.ts';
import { dayLinesAnswer } from '#market/bars/rules/dayLine.ts';
import { NO_CODE } from '#market/rules/liveSymbols.ts';
import { BUSY, LOADING_OR_BUSY, OFTEN, type RouteContracts } from '#texts/routeContract.ts';

/** Why day lines are refused that are asked for of no stock, or of too many. */
export const SYMBOLS = `Give at most ${MAX_DAY_LINES} stock codes with commas between, such as symbols=BHP,CBA.`;
const TIMEFRAME = `The timeframe is one of ${CHART_TIMEFRAMES.join(', ')}.`;
const LIMIT = `The limit is a whole number from 1 to ${MAX_BARS}.`;
const BEFORE = 'A moment is given in milliseconds since 1970 (UTC), such as before=1795046400000.';

/** 9999-12-31. */
const LAST_MOMENT = 253_402_214_400_000;

const symbol = sent(text, { default: '', minLength: 1, maxLength: 40, error: NO_CODE });
const NO_STOCK = 'Nothing is known of a stock with this code.';
const PICTURE_REFUSALS = {
  404: NO_STOCK,
  429: 'More than 600 requests in a minute, or much of the caller’s waits to be read.',
  503: LOADING_OR_BUSY,
};

/** What a stock's pictures are made of: each route with what it is sent, what it answers, and its words. */
export const STOCK = {
  'GET /api/data/auction': {
    access: 'visitor',
    tag: 'Market',
    summary: 'See how an opening auction formed',
    description:
      'The match price, the match volume and the surplus of a stock since 07:00, at each change, as columns. `time` is in ' +
      'epoch ms on the market’s clock; null is a figure that was not known. `thinned` says that changes were left out. The ' +
      'stream brings what comes next.',
    query: object({ symbol }),
    answer: auctionAnswer,
    refusals: PICTURE_REFUSALS,
    example: { query: { symbol: 'BHP' } },
  },
  'GET /api/data/day-events': {
    access: 'visitor',
    tag: 'Market',
    summary: 'See how a stock’s day went',
    description:
      'Each change of its status since `knownSince`, and what its opening and closing auctions traded at; a volume is null ' +
      'where it was not known.',
    query: object({ symbol }),
    answer: dayEventsAnswer,
    refusals: PICTURE_REFUSALS,
    example: { query: { symbol: 'BHP' } },
  },
  'GET /api/data/bars': {
    access: 'visitor',
    tag: 'Market',
    summary: 'Get the bars of a stock',
    description:
      'Columns, oldest first, with the running bar: the newest, or those that began before a moment. Bars of minutes are ' +
      'counted from 10:00 in Sydney; the time of a day, week or month is midnight UTC of its first date. What is not known ' +
      'is listed in `unknown`, and no bar stands for it. With `If-None-Match` what has not changed is answered 304.',
    query: object({
      symbol,
      tf: optional(sent(choice(CHART_TIMEFRAMES), { error: TIMEFRAME })),
      before: optional(sent(numeric, { minimum: 1, maximum: LAST_MOMENT, error: BEFORE })),
      limit: optional(sent(numeric, { minimum: 1, maximum: MAX_BARS, multipleOf: 1, error: LIMIT })),
    }),
    answer: barsAnswer,
    refusals: { 404: NO_STOCK, 429: OFTEN, 503: LOADING_OR_BUSY },
    example: { query: { symbol: 'BHP', tf: '5', limit: '100' } },
  },
  'GET /api/data/day-lines': {
    access: 'visitor',
    tag: 'Market',
    summary: 'Get the day of many stocks as lines',
    description:
      'The last price of each five minutes from 10:00 in Sydney on, of at most 100 stocks, with the previous close. A slot ' +
      'without a trade is null; stocks that are not known are left out.',
    query: object({
      symbols: sent(text, { default: '', minLength: 1, maxLength: MAX_DAY_LINES * 12, error: SYMBOLS }),
    }),
    answer: dayLinesAnswer,
    refusals: { 429: OFTEN, 503: BUSY },
    example: { query: { symbols: 'BHP' } },
  },
} as const satisfies RouteContracts;
