import {
  count,
  date,
  integer,
  type Known,
  list,
  or,
  orNull,
  readBy,
  text,
  words,
} from '#lib/contract/fields.ts';
import { object, extension } from '#lib/contract/objects.ts';
import { readTime } from '#lib/read.ts';

/** Whole epoch ms. */
const time = readBy(integer, readTime);

const endpointCalls = object(
  {
    method: or(text, ''),
    endpoint: words,
    count,
    errors: extension(count),
    averageMs: extension(count),
    slowestMs: extension(count),
    lastAt: extension(time),
    /** Null if no call of the day returned a usable answer. */
    lastSuccessAt: extension(orNull(time)),
    lastError: extension(orNull(words)),
  },
  ['endpoint'],
);
export type EndpointCallsOfDay = Known<typeof endpointCalls>;

/** Answer of `GET /api/admin/external-metrics`, by Sydney days. */
export const metricsAnswer = object({
  metrics: list(endpointCalls),
  date,
  days: extension(list(date)),
});
export type DayOfCalls = Known<typeof metricsAnswer>;
