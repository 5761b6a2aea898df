import { isRecord } from '#lib/json.ts';
import { readCount, readRecord, readText } from '#lib/read.ts';
import { ok, refuse, type Result } from '#lib/result.ts';

/** `on`: stocks on the user's lists. `off`: the others. */
export const LIST_SIDES = ['on', 'off'] as const;
export type ListSide = (typeof LIST_SIDES)[number];

/**
 * The stocks of a saved scan: those on its owner's watchlists, or the others. It is not a condition, because conditions
 * read only a stock, and equal conditions of several users are evaluated once.
 */
export type ScanLists = {
  side: ListSide;
  /** Null for all lists of the owner. */
  id: number | null;
  /** The list's current name, or its last one if it was deleted; null for all lists. */
  name: string | null;
};

export type NamedList = { id: number; name: string };

/** A list gets its own name, whatever was sent. @param lists the owner's lists @returns null for all stocks */
export function checkScanLists(sent: unknown, lists: readonly NamedList[]): Result<ScanLists | null> {
  if (sent === null || sent === undefined) return ok(null);
  if (!isRecord(sent))
    return refuse('`lists` must have a side and the id of one list, or null for all lists.');
  const side = LIST_SIDES.find((one) => one === sent['side']);
  if (!side) return refuse('The side must be "on" or "off".', 'side');
  const id = sent['id'] ?? null;
  if (id === null) return ok({ side, id, name: null });
  const list = lists.find((one) => one.id === id);
  return list
    ? ok({ side, id: list.id, name: list.name })
    : refuse('That list no longer exists. Choose another one.', 'id');
}

export function readScanLists(value: unknown): ScanLists | null {
  const given = readRecord(value);
  const side = LIST_SIDES.find((one) => one === given.side);
  return side ? { side, id: readCount(given.id), name: readText(given.name) } : null;
}

/** Updates the list's name; a deleted list keeps its last one. */
export const withListName = (chosen: ScanLists | null, lists: readonly NamedList[]): ScanLists | null =>
  chosen && { ...chosen, name: lists.find(({ id }) => id === chosen.id)?.name ?? chosen.name };

/** Describes a deleted list; null if the list exists. */
export const listProblem = (chosen: ScanLists | null, lists: readonly NamedList[]): string | null =>
  chosen === null || chosen.id === null || lists.some(({ id }) => id === chosen.id)
    ? null
    : `Your list “${chosen.name ?? 'unnamed'}” was deleted.`;

/** Whether a stock is on the chosen side. @param listed the symbols of the scan's lists */
export const isOnSide = (side: ListSide, listed: ReadonlySet<string>, code: string): boolean =>
  listed.has(code) === (side === 'on');

/** 'on my list “Mining”', 'not on any of my lists'. */
export function scanListsText({ side, id, name }: ScanLists): string {
  if (id === null) return side === 'on' ? 'on my lists' : 'not on my lists';
  return `${side === 'on' ? 'on' : 'not on'} my list “${name ?? ''}”`;
}
