import { useCallback, useEffect } from 'react';
import type { ScannerFilters } from '#market/scanners/rules/filters.ts';
import { SCANNERS, type ScannerKey, type Sort } from '#market/scanners/rules/scanners.ts';
import { forgetRow, requestedRow } from '#web/shared/scannerRequests.ts';
import type { ScannerPreferences } from './scannerPreferences.ts';

const GAP = SCANNERS.preMarket.metric.id;

/**
 * The user's filters, and the stock that somebody jumped to: it is shown besides, until a filter is changed or the scanner
 * is left.
 * @param preferences the user's own filters, and the order that goes with them
 * @param onChange stores them
 */
export function useScannerFilters(
  scanner: ScannerKey,
  { filters: own, sort, snapshotSort }: ScannerPreferences,
  onChange: (change: Partial<ScannerPreferences>) => void,
) {
  const requested = requestedRow.value;
  const requestedCode = requested?.scanner === scanner ? requested.code : null;
  useEffect(() => () => forgetRow(scanner), [scanner]);
  const setFilters = useCallback(
    (next: ScannerFilters) => {
      forgetRow(scanner);
      // The widest gap stays first where it is.
      const turns = next.gaps !== own.gaps;
      const turned = (before: Sort) => (turns && before.id === GAP ? { id: GAP, desc: !next.gaps } : before);
      onChange({ filters: next, sort: turned(sort), snapshotSort: turned(snapshotSort) });
    },
    [scanner, own, sort, snapshotSort, onChange],
  );
  return { filters: own, setFilters, requestedCode };
}
