import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { navigate, queryOf, type Resolved, resolveRoute, routeAfterLogin } from '#web/router/navigate.ts';
import { NAV_ROUTES, ROUTES, TAB_ROUTES, isOpenTo, navLabel, navPath } from '#web/router/routes.ts';
import { paletteEntries } from '#web/app/palette/entries.ts';
import { followScanners, lastScanner } from '#web/router/router.ts';
import { endSession, startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { joinGroup } from '#web/windows/linkedWindows.ts';
import { FIRST_GROUP } from '#web/windows/linkGroups.ts';
import { appByHand } from '#support/appByHand.tsx';

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
  test.each(['', '#', '#/'])('opens Calls with the hash %p', (hash) => {
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
  test('gets a not-found screen for an unknown route', () => {
    expect(resolveRoute('#/nothing-here', free)).toEqual(notFound);
    expect(resolveRoute('#/Calls', free)).toEqual(notFound);
    expect(resolveRoute('#/constructor', free)).toEqual(notFound);
  });
  test('sees Admin from level 4 on', () => {
    expect(resolveRoute('#/admin', { ...free, accessLevel: 3 })).toEqual(notFound);
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

test('a trailing slash and a missing # change nothing', () => {
  expect(resolveRoute('#/calls/', guest)).toEqual(show('/calls'));
  expect(resolveRoute('/calls', guest)).toEqual(show('/calls'));
});

test('a login ends at pre-market, or at Settings if a chat link is waiting', () => {
  expect(routeAfterLogin(null)).toBe('/pre-market');
  expect(routeAfterLogin('token')).toBe('/settings');
});

describe('the screens of the table', () => {
  const app = appByHand();
  beforeEach(() => {
    // Without a stock, a chart takes the one that other tests chose in its group.
    joinGroup('none');
  });
  afterEach(() => {
    joinGroup(FIRST_GROUP);
  });

  const links = (name: string) =>
    within(screen.getByRole('navigation', { name })).getAllByRole<HTMLAnchorElement>('link');

  /** The text of a link without its count, which an earlier test may have loaded. */
  const nameOf = (link: HTMLElement): string =>
    [...link.childNodes]
      .filter((node) => !(node instanceof HTMLElement && node.className === 'nav-badge'))
      .map(({ textContent }) => textContent)
      .join('');

  /** Everything below runs for the whole table, so a part of the page that misses an entry fails here. */
  describe('every entry of the table', () => {
    test.each(ROUTES.map((route) => [route.path, route] as const))(
      '%s: screen, title, tab and navigation',
      async (path, route) => {
        await app.open(path, route.forVisitors ? 0 : 4);
        expect(document.title).toEndWith(`${route.title} · Bellbird`);
        expect(screen.queryByText('Not found.') === null).toBe(true);
        expect(document.querySelector('main')?.textContent).not.toBe('');
        const current = screen
          .queryAllByRole('link', { current: 'page' })
          .map((link) => link.getAttribute('href') ?? '')
          // Without the list of a page's sections.
          .filter((href) => !href.startsWith(`#${path}/`));
        const section = route.tab ? TAB_ROUTES.find(({ nav }) => nav) : route;
        expect(current).toEqual([
          ...(section?.nav ? [`#${section.nav.to ?? section.path}`] : []),
          ...(route.tab ? [`#${path}`] : []),
        ]);
        expect(document.querySelector('.strip') !== null).toBe(route.tab !== undefined);
      },
    );

    test('is in the navigation with its icon, and in the summary bar, in table order', async () => {
      await app.open(TAB_ROUTES[0]?.path ?? '', 4);
      expect(links('Main').map((link) => [nameOf(link), link.getAttribute('href')])).toEqual(
        NAV_ROUTES.map((route) => [navLabel(route), `#${navPath(route)}`]),
      );
      expect(links('Main').every((link) => link.querySelector('svg'))).toBe(true);
      expect(links('Scanners').map((link) => [link.textContent, link.getAttribute('href')])).toEqual(
        TAB_ROUTES.map(({ title, path }) => [title, `#${path}`]),
      );
    });

    test('opens with its key, which the list of keys contains', async () => {
      await app.open('/settings', 4);
      for (const { tab, path } of TAB_ROUTES) {
        await userEvent.keyboard(tab.key);
        expect(window.location.hash).toBe(`#${path}`);
      }
      for (const route of NAV_ROUTES) {
        await userEvent.keyboard(`g${route.nav.key}`);
        await waitFor(() => expect(window.location.hash).toBe(`#${route.path}`));
      }
      await userEvent.keyboard('?');
      const dialog = await screen.findByRole('dialog', { name: 'Keyboard' });
      const rows = [...dialog.querySelectorAll('dl > div')].map((row) => row.textContent);
      for (const { tab, title } of TAB_ROUTES) expect(rows).toContain(`${tab.key}${title}`);
      for (const route of NAV_ROUTES) expect(rows).toContain(`g${route.nav.key}${navLabel(route)}`);
    });

    test.each([0, 1, 3, 4])('is offered by the palette to users who may see it, level %d', (level) => {
      if (level > 0) startSession({ accessToken: 'token', accessLevel: level });
      const offered = paletteEntries({
        alertOn: () => undefined,
        typed: '',
        stocks: new Map(),
        headlines: [],
        savedScans: [],
        listKeys: () => {},
      }).filter(({ about }) => about === 'Screen');
      const expected = ROUTES.filter(
        (route) => isOpenTo(route, level) && (level === 0 || !route.forVisitors),
      );
      expect(offered.map(({ label }) => label)).toEqual(expected.map(({ title }) => title));
      for (const [index, entry] of offered.entries()) {
        act(() => entry.run());
        expect(window.location.hash).toBe(`#${expected[index]?.path}`);
      }
    });

    test('Scanners in the navigation returns to the last one, for this window and user', async () => {
      const unfollow = followScanners();
      await app.open('/custom-scanner', 1);
      const way = () => links('Main')[0]?.getAttribute('href');
      act(() => navigate('/settings'));
      expect(way()).toBe('#/custom-scanner');
      expect(window.sessionStorage.getItem('bellbird.lastScanner')).toBe('/custom-scanner');
      act(() => endSession());
      expect(lastScanner.value).toBeNull();
      expect(window.sessionStorage.getItem('bellbird.lastScanner')).toBeNull();
      unfollow();
    });
  });

  test('the table itself has each address, title and key once', () => {
    const unique = (values: readonly string[]) => expect(new Set(values).size).toBe(values.length);

    unique(ROUTES.flatMap(({ path, aliases = [] }) => [path, ...aliases]));
    unique(ROUTES.map(({ title }) => title));
    unique(NAV_ROUTES.map(({ nav }) => nav.key));
    unique(TAB_ROUTES.map(({ tab }) => tab.key));
  });
});
