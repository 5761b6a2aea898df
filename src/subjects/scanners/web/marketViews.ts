import type { MarketView } from '#web/shared/scannerRequests.ts';
import { CHANGE_PERCENT, type Column, RELATIVE_VOLUME } from '#market/scanners/rules/columns.ts';
import { OPEN_FILTERS, SIDE_LABELS } from '#market/scanners/rules/filters.ts';
import type { Sort } from '#market/scanners/rules/scanners.ts';
import { withColumns } from '../rules/shownColumns.ts';
import type { ScannerPreferences } from './scannerPreferences.ts';

/** What the view shows, in words. */
export const viewLabel = ({ side, sector = '' }: MarketView): string => (side ? SIDE_LABELS[side] : sector);

function sortOf({ side }: MarketView): Sort {
  if (side === 'unusualVolume') return { id: RELATIVE_VOLUME.id, desc: true };
  return { id: CHANGE_PERCENT.id, desc: side !== 'decliners' && side !== 'newLows' };
}

/** How a view begins: only its own filters, so that it shows as many stocks as were counted. */
export const viewPreferences = (view: MarketView): ScannerPreferences => ({
  sort: sortOf(view),
  snapshotSort: sortOf(view),
  filters: { ...OPEN_FILTERS, securities: view.securities },
});

/** The user's columns, with those that the view is read by behind the name if they are not among them. */
export function viewColumns({ side }: MarketView, own: readonly Column[]): readonly Column[] {
  const read = side === 'unusualVolume' ? [RELATIVE_VOLUME, CHANGE_PERCENT] : [CHANGE_PERCENT];
  const missing = read.filter(({ id }) => own.every((column) => column.id !== id));
  return withColumns([...own.filter(({ kind }) => kind === 'name'), ...missing], own);
}
