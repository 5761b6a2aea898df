import { computed, type ReadonlySignal, signal } from '@preact/signals-react';
import { pathOf, queryOf } from './resolveRoute.ts';

const hash = signal(window.location.hash);

/** The address of what is shown, as in `location.hash`; behind the address bar while a leave guard holds it back. */
export const currentHash: ReadonlySignal<string> = hash;

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
  if (mayGo(to)) goTo(to);
}

/** Goes to a route whatever a leave guard says. */
export function goTo(to: string): void {
  window.location.hash = to;
  hash.value = window.location.hash;
}

/** Shows another address in the address bar without a history entry. */
export function replaceAddress(address: string): void {
  window.history.replaceState(window.history.state, '', address);
}

/** Takes over what the address bar says, unless a leave guard holds it back: then the bar says again what is shown. */
export function readAddressBar(): void {
  const next = window.location.hash;
  if (mayGo(next.replace(/^#/, ''))) hash.value = next;
  else replaceAddress(hash.peek() || '#/');
}
