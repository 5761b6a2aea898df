import type { Breadth } from '#market/rules/breadth.ts';
import type { Securities } from '#market/rules/stockState.ts';
import { navigate } from '#web/router/navigate.ts';
import { TAB_ROUTES } from '#web/router/routes.ts';
import { requestView } from '#web/shared/scannerRequests.ts';

export type Chosen = { side?: Breadth; sector?: string };

const goToCustom = (): void => navigate(TAB_ROUTES.find(({ tab }) => tab.scanner === 'custom')?.path ?? '/');

/** Shows stocks in the custom scanner, because the others show only movers. */
export function showInScanner(chosen: Chosen, securities: Securities | undefined): void {
  requestView({ ...chosen, securities });
  goToCustom();
}
