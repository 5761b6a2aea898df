import type { Breadth } from '../../../market/rules/breadth.ts';
import type { Securities } from '../../../market/rules/securities.ts';
import { navigate } from '../../../../web/router/navigate.ts';
import { TAB_ROUTES } from '../../../../web/router/routes.ts';
import { requestFilter } from '../../../../web/shared/requestedFilter.ts';
import { requestRow } from '../../../../web/shared/requestedRow.ts';

/** Which stocks somebody wants to see. */
export type Chosen = { side?: Breadth; sector?: string };

const SORTS: Partial<Record<Breadth, { id: string; desc: boolean }>> = {
  advancers: { id: 'change_percent', desc: true },
  decliners: { id: 'change_percent', desc: false },
  unusualVolume: { id: 'relativeVolume', desc: true },
};

const goToCustom = (): void => navigate(TAB_ROUTES.find(({ tab }) => tab.scanner === 'custom')?.path ?? '/');

/**
 * Shows these stocks, all of them, in the custom scanner: the others show movers alone. Its other filters and its scan are
 * taken away, as they would hide some of what was counted.
 */
export function showInScanner(chosen: Chosen, securities: Securities | undefined): void {
  requestFilter({ ...chosen, securities, sort: chosen.side && SORTS[chosen.side] });
  goToCustom();
}

/** Goes to a stock's row, with its chart and news open. */
export function showStock(code: string): void {
  requestRow({ scanner: 'custom', code, opensNews: true });
  goToCustom();
}
