import { computed, effect, type ReadonlySignal } from '@preact/signals-react';
import { marketNow } from '../live/market.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { currentHash, readAddressBar, replaceAddress } from './navigate.ts';
import { type Resolved, resolveRoute } from './resolveRoute.ts';
import { type Route, routeAt } from './routes.ts';

const resolved = computed((): Resolved => {
  const { isAuthenticated, accessLevel } = session.value;
  return resolveRoute(currentHash.value, { signedIn: isAuthenticated, accessLevel, now: marketNow() });
});

/** What is shown; null when there is nothing under this address. A redirect shows its target at once. */
export const route: ReadonlySignal<Route | null> = computed(() => {
  const found = resolved.value;
  if (found.kind === 'notFound') return null;
  return routeAt(found.kind === 'show' ? found.path : found.to) ?? null;
});

/** Follows the address bar and writes redirects back into it, without a history entry. Returns the stop function. */
export function startRouter(): () => void {
  readAddressBar();
  window.addEventListener('hashchange', readAddressBar);
  const stopRedirects = effect(function replaceRedirectedHash() {
    const found = resolved.value;
    if (found.kind !== 'redirect') return;
    replaceAddress(`#${found.to}`);
    queueMicrotask(readAddressBar);
  });
  return () => {
    window.removeEventListener('hashchange', readAddressBar);
    stopRedirects();
  };
}
