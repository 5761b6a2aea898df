import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-react';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { startSheetHistory } from '../ui/sheetHistory.ts';
import { marketNow } from '../live/market.ts';
import { readStoredText, writeStoredText } from '../shared/storage.ts';
import { currentHash, readAddressBar, replaceAddress, type Resolved, resolveRoute } from './navigate.ts';
import { navPath, type NavRoute, type Route, routeAt } from './routes.ts';

const resolved = computed((): Resolved => {
  const { isAuthenticated, accessLevel } = session.value;
  return resolveRoute(currentHash.value, { signedIn: isAuthenticated, accessLevel, now: marketNow() });
});

/** The current route; null for an unknown address. For a redirect it is the target. */
export const route: ReadonlySignal<Route | null> = computed(() => {
  const found = resolved.value;
  if (found.kind === 'notFound') return null;
  return routeAt(found.kind === 'show' ? found.path : found.to) ?? null;
});

/** Follows the address bar and writes redirects into it without a history entry. Returns the stop function. */
export function startRouter(): () => void {
  readAddressBar();
  const stopSheets = startSheetHistory();
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
    stopSheets();
  };
}

const KEY = 'bellbird.lastScanner';

/** Reads the last scanner of this window, kept across reloads. */
function readLast(): string | null {
  const kept = readStoredText(KEY, 'window');
  return kept !== null && routeAt(kept)?.tab !== undefined ? kept : null;
}

const state = signal<string | null>(readLast());

/** The last scanner of this window; null before the first one, and after a logout. */
export const lastScanner: ReadonlySignal<string | null> = state;

/** The address of a navigation item. From another screen, the scanners' item leads to the last scanner. */
export function wayTo(item: NavRoute): string {
  const comesBack = item.tab !== undefined && route.value?.tab === undefined;
  return (comesBack && state.value) || navPath(item);
}

export function followScanners(): () => void {
  return effect(function noteScanner() {
    const path = session.value.isAuthenticated ? route.value?.tab && route.value.path : null;
    if (path === undefined || path === state.peek()) return;
    state.value = path;
    writeStoredText(KEY, path, 'window');
  });
}
