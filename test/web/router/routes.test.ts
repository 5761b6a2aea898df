import { describe, expect, test } from 'bun:test';
import { queryOf, type Resolved, resolveRoute, routeAfterLogin } from '../../../web/router/resolveRoute.ts';
import { ROUTES } from '../../../web/router/routes.ts';

const PATHS = ROUTES.map(({ path }) => path);

// 20 November 2026, a Friday; Sydney is at UTC+11.
const at = (sydney: string) => Date.parse(`2026-11-20T${sydney}:00+11:00`);
const guest = { signedIn: false, accessLevel: 0, now: at('11:00') };
const free = { signedIn: true, accessLevel: 1, now: at('11:00') };
const admin = { ...free, accessLevel: 4 };
const early = { ...free, now: at('09:59') };

const show = (path: string) => ({ kind: 'show', path }) as Resolved;
const redirect = (to: string) => ({ kind: 'redirect', to }) as Resolved;
const notFound: Resolved = { kind: 'notFound' };

describe('a visitor', () => {
  test.each(['/login', '/register', '/restore', '/calls'])('sees %s', (path) => {
    expect(resolveRoute(`#${path}`, guest)).toEqual(show(path));
  });
  const closed = PATHS.filter((path) => !['/login', '/register', '/restore', '/calls'].includes(path));
  test.each([...closed, '/scanners', '/nothing-here', '/'])('is sent from %s to Calls', (path) => {
    expect(resolveRoute(`#${path}`, guest)).toEqual(redirect('/calls'));
  });
  test.each(['', '#', '#/'])('lands on Calls with the hash %p', (hash) => {
    expect(resolveRoute(hash, guest)).toEqual(redirect('/calls'));
  });
});

describe('a signed-in user', () => {
  test.each(PATHS.filter((path) => !['/login', '/restore', '/admin'].includes(path)))('sees %s', (path) => {
    expect(resolveRoute(`#${path}`, free)).toEqual(show(path));
  });
  test.each(['', '#', '#/', '#/login', '#/login?from=/calls'])(
    'is sent from %p to the default scanner',
    (hash) => {
      expect(resolveRoute(hash, free)).toEqual(redirect('/intra-day-small'));
      expect(resolveRoute(hash, early)).toEqual(redirect('/pre-market'));
    },
  );
  test('is sent to the intraday scanner from 10:00 in Sydney, and to pre-market after midnight', () => {
    expect(resolveRoute('', { ...free, now: at('10:00') })).toEqual(redirect('/intra-day-small'));
    expect(resolveRoute('', { ...free, now: at('00:30') })).toEqual(redirect('/pre-market'));
    expect(resolveRoute('', { ...free, now: at('23:30') })).toEqual(redirect('/intra-day-small'));
  });
  test('finds nothing under an unknown route', () => {
    expect(resolveRoute('#/nothing-here', free)).toEqual(notFound);
    expect(resolveRoute('#/Calls', free)).toEqual(notFound);
    expect(resolveRoute('#/constructor', free)).toEqual(notFound);
  });
  test.each([1, 2, 3])('of level %d finds nothing under /admin', (accessLevel) => {
    expect(resolveRoute('#/admin', { ...free, accessLevel })).toEqual(notFound);
  });
  test('of level 4 sees Admin', () => {
    expect(resolveRoute('#/admin', admin)).toEqual(show('/admin'));
  });
  test('finds the old scanner address at the pre-market scanner', () => {
    expect(resolveRoute('#/scanners', free)).toEqual(redirect('/pre-market'));
    expect(resolveRoute('#/scanners?x=1', free)).toEqual(redirect('/pre-market'));
  });
});

test('text after ? does not choose the route, and can be read', () => {
  expect(resolveRoute('#/calls?route=/admin', guest)).toEqual(show('/calls'));
  expect(resolveRoute('#/register?setup=abc', guest)).toEqual(show('/register'));
  expect(queryOf('#/register?setup=abc').get('setup')).toBe('abc');
  expect(queryOf('#/register').get('setup')).toBeNull();
});

test('a slash at the end and a missing # change nothing', () => {
  expect(resolveRoute('#/calls/', guest)).toEqual(show('/calls'));
  expect(resolveRoute('/calls', guest)).toEqual(show('/calls'));
});

test('a login ends at pre-market, or at Settings when a chat link waits', () => {
  expect(routeAfterLogin(null)).toBe('/pre-market');
  expect(routeAfterLogin('token')).toBe('/settings');
});
