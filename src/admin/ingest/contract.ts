import { choice, integer, list, map, number, orNull, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { byRules } from '#lib/contract/requests.ts';
import { OVERNIGHT_IDS } from '#market/rules/overnight.ts';
import type { RouteContracts } from '#texts/routeContract.ts';

const figure = optional(orNull(number));

const ingestAnswer = object({
  /** Number of stocks that were updated. */
  applied: integer,
  /** Refused lines, at most the first 1,000, in order; `field` is the invalid field, if one is. */
  rejected: list(object({ line: integer, code: orNull(text), error: text, field: optional(text) })),
  rejectedCount: integer,
  /** Unknown fields, each with the number of stocks that had it; omitted if there are none. */
  ignored: optional(map(integer)),
});

/** Input for broker bridges. */
export const INGEST = {
  'POST /api/ingest/market': {
    access: 'anyone',
    tag: 'Market',
    summary: 'Send quotes to the market',
    description:
      'The body is one JSON object, a list, or one object per line (NDJSON); invalid lines do not affect the others. See docs/sources.md for all fields.',
    key: 'ingestKey',
    // The schema is not checked: bridges send NDJSON with any content type, and invalid lines are listed by number.
    body: byRules(
      object({
        code: text,
        name: optional(text),
        close: figure,
        open: figure,
        high: figure,
        low: figure,
        last: figure,
        volume: figure,
      }),
      { additionalProperties: true },
    ),
    answer: ingestAnswer,
    refusals: {
      401: 'The key is missing or wrong.',
      404: 'The server has no key for this route.',
      413: 'The body is larger than 4 MB.',
      429: 'Quotes arrive faster than the market can process them.',
    },
    example: { body: { code: 'BHP', name: 'BHP Group', close: 49.75, last: 50.6, volume: 10_136_377 } },
  },
  'POST /api/ingest/overnight': {
    access: 'anyone',
    tag: 'Market',
    summary: 'Send figures of other markets',
    description:
      '`change` is percent since the previous close of that market. A figure replaces the one of the price source for 18 hours.',
    key: 'ingestKey',
    body: byRules(
      object({
        figures: list(object({ id: choice(OVERNIGHT_IDS), last: optional(orNull(number)), change: number })),
      }),
    ),
    answer: object({ applied: integer }),
    refusals: {
      400: 'A figure is invalid.',
      401: 'The key is missing or wrong.',
      404: 'The server has no key for this route.',
      413: 'The body is larger than 16 KB.',
    },
    example: { body: { figures: [{ id: 'spx', last: 6250.5, change: 0.42 }] } },
  },
} as const satisfies RouteContracts;
