import { defaultScannerRoute } from '../../../src/domain/market/sessionClock.ts';

/** Every screen there is (spec 2.1). */
export const PATHS = [
  '/login',
  '/register',
  '/calls',
  '/pre-market',
  '/intra-day-small',
  '/intra-day-mid-large',
  '/intra-day-large-cap',
  '/custom-scanner',
  '/fx-news',
  '/watchlist',
  '/settings',
  '/admin',
] as const;
export type Path = (typeof PATHS)[number];

export const SCANNER_PATHS = [
  '/pre-market',
  '/intra-day-small',
  '/intra-day-mid-large',
  '/intra-day-large-cap',
  '/custom-scanner',
] as const satisfies readonly Path[];
export type ScannerPath = (typeof SCANNER_PATHS)[number];

export const ADMIN_LEVEL = 4;

export type Visitor = { signedIn: boolean; accessLevel: number; now: number };
export type Resolved = { kind: 'show'; path: Path } | { kind: 'redirect'; to: Path } | { kind: 'notFound' };

const PUBLIC: ReadonlySet<string> = new Set<Path>(['/login', '/register', '/calls']);
const KNOWN: ReadonlySet<string> = new Set(PATHS);
const ALIASES: Readonly<Record<string, Path>> = { '/scanners': '/pre-market' };

const isPath = (path: string): path is Path => KNOWN.has(path);
export const isScannerPath = (path: string): path is ScannerPath =>
  (SCANNER_PATHS as readonly string[]).includes(path);

/** The path inside a hash, without query text and trailing slashes: '#/calls/?a=1' gives '/calls', '' gives '/'. */
export function pathOf(hash: string): string {
  const path = (hash.replace(/^#/, '').split('?')[0] ?? '').replace(/\/+$/, '');
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
  const asked = pathOf(hash);
  const path = ALIASES[asked] ?? asked;
  if (!visitor.signedIn && !PUBLIC.has(path)) return { kind: 'redirect', to: '/calls' };
  if (visitor.signedIn && (path === '/' || path === '/login')) {
    return { kind: 'redirect', to: defaultScannerRoute(visitor.now) };
  }
  if (path !== asked && isPath(path)) return { kind: 'redirect', to: path };
  if (!isPath(path)) return { kind: 'notFound' };
  if (path === '/admin' && visitor.accessLevel < ADMIN_LEVEL) return { kind: 'notFound' };
  return { kind: 'show', path };
}

/** Where a login ends: at Settings when a chat link waits to be claimed, else at the pre-market scanner. */
export const routeAfterLogin = (pendingLinkToken: string | null): Path =>
  pendingLinkToken ? '/settings' : '/pre-market';
