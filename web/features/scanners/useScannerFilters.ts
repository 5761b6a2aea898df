import { useCallback, useEffect, useMemo } from 'react';
import { OPEN_FILTERS, type ScannerFilters } from '../../../src/domain/scanners/filters.ts';
import { SCANNERS, type ScannerKey, type Sort } from '../../../src/domain/scanners/scanners.ts';
import { forgetRow, requestedRow } from '../../shared/requestedRow.ts';
import type { ScannerPreferences } from './scannerPreferences.ts';

const GAP = SCANNERS.preMarket.metric.id;

function changesOf(before: ScannerFilters, after: ScannerFilters): Partial<ScannerFilters> {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => before[name as keyof ScannerFilters] !== value),
  );
}

/**
 * The filters in force: the user's own; or, after a jump to a stock, its code alone, until a filter is changed or the
 * scanner is left.
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
  const filters = useMemo(
    () => (requestedCode === null ? own : { ...OPEN_FILTERS, text: requestedCode }),
    [own, requestedCode],
  );
  const setFilters = useCallback(
    (next: ScannerFilters) => {
      forgetRow(scanner);
      // After a jump the user's own filters come back, with the one change that was made now.
      const changed = requestedCode === null ? next : { ...own, ...changesOf(filters, next) };
      // The widest gap stays first where it is.
      const turns = changed.gaps !== own.gaps;
      const turned = (before: Sort) =>
        turns && before.id === GAP ? { id: GAP, desc: !changed.gaps } : before;
      onChange({ filters: changed, sort: turned(sort), snapshotSort: turned(snapshotSort) });
    },
    [scanner, own, sort, snapshotSort, onChange, filters, requestedCode],
  );
  return { filters, setFilters, requestedCode };
}
