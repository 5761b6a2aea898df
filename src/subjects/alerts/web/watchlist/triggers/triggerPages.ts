import type { ListedTrigger } from '../../../rules/triggerList.ts';
import type { TriggerPage } from './readTriggerList.ts';

export const triggerRowId = ({ kind, id }: Pick<ListedTrigger, 'kind' | 'id'>): string => `${kind} ${id}`;

/**
 * The list with its newest page read again: what came is on top, and what is gone from the top is gone.
 * @param newest the first page; where it does not reach what is there already, what is in between is not known, and the list begins anew
 */
export function withNewest(list: TriggerPage | null, newest: TriggerPage): TriggerPage {
  const last = newest.triggers.at(-1);
  if (list === null || last === undefined || newest.next === null) return newest;
  const known = list.triggers.findIndex((one) => triggerRowId(one) === triggerRowId(last));
  if (known < 0) return newest;
  const older = list.triggers.slice(known + 1);
  return { triggers: [...newest.triggers, ...older], next: older.length === 0 ? newest.next : list.next };
}

/** The list with the page that is behind it. */
export const withOlder = (list: TriggerPage, older: TriggerPage): TriggerPage => ({
  triggers: [...list.triggers, ...older.triggers],
  next: older.next,
});
