import { isRecord } from '../../../lib/json.ts';
import { readCount } from '../../../lib/read.ts';
import { type Listed, readItem } from './item.ts';

/**
 * One answered list. `given` counts its items, `refused` those that could not be read; `total` is how many there are on
 * all pages, null when that is not said.
 */
export type ListAnswer =
  | {
      kind: 'list';
      items: Listed[];
      given: number;
      refused: number;
      firstRefusal: string | null;
      total: number | null;
    }
  /** Nothing of it may be used; `reason` completes "ASX …". */
  | { kind: 'unusable'; reason: string };

/** Above this share of unreadable items the list has another shape than the one known here. */
const MAX_REFUSED_SHARE = 0.5;
/** Above this share of neighbours in the wrong order the list is sorted in another way. */
const MAX_DISORDER_SHARE = 0.2;
/** More than any page ever has. */
const MAX_ITEMS = 2000;

const unusable = (reason: string): ListAnswer => ({ kind: 'unusable', reason });

/** Times are whole seconds, and announcements of the same moment stand in any order. */
const isDisordered = (items: readonly Listed[]): boolean =>
  items.filter(({ time }, at) => time > (items[at - 1]?.time ?? time)).length >
  items.length * MAX_DISORDER_SHARE;

/**
 * Checks an answered list and reads its announcements, in its order. An unreadable one costs itself only.
 * @param body the parsed answer
 * @param options.code of whose list it is; null for the market's
 */
export function readAnswer(
  body: unknown,
  options: { base: string; code: string | null; now: number },
): ListAnswer {
  const data = isRecord(body) ? body['data'] : null;
  if (!isRecord(data)) return unusable('sent something else than a list of announcements');
  const given = data['items'];
  if (!Array.isArray(given)) return unusable('sent a list of announcements in an unknown shape');
  const results = given.slice(0, MAX_ITEMS).map((item: unknown) => readItem(item, options));
  const items = results.flatMap((result) => (result.ok ? [result.value] : []));
  const refusals = results.flatMap((result) => (result.ok ? [] : [result.error]));
  const [firstRefusal = null] = refusals;
  if (refusals.length > results.length * MAX_REFUSED_SHARE) {
    const share = `${refusals.length} of ${results.length}`;
    return unusable(`sent ${share} announcements in an unknown shape (${firstRefusal})`);
  }
  if (isDisordered(items)) return unusable('sent its announcements in an unknown order');
  const total = readCount(data['count']);
  return { kind: 'list', items, given: given.length, refused: refusals.length, firstRefusal, total };
}
