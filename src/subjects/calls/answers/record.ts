import { boolean, count, epochMs, list, number, or, orNull, readBy, words } from '#lib/contract/fields.ts';
import { always, object } from '#lib/contract/objects.ts';
import { HOLDING_BINS, RESULT_BINS } from '../rules/record.ts';
import { metrics } from './board.ts';
import { person } from './call.ts';

const howMany = or(count, 0);

/** Results of one kind: how many there are, how many gained, their mean in percent. */
export const resultGroup = always(object({ count: howMany, wins: howMany, mean: orNull(number) }));

/** A verified result of an ended call. Of a call that was rejected nothing is told but its result, which counts. */
export const callResult = object(
  {
    publicId: orNull(words),
    symbol: orNull(words),
    /** Percent. */
    percent: number,
    /** When the call ended, epoch ms by the clock of its market. */
    endedAt: epochMs,
    /** From fill to end, days with decimals. */
    days: or(number, 0),
  },
  ['percent', 'endedAt'],
);

/** As many members as there are bins; what is not told is empty. */
const binned =
  <K>(bins: readonly unknown[], read: (value: unknown) => K) =>
  (value: unknown): K[] =>
    bins.map((_, index) => read(Array.isArray(value) ? value[index] : undefined));

/** What the verified results of somebody's ended calls say. */
export const endedStats = always(
  object({
    ...resultGroup.members,
    median: orNull(number),
    /** The best and the worst three, the furthest first. */
    best: list(callResult),
    worst: list(callResult),
    /** How many lie in each of `RESULT_BINS`. */
    distribution: readBy(list(howMany), binned(RESULT_BINS, howMany.read)),
    /** Of each of `HOLDING_BINS`. */
    holding: readBy(list(resultGroup), binned(HOLDING_BINS, resultGroup.read)),
    medianDays: orNull(number),
    /** By the month in which they ended, the newest first; `month` is YYYY-MM in Sydney. */
    months: list(object({ month: words, ...resultGroup.members }, ['month'])),
    /** The newest, in the order in which they ended. */
    newest: list(callResult),
  }),
);

/** One submitter's calls on one source. */
export const sourceRecord = object(
  {
    source: words,
    metrics: always(metrics),
    /** Ended calls whose exit is awaited; cancelled before any trade; rejected by an administrator. */
    awaiting: howMany,
    neverTraded: howMany,
    rejected: howMany,
    ended: endedStats,
    /** Filled calls without an exit, at the last price; percent. */
    running: resultGroup,
    /** Whether only the newest ended calls were looked at. */
    isCut: or(boolean, false),
  },
  ['source'],
);

/** `GET /api/calls/by/:name`. */
export const recordAnswer = object({
  submitter: person,
  /** The name of the source that runs. */
  source: words,
  /** That of the source that runs first; results on different sources can't be compared. */
  records: list(sourceRecord),
});
