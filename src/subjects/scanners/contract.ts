import { text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import { BUSY, OFTEN, type RouteContracts } from '#texts/routeContract.ts';
import { changesAnswer, daysAnswer, historyAnswer } from './answers/history.ts';
import { HISTORY_TABLES } from '#market/scanners/rules/historyTables.ts';

const table = sent(text, { maxLength: 40, error: `The table must be one of ${HISTORY_TABLES.join(', ')}.` });
const date = optional(sent(text, { maxLength: 10, error: 'Write the date as YYYY-MM-DD.' }));
const time = optional(sent(text, { maxLength: 5, error: 'Write the time as HH:MM.' }));

/** Scanner history: the stocks in a scanner, minute by minute. */
export const HISTORY = {
  'GET /api/data/tape': {
    access: 1,
    tag: 'Market',
    summary: 'Read a scanner at an earlier minute',
    description:
      'Rows are in default order with the default columns, for stocks with at least $5,000 traded, as known at the beginning of the minute. `time` is the recorded minute, at most four before the requested one (Sydney time; default newest), or null.',
    query: object({ table, date, time }),
    answer: historyAnswer,
    refusals: { 400: 'The table, date or time does not exist.', 429: OFTEN, 503: BUSY },
    example: { query: { table: 'intraDaySmall', date: '2026-11-18', time: '10:59' } },
  },
  'GET /api/data/tape/days': {
    access: 1,
    tag: 'Market',
    summary: 'List days of scanner history',
    description: 'Newest first, with the recorded periods. `BELLBIRD_HISTORY_SESSIONS` days are kept.',
    answer: daysAnswer,
    refusals: { 429: OFTEN, 503: BUSY },
    example: {},
  },
  'GET /api/data/tape/changes': {
    access: 1,
    tag: 'Market',
    summary: 'List stocks that entered or left a scanner',
    description:
      'From `since` to `time`, newest first; the default is the last 15 minutes. At most two hours and 200 changes; `isCut` is true if there were more.',
    query: object({ table, date, time, since: time }),
    answer: changesAnswer,
    refusals: { 400: 'The table, date or time does not exist.', 429: OFTEN, 503: BUSY },
    example: { query: { table: 'intraDaySmall', since: '10:45', time: '11:00' } },
  },
} as const satisfies RouteContracts;
