import { t } from 'elysia';
import { BUSY, OFTEN } from '../../texts/readRefusals.ts';
import type { RouteDescriptions } from '../description.ts';

const numberOrNull = t.Optional(t.Unsafe({ type: ['number', 'null'] }));

/** Live prices. */
export const MARKET: RouteDescriptions = {
  'GET /api/data/stream': {
    tag: 'Market',
    summary: 'Follow the market live',
    description:
      'Server-sent events: `snapshot` with everything, then `delta_update` with JSON Merge Patches by code, and `ping`. ' +
      'Every event has an ID; with `Last-Event-ID` the stream goes on where it broke off, where that is still known.',
    answerType: 'text/event-stream',
    refusals: {
      429: 'As many streams are open as this server allows, or too many were opened from the address in a minute.',
      503: 'The server is stopping.',
    },
    example: {},
  },
  'POST /api/ingest/market': {
    tag: 'Market',
    summary: 'Send quotes to the market',
    description:
      'For a broker bridge: one JSON object, a list, or one object a line (NDJSON). A line that is refused costs the ' +
      'others nothing. Without a key in the settings there is no such address. More fields: docs/sources.md.',
    key: 'ingestKey',
    body: t.Object(
      {
        code: t.String(),
        name: t.Optional(t.String()),
        close: numberOrNull,
        open: numberOrNull,
        high: numberOrNull,
        low: numberOrNull,
        last: numberOrNull,
        volume: numberOrNull,
      },
      { additionalProperties: true },
    ),
    refusals: {
      401: 'The key is missing or wrong.',
      404: 'The server has no key for this.',
      413: 'The body is larger than 4 MB.',
      429: 'Sent faster than the market takes it.',
    },
    example: { body: { code: 'BHP', name: 'BHP Group', close: 49.75, last: 50.6, volume: 10_136_377 } },
  },
  'GET /api/data/tape': {
    tag: 'Market',
    summary: 'Read a scanner as it stood at a minute',
    description:
      'The rows of a scanner’s table in their default order, so that a row’s place is its rank, with the figures of its ' +
      'default columns. Kept are the stocks of at least $5,000, of all price groups. `time` of the answer is the recorded ' +
      'minute, at most five before the one that was asked for; null where nothing was recorded. Without date and time it is ' +
      'the newest minute. Dates and times are Sydney’s.',
    refusals: {
      400: 'No such table, or no such date or time.',
      429: OFTEN,
      503: BUSY,
    },
    example: { query: { table: 'intraDaySmall', date: '2026-11-18', time: '10:59' } },
  },
  'GET /api/data/tape/days': {
    tag: 'Market',
    summary: 'List the days of the tape',
    description: 'Newest first, each with the stretches in which it was recorded. Ten days are kept.',
    refusals: { 429: OFTEN, 503: BUSY },
    example: {},
  },
  'GET /api/data/tape/changes': {
    tag: 'Market',
    summary: 'List who entered and left a scanner',
    description:
      'Newest first, from the minute after `since` to `time`: without them the last 15 minutes. At most two hours and 200 ' +
      'changes; `isCut` says that there were more.',
    refusals: { 400: 'No such table, date or time.', 429: OFTEN, 503: BUSY },
    example: { query: { table: 'intraDaySmall', since: '10:45', time: '11:00' } },
  },
};
