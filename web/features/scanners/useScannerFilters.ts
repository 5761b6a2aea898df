import { useCallback, useEffect, useMemo } from 'react';
import { OPEN_FILTERS, type ScannerFilters } from '../../../src/domain/scanners/filters.ts';
import type { ScannerKey } from '../../../src/domain/scanners/scanners.ts';
import { forgetRow, requestedRow } from '../../shared/requestedRow.ts';

function changesOf(before: ScannerFilters, after: ScannerFilters): Partial<ScannerFilters> {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => before[name as keyof ScannerFilters] !== value),
  );
}

/**
 * The filters in force: the user's own; or, after a jump to a stock, its code alone, until a filter is changed or the
 * scanner is left.
 * @param own the user's own filters
 * @param onChange stores them
 */
export function useScannerFilters(
  scanner: ScannerKey,
  own: ScannerFilters,
  onChange: (change: { filters: ScannerFilters }) => void,
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
      onChange({ filters: changed });
    },
    [scanner, own, onChange, filters, requestedCode],
  );
  return { filters, setFilters, requestedCode };
}
