import { defaultScannerRoute } from '#market/rules/sessionClock.ts';
import { SCANNERS } from '#market/scanners/rules/scanners.ts';
import { CALLS_PATH, isOpenTo, routeAt, SETTINGS_PATH } from './routes.ts';
import { withoutEndSlashes } from '#lib/text.ts';

/** `now` is the market's time, epoch ms. */
export type Visitor = { signedIn: boolean; accessLevel: number; now: number };
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
