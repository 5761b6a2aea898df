import { useMemo } from 'react';
import { isOnSide, type ScanLists } from '#subjects/conditions/rules/scanLists.ts';
import type { Listed } from '#market/scanners/rules/filters.ts';
import { useListed } from '../listsAndAlerts.ts';
import { formatNumber } from '#texts/format.ts';
import { ignoresStatus } from '#web/live/market.ts';
import type { Column } from '#market/scanners/rules/columns.ts';
import { hasColumn, operandColumn } from '#subjects/scanners/rules/operandColumn.ts';
import { platformCatalog } from '#web/shared/indicators/catalog.ts';
import type { ReadOperand } from '#subjects/conditions/rules/condition.ts';
import { operandId, operandText } from '#subjects/conditions/rules/operand.ts';

type Counts = {
  matches: number;
  total: number;
  /** Number of matches after the scanner's filters. */
  shown: number;
  /** True while stocks or values are still arriving. */
  isPartial: boolean;
};

/** '104 of 2,000 match', '104 match, 94 shown after filters', or '57 so far' while partial. */
export function countText({ matches, total, shown, isPartial }: Counts): string {
  const count = formatNumber(matches, 0);
  if (isPartial) return `${count} so far`;
  if (shown < matches) return `${count} match, ${formatNumber(shown, 0)} shown after filters`;
  return `${count} of ${formatNumber(total, 0)} match`;
}

/** A column for each operand whose value differs between stocks. @param operands must be stable */
export function useOperandColumns(operands: readonly ReadOperand[]): readonly Column[] {
  const catalog = platformCatalog.value?.catalog ?? null;
  return useMemo(
    () =>
      operands
        .filter(hasColumn)
        .map((operand) =>
          operandColumn(operandId(operand), operandText(operand, catalog), operand, ignoresStatus),
        ),
    [operands, catalog],
  );
}

const NONE: ReadonlySet<string> = new Set();

const chosenOf = (lists: ScanLists | null): Listed | undefined => {
  if (lists === null) return undefined;
  return lists.id === null ? 'all' : [lists.id];
};

export type ListedMatches = {
  /** Null without conditions; empty while the lists load, or if the list was deleted. */
  matches: ReadonlySet<string> | null;
  isAwaiting: boolean;
  /** True if the only list of the scan was deleted. */
  isGone: boolean;
  error: string | null;
  reload(): Promise<void>;
};

/**
 * The matches of a scan that are on, or not on, the user's lists, updated live.
 * @param lists must be stable; null requests nothing
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
