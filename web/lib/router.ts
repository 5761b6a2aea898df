import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals-react';
import { marketNow } from './live.ts';
import { type Path, queryOf, type Resolved, resolveRoute } from './routes.ts';
import { clearSession, session, signIn } from './session.ts';

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

/** Goes to a route, as a click on a link would: '/calls', '/', '/settings?linkToken=…'. */
export function navigate(to: string): void {
  window.location.hash = to;
  hash.value = window.location.hash;
}

/** Signs in and goes on, in one step: no redirect of the old address comes between. */
export function beginSession(answer: { accessToken: string; accessLevel: number }, to: string): void {
  batch(() => {
    signIn(answer);
    navigate(to);
  });
}

/** Forgets the session and goes to /login. */
export function endSession(): void {
  batch(() => {
    clearSession();
    navigate('/login');
  });
}

/** Follows the address bar and writes redirects back into it, without a history entry. Returns the stop function. */
export function startRouter(): () => void {
  const read = () => {
    hash.value = window.location.hash;
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
