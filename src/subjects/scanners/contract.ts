import { text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import { BUSY, OFTEN, type RouteContracts } from '#texts/routeContract.ts';
import { changesAnswer, daysAnswer, historyAnswer } from './answers/history.ts';
import { HISTORY_TABLES } from '#market/scanners/rules/historyTables.ts';

const table = sent(text, { maxLength: 40, error: `The table is one of ${HISTORY_TABLES.join(', ')}.` });
const date = optional(sent(text, { maxLength: 10, error: 'A date is written as YYYY-MM-DD.' }));
const time = optional(sent(text, { maxLength: 5, error: 'A time of day is written as HH:MM.' }));

/** Which stocks stood in a scanner, minute by minute: each route with what it is sent, what it answers, and its words. */
export const HISTORY = {
  'GET /api/data/tape': {
    access: 1,
    tag: 'Market',
    summary: 'Read a scanner as it stood at a minute',
    description:
      'The rows of a scanner’s table in their default order, so that a row’s place is its rank, with the figures of its ' +
      'default columns. Kept are the stocks of at least $5,000, of all price groups. `time` of the answer is the recorded ' +
      'minute, at most five before the one that was asked for; null where nothing was recorded. Without date and time it is ' +
      'the newest minute. Dates and times are Sydney’s.',
    query: object({ table, date, time }),
    answer: historyAnswer,
    refusals: { 400: 'No such table, or no such date or time.', 429: OFTEN, 503: BUSY },
    example: { query: { table: 'intraDaySmall', date: '2026-11-18', time: '10:59' } },
  },
  'GET /api/data/tape/days': {
    access: 1,
    tag: 'Market',
    summary: 'List the days of the tape',
    description: 'Newest first, each with the stretches in which it was recorded. Ten days are kept.',
    answer: daysAnswer,
    refusals: { 429: OFTEN, 503: BUSY },
    example: {},
  },
  'GET /api/data/tape/changes': {
    access: 1,
    tag: 'Market',
    summary: 'List who entered and left a scanner',
    description:
      'Newest first, from the minute after `since` to `time`: without them the last 15 minutes. At most two hours and 200 ' +
      'changes; `isCut` says that there were more.',
    query: object({ table, date, time, since: time }),
    answer: changesAnswer,
    refusals: { 400: 'No such table, date or time.', 429: OFTEN, 503: BUSY },
    example: { query: { table: 'intraDaySmall', since: '10:45', time: '11:00' } },
  },
} as const satisfies RouteContracts;
