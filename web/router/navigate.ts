import { computed, type ReadonlySignal, signal } from '@preact/signals-react';
import { useEffect } from 'react';
import { withoutEndSlashes } from '#lib/text.ts';
import { defaultScannerRoute } from '#market/rules/sessionClock.ts';
import { SCANNERS } from '#market/scanners/rules/scanners.ts';
import { CALLS_PATH, isOpenTo, routeAt, SETTINGS_PATH } from './routes.ts';

/** `now` is the market's time, epoch ms. */
type Visitor = { signedIn: boolean; accessLevel: number; now: number };
export type Resolved =
  | { kind: 'show'; path: string }
  | { kind: 'redirect'; to: string }
  | { kind: 'notFound' };

/** The path inside a hash, without query text and trailing slashes: '#/calls/?a=1' gives '/calls', '' gives '/'. */
export function pathOf(hash: string): string {
  const path = withoutEndSlashes(hash.replace(/^#/, '').split('?')[0] ?? '');
  return path.startsWith('/') ? path : `/${path}`;
}

/** The query inside a hash: '#/register?setup=x'. It never chooses the route. */
export function queryOf(hash: string): URLSearchParams {
  const at = hash.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : hash.slice(at + 1));
}

/**
 * Which screen a hash shows to this visitor (spec 2.2).
 * /admin below level 4 answers like any unknown route, so that it tells nobody that there is such a screen.
 * @param hash location.hash, with or without '#'; '' when there is none
 */
export function resolveRoute(hash: string, visitor: Visitor): Resolved {
  const path = pathOf(hash);
  const route = routeAt(path);
  const isOpen = route !== undefined && isOpenTo(route, visitor.signedIn ? visitor.accessLevel : 0);
  if (!visitor.signedIn && !isOpen) return { kind: 'redirect', to: CALLS_PATH };
  if (visitor.signedIn && (path === '/' || route?.forVisitors === 'only')) {
    return { kind: 'redirect', to: defaultScannerRoute(visitor.now) };
  }
  if (!isOpen) return { kind: 'notFound' };
  const isShown = route.path === path || (route.hasPages === true && path.startsWith(`${route.path}/`));
  return isShown ? { kind: 'show', path } : { kind: 'redirect', to: route.path };
}

/** Where a login ends: at Settings when a chat link waits to be claimed, else at the pre-market scanner. */
export const routeAfterLogin = (pendingLinkToken: string | null): string =>
  pendingLinkToken ? SETTINGS_PATH : SCANNERS.preMarket.route;

const hash = signal(window.location.hash);

/** The address of what is shown, as in `location.hash`; behind the address bar while a leave guard holds it back. */
export const currentHash: ReadonlySignal<string> = hash;

/** What stands behind '?' in the hash. */
export const routeQuery: ReadonlySignal<URLSearchParams> = computed(() => queryOf(hash.value));

/** Asked before a screen is left, with where to; says whether it may be left at once. */
type LeaveGuard = (to: string) => boolean;

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

/** What the window's title calls the page that is shown, where the route's own title does not do; else null. */
export const screenTitle = signal<string | null>(null);

/** Names the page in the window's title while it is shown. @param title null while it has no name yet */
export function useScreenTitle(title: string | null): void {
  useEffect(() => {
    screenTitle.value = title;
    return () => {
      screenTitle.value = null;
    };
  }, [title]);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Typed by hand, with a percent sign of its own.
    return part;
  }
}

/**
 * What stands in an address after a route's path, decoded: `#/calls/by/Anna%20B` after '/calls' gives ['by', 'Anna B'];
 * nothing for the path itself.
 */
export const pageOf = (hash: string, path: string): string[] =>
  pathOf(hash)
    .slice(path.length + 1)
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
