import { choice, list, number, numeric, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import { MAX_LEVELS } from './rules/levels.ts';
import { auctionAnswer, dayEventsAnswer } from '#market/auctions/rules/auction.ts';
import { CHART_TIMEFRAMES, MAX_BARS, MAX_DAY_LINES } from '#market/bars/rules/bars.ts';
import { barsAnswer } from '#market/bars/rules/barsAnswer.ts';
import { dayLinesAnswer } from '#market/bars/rules/dayLine.ts';
import { NO_CODE } from '#market/rules/liveSymbols.ts';
import { BUSY, LOADING_OR_BUSY, OFTEN, type RouteContracts } from '#texts/routeContract.ts';

/** Error for no stock code or too many. */
export const SYMBOLS = `Give at most ${MAX_DAY_LINES} stock codes separated by commas, such as symbols=BHP,CBA.`;
const TIMEFRAME = `The timeframe must be one of ${CHART_TIMEFRAMES.join(', ')}.`;
const LIMIT = `The limit must be a whole number from 1 to ${MAX_BARS}.`;
const BEFORE = 'Send the time in milliseconds since 1970 (UTC), such as before=1795046400000.';

/** 9999-12-31, epoch ms. */
const LAST_MOMENT = 253_402_214_400_000;

const symbol = sent(text, { default: '', minLength: 1, maxLength: 40, error: NO_CODE });
const NO_STOCK = 'There is no data for this stock code.';
const PICTURE_REFUSALS = {
  404: NO_STOCK,
  429: 'More than 600 requests in one minute, or too many of your requests are waiting.',
  503: LOADING_OR_BUSY,
};

/** Data of a stock’s charts. */
export const STOCK = {
  'GET /api/data/auction': {
    access: 'visitor',
    tag: 'Market',
    summary: 'Read how the auctions of a day formed',
    description:
      'Match price, match volume and surplus since 07:00 as columns, with `time` in epoch ms on the market’s clock and null for missing values. `thinned` is true if changes were omitted.',
    query: object({ symbol }),
    answer: auctionAnswer,
    refusals: PICTURE_REFUSALS,
    example: { query: { symbol: 'BHP' } },
  },
  'GET /api/data/day-events': {
    access: 'visitor',
    tag: 'Market',
    summary: 'Read a stock’s status changes and auctions today',
    description:
      'Status changes since `knownSince`, and the prices and volumes of the opening and closing auctions. An unknown volume is null.',
    query: object({ symbol }),
    answer: dayEventsAnswer,
    refusals: PICTURE_REFUSALS,
    example: { query: { symbol: 'BHP' } },
  },
  'GET /api/data/bars': {
    access: 'visitor',
    tag: 'Market',
    summary: 'Read bars of a stock',
    description:
      'Columns, oldest first, including the current bar; intraday bars start at 10:00 Sydney, and daily and longer bars have midnight UTC of their first date. Missing periods are in `unknown`, and `If-None-Match` returns 304 if nothing changed.',
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
    summary: 'Read intraday lines of several stocks',
    description:
      'The last price of every five minutes from 10:00 Sydney, and the previous close, for at most 100 stocks. Periods without trades are null, and unknown stocks are omitted.',
    query: object({
      symbols: sent(text, { default: '', minLength: 1, maxLength: MAX_DAY_LINES * 12, error: SYMBOLS }),
    }),
    answer: dayLinesAnswer,
    refusals: { 429: OFTEN, 503: BUSY },
    example: { query: { symbols: 'BHP' } },
  },
} as const satisfies RouteContracts;

/** The levels of one stock’s chart. */
const stockLevels = object({ symbol: text, prices: list(number) }, ['symbol']);
export const chartLevelsAnswer = object({ levels: list(stockLevels) });

export const CHART_LEVELS = {
  'GET /api/settings/chart-levels': {
    access: 1,
    tag: 'Settings',
    summary: 'List the levels in charts',
    description: 'Prices in AUD by stock, adjusted for splits since they were saved.',
    answer: chartLevelsAnswer,
    example: {},
  },
  'PUT /api/settings/chart-levels': {
    access: 1,
    tag: 'Settings',
    summary: 'Save the levels in a stock’s chart',
    description: `Replaces the levels of one stock; at most ${MAX_LEVELS}. Prices are rounded to price steps.`,
    body: object({ symbol, prices: sent(list(number), { maxItems: 10 * MAX_LEVELS }, {}) }),
    answer: stockLevels,
    example: { body: { symbol: 'BHP', prices: [45.5, 48] } },
  },
} as const satisfies RouteContracts;
