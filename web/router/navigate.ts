import { computed, type ReadonlySignal, signal } from '@preact/signals-react';
import { useEffect } from 'react';
import { afterSheets } from '../ui/sheetHistory.ts';
import { withoutEndSlashes } from '#lib/text.ts';
import { defaultScannerRoute } from '#market/rules/sessionClock.ts';
import { SCANNERS } from '#market/scanners/rules/scanners.ts';
import { CALLS_PATH, isOpenTo, routeAt, SETTINGS_PATH } from './routes.ts';

/** A visitor of a route; `now` is the market's time, epoch ms. */
type Visitor = { signedIn: boolean; accessLevel: number; now: number };
export type Resolved =
  | { kind: 'show'; path: string }
  | { kind: 'redirect'; to: string }
  | { kind: 'notFound' };

/** The path of a hash without query and trailing slashes: '#/calls/?a=1' gives '/calls', '' gives '/'. */
export function pathOf(hash: string): string {
  const path = withoutEndSlashes(hash.replace(/^#/, '').split('?')[0] ?? '');
  return path.startsWith('/') ? path : `/${path}`;
}

/** The query of a hash: '#/register?setup=x'. It does not affect the route. */
export function queryOf(hash: string): URLSearchParams {
  const at = hash.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : hash.slice(at + 1));
}

/**
 * The screen of a hash for this visitor (specification 2.2). Below level 4, /admin is an unknown route, so that its
 * existence is hidden.
 * @param hash location.hash, with or without '#'
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

/** The route after a login: Settings if a chat link waits to be claimed, otherwise the pre-market scanner. */
export const routeAfterLogin = (pendingLinkToken: string | null): string =>
  pendingLinkToken ? SETTINGS_PATH : SCANNERS.preMarket.route;

const hash = signal(window.location.hash);

/** The hash of the shown screen, like `location.hash`. A leave guard may delay changes. */
export const currentHash: ReadonlySignal<string> = hash;

export const routeQuery: ReadonlySignal<URLSearchParams> = computed(() => queryOf(hash.value));

/** Called with the target before the user leaves a screen; false prevents that. */
type LeaveGuard = (to: string) => boolean;

let guard: LeaveGuard | null = null;

/**
 * Lets a screen prevent leaving, for example because of unsaved changes. The end of a session cannot be prevented.
 * Returns the function that removes the guard.
 */
export function guardLeaving(own: LeaveGuard): () => void {
  guard = own;
  return () => {
    if (guard === own) guard = null;
  };
}

const mayGo = (to: string): boolean => guard === null || pathOf(to) === pathOf(hash.peek()) || guard(to);

/** Navigates like a click on a link: '/calls', '/', '/settings?linkToken=…'. */
export function navigate(to: string): void {
  if (mayGo(to)) goTo(to);
}

export const goTo = (to: string): void =>
  afterSheets(() => {
    window.location.hash = to;
    hash.value = window.location.hash;
  });

/** Replaces the address without adding a history entry. */
export function replaceAddress(address: string): void {
  window.history.replaceState(window.history.state, '', address);
}

/** Follows the address bar, or restores it if a leave guard refuses. */
export function readAddressBar(): void {
  const next = window.location.hash;
  if (mayGo(next.replace(/^#/, ''))) hash.value = next;
  else replaceAddress(hash.peek() || '#/');
}

/** The page's name in the window title; null for the route's own title. */
export const screenTitle = signal<string | null>(null);

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
    // The part was typed by hand and contains a percent sign.
    return part;
  }
}

/** The decoded parts after a route's path: `#/calls/by/Anna%20B` after '/calls' gives ['by', 'Anna B']. */
export const pageOf = (hash: string, path: string): string[] =>
  pathOf(hash)
    .slice(path.length + 1)
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
