import { SORT_BY_CHANGE, useActions } from '#web/shared/actions.ts';
import { countFilters, OPEN_FILTERS, type ScannerFilters } from '../rules/filters.ts';
import { SCANNERS, type Sort } from '../rules/scanners.ts';
import type { ScannerPreferences } from './scannerPreferences.ts';
import type { ScannerScreenProps } from './ScannerScreen.tsx';

const BY_CHANGE: Sort = { id: 'change_percent', desc: true };

type Changes = {
  change(preferences: Partial<ScannerPreferences>): void;
  setFilters(filters: ScannerFilters): void;
};

/** What the palette offers while the scanner is shown. */
export function useScannerActions(
  { scanner, onConfigure }: Pick<ScannerScreenProps, 'scanner' | 'onConfigure'>,
  filters: ScannerFilters,
  columns: readonly { id: string }[],
  { change, setFilters }: Changes,
): void {
  const hasFilters = countFilters(filters) > 0 || filters.text !== '';
  const sortsByChange =
    SCANNERS[scanner].metric.id === 'pips' && columns.some(({ id }) => id === BY_CHANGE.id);
  useActions([
    { label: 'Configure Columns', words: 'layout', run: onConfigure },
    ...(sortsByChange
      ? [{ label: SORT_BY_CHANGE, words: 'order percent', run: () => change({ sort: BY_CHANGE }) }]
      : []),
    ...(hasFilters
      ? [{ label: 'Clear the filters', words: 'reset show all', run: () => setFilters(OPEN_FILTERS) }]
      : []),
  ]);
}
