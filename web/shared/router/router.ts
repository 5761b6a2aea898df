import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals-react';
import { marketNow } from '../live/market.ts';
import { type Path, pathOf, queryOf, type Resolved, resolveRoute } from './routes.ts';
import { clearSession, session, saveSession } from '../session/session.ts';

const hash = signal(window.location.hash);

const resolved = computed((): Resolved => {
  const { isAuthenticated, accessLevel } = session.value;
  return resolveRoute(hash.value, { signedIn: isAuthenticated, accessLevel, now: marketNow() });
});

/** The screen to show: a path, or null when there is nothing under this address. A redirect shows its target at once. */
export const route: ReadonlySignal<Path | null> = computed(() => {
  const found = resolved.value;
  if (found.kind === 'notFound') return null;
  return found.kind === 'show' ? found.path : found.to;
});

/** What stands behind '?' in the hash. */
export const routeQuery: ReadonlySignal<URLSearchParams> = computed(() => queryOf(hash.value));

/** Asked before a screen is left, with where to; says whether it may be left at once. */
export type LeaveGuard = (to: string) => boolean;

let guard: LeaveGuard | null = null;

/** Lets a screen hold back those who leave it, as with unsaved changes. The end of a session is not held back. Returns the end of it. */
export function guardLeaving(own: LeaveGuard): () => void {
  guard = own;
  return () => {
    if (guard === own) guard = null;
  };
}

const mayGo = (to: string): boolean => guard === null || pathOf(to) === pathOf(hash.peek()) || guard(to);

/** Goes to a route, as a click on a link would: '/calls', '/', '/settings?linkToken=…'. */
export function navigate(to: string): void {
  if (mayGo(to)) go(to);
}

function go(to: string): void {
  window.location.hash = to;
  hash.value = window.location.hash;
}

/** Signs in and goes on, in one step: no redirect of the old address comes between. */
export function startSession(answer: { accessToken: string; accessLevel: number }, to: string): void {
  batch(() => {
    saveSession(answer);
    go(to);
  });
}

/** Forgets the session and goes to /login. */
export function endSession(): void {
  batch(() => {
    clearSession();
    go('/login');
  });
}

/** Follows the address bar and writes redirects back into it, without a history entry. Returns the stop function. */
export function startRouter(): () => void {
  const read = () => {
    const next = window.location.hash;
    if (mayGo(next.replace(/^#/, ''))) hash.value = next;
    // Held back: the address says again what is shown.
    else window.history.replaceState(window.history.state, '', hash.peek() || '#/');
  };
  read();
  window.addEventListener('hashchange', read);
  const stopRedirects = effect(function replaceRedirectedHash() {
    const found = resolved.value;
    if (found.kind !== 'redirect') return;
    window.history.replaceState(window.history.state, '', `#${found.to}`);
    queueMicrotask(read);
  });
  return () => {
    window.removeEventListener('hashchange', read);
    stopRedirects();
  };
}
