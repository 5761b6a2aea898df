import { isRecord } from '#lib/json.ts';
import { readCount, readRecord, readText } from '#lib/read.ts';
import { ok, refuse, type Result } from '#lib/result.ts';

/** On a user's lists, or on none of them. */
export const LIST_SIDES = ['on', 'off'] as const;
export type ListSide = (typeof LIST_SIDES)[number];

/**
 * Whose stocks a saved scan looks at: those that stand on its owner's lists, or those that don't. It is no condition:
 * conditions are read off a stock alone, and equal ones of several people are watched as one.
 */
export type ScanLists = {
  side: ListSide;
  /** Of one list; null for all lists of its owner. */
  id: number | null;
  /** What that list is called, or was called last; null for all. */
  name: string | null;
};

/** A list of a user, as far as scans name it. */
export type NamedList = { id: number; name: string };

/**
 * Checks which lists a scan was sent with. The name is the list's own, whatever was sent.
 * @param lists the lists of the scan's owner
 * @returns null for all stocks
 */
export function checkScanLists(sent: unknown, lists: readonly NamedList[]): Result<ScanLists | null> {
  if (sent === null || sent === undefined) return ok(null);
  if (!isRecord(sent))
    return refuse('The lists of a scan have a side and the id of one list, or null for all.');
  const side = LIST_SIDES.find((one) => one === sent['side']);
  if (!side) return refuse('A scan looks at stocks "on" lists or "off" them.', 'side');
  const id = sent['id'] ?? null;
  if (id === null) return ok({ side, id, name: null });
  const list = lists.find((one) => one.id === id);
  return list
    ? ok({ side, id: list.id, name: list.name })
    : refuse('That list does not exist any more. Choose another one.', 'id');
}

/** What is stored, as it was written by a check. */
export function readScanLists(value: unknown): ScanLists | null {
  const given = readRecord(value);
  const side = LIST_SIDES.find((one) => one === given.side);
  return side ? { side, id: readCount(given.id), name: readText(given.name) } : null;
}

/** The lists of a scan under the names that they have now; one that was deleted keeps its last. */
export const withListName = (chosen: ScanLists | null, lists: readonly NamedList[]): ScanLists | null =>
  chosen && { ...chosen, name: lists.find(({ id }) => id === chosen.id)?.name ?? chosen.name };

/** Says which list of a scan was deleted; null while it is there. */
export const listProblem = (chosen: ScanLists | null, lists: readonly NamedList[]): string | null =>
  chosen === null || chosen.id === null || lists.some(({ id }) => id === chosen.id)
    ? null
    : `Your list “${chosen.name ?? 'of before'}” was deleted.`;

/** Whether a scan looks at a stock. @param listed the symbols on what it names */
export const isOnSide = (side: ListSide, listed: ReadonlySet<string>, code: string): boolean =>
  listed.has(code) === (side === 'on');

/** 'on my list “Mining”', 'not on any of my lists'. */
export function scanListsText({ side, id, name }: ScanLists): string {
  if (id === null) return side === 'on' ? 'on my lists' : 'not on my lists';
  return `${side === 'on' ? 'on' : 'not on'} my list “${name ?? ''}”`;
}
