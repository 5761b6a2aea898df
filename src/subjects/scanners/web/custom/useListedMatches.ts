import { useMemo } from 'react';
import { isOnSide, type ScanLists } from '#subjects/conditions/rules/scanLists.ts';
import type { Listed } from '#market/scanners/rules/filters.ts';
import { useListed } from '../useListed.ts';

const NONE: ReadonlySet<string> = new Set();

const chosenOf = (lists: ScanLists | null): Listed | undefined => {
  if (lists === null) return undefined;
  return lists.id === null ? 'all' : [lists.id];
};

/** What a scan finds among the stocks that it looks at, and what keeps it from knowing those. */
export type ListedMatches = {
  /** Null without conditions. Nothing while the lists are not known, and where the list is gone. */
  matches: ReadonlySet<string> | null;
  /** The lists are on their way. */
  isAwaiting: boolean;
  /** The one list that it names was deleted. */
  isGone: boolean;
  /** Why the lists could not be loaded; null when they were. */
  error: string | null;
  reload(): Promise<void>;
};

/**
 * Leaves of a scan's matches those that stand on its owner's lists, or past them; live, as the lists change.
 * @param lists the same object as long as they stay the same; null asks for nothing
 */
export function useListedMatches(
  matches: ReadonlySet<string> | null,
  lists: ScanLists | null,
): ListedMatches {
  const chosen = useMemo(() => chosenOf(lists), [lists]);
  const { listed, isGone, error, reload } = useListed(chosen);
  const found = useMemo(() => {
    if (matches === null || lists === null) return matches;
    if (listed === null || isGone) return NONE;
    return new Set([...matches].filter((code) => isOnSide(lists.side, listed, code)));
  }, [matches, lists, listed, isGone]);
  const isAwaiting = lists !== null && listed === null && error === null;
  return { matches: found, isAwaiting, isGone, error, reload };
}
