import { effect, type ReadonlySignal, signal } from '@preact/signals-react';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { readStoredText, writeStoredText } from '../shared/storage.ts';
import { route } from './router.ts';
import { navPath, type NavRoute, routeAt } from './routes.ts';

const KEY = 'bellbird.lastScanner';

/** Of this window alone, over a reload. */
function readLast(): string | null {
  const kept = readStoredText(KEY, 'window');
  return kept !== null && routeAt(kept)?.tab !== undefined ? kept : null;
}

const state = signal<string | null>(readLast());

/** The address of the scanner that this window showed last; null before one was, and after a logout. */
export const lastScanner: ReadonlySignal<string | null> = state;

/** Where an item of the main navigation leads: that of the scanners, from another screen, to the one that was left. */
export function wayTo(item: NavRoute): string {
  const comesBack = item.tab !== undefined && route.value?.tab === undefined;
  return (comesBack && state.value) || navPath(item);
}

/** Notes which scanner is shown. Returns the stop function. */
export function followScanners(): () => void {
  return effect(function noteScanner() {
    const path = session.value.isAuthenticated ? route.value?.tab && route.value.path : null;
    if (path === undefined || path === state.peek()) return;
    state.value = path;
    writeStoredText(KEY, path, 'window');
  });
}
