import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { pageGlobs } from '../../../scripts/pageCode.ts';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SCANNERS } from '../../../src/subjects/scanners/rules/scanners.ts';
import { App } from '../../../web/app/App.tsx';
import { paletteEntries } from '../../../web/app/palette/entries.ts';
import { navigate } from '../../../web/router/navigate.ts';
import { startRouter } from '../../../web/router/router.ts';
import {
  isOpenTo,
  NAV_ROUTES,
  navLabel,
  navPath,
  ROUTES,
  routeAt,
  TAB_ROUTES,
} from '../../../web/router/routes.ts';
import { endSession, startSession } from '../../../src/subjects/accounts/web/shared/session/session.ts';
import { joinGroup } from '../../../web/windows/linkedWindows.ts';
import { FIRST_GROUP } from '../../../web/windows/linkGroups.ts';
import { fakeApi, MAGGIE } from '../../support/fakeApi.ts';

let server: ReturnType<typeof fakeApi>;
let stop: () => void;
beforeEach(() => {
  server = fakeApi({
    'GET /api/settings': { body: MAGGIE },
    'GET /api/test/status': { body: { test: false } },
    'GET /api/calls/leaderboard': { body: { calls: [], leaderboard: [], fetchedAt: Date.now() } },
  });
  stop = startRouter();
  // A chart without a stock takes over what other tests chose in its group.
  joinGroup('none');
});
afterEach(() => {
  cleanup();
  endSession();
  joinGroup(FIRST_GROUP);
  stop();
  server.restore();
});

async function open(path: string, level: number): Promise<void> {
  if (level > 0) startSession({ accessToken: 'token', accessLevel: level });
  navigate(path);
  render(<App />);
  await waitFor(() => expect(document.querySelector('main .loading-overlay') === null).toBe(true));
}
const links = (name: string) =>
  within(screen.getByRole('navigation', { name })).getAllByRole<HTMLAnchorElement>('link');

/** Everything below goes through the whole table, so that an entry that some part of the page misses fails here. */
describe('every entry of the table', () => {
  test.each(ROUTES.map((route) => [route.path, route] as const))(
    '%s: screen, title, tab and navigation',
    async (path, route) => {
      await open(path, route.forVisitors ? 0 : 4);
      expect(document.title).toBe(`${route.title} · Bellbird`);
      expect(screen.queryByText('Not found.') === null).toBe(true);
      expect(document.querySelector('main')?.textContent).not.toBe('');
      const current = screen
        .queryAllByRole('link', { current: 'page' })
        .map((link) => link.getAttribute('href') ?? '');
      const section = route.tab ? TAB_ROUTES.find(({ nav }) => nav) : route;
      expect(current).toEqual([
        ...(section?.nav ? [`#${section.nav.to ?? section.path}`] : []),
        ...(route.tab ? [`#${path}`] : []),
      ]);
      expect(document.querySelector('.strip') !== null).toBe(route.tab !== undefined);
    },
  );

  test('stands in the navigation with its icon, and in the strip, in the order of the table', async () => {
    await open(TAB_ROUTES[0]?.path ?? '', 4);
    expect(links('Main').map((link) => [link.textContent, link.getAttribute('href')])).toEqual(
      NAV_ROUTES.map((route) => [navLabel(route), `#${navPath(route)}`]),
    );
    expect(links('Main').every((link) => link.querySelector('svg'))).toBe(true);
    expect(links('Scanners').map((link) => [link.textContent, link.getAttribute('href')])).toEqual(
      TAB_ROUTES.map(({ title, path }) => [title, `#${path}`]),
    );
  });

  test('is reached by its key, which the list of keys names', async () => {
    await open('/settings', 4);
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

  test.each([0, 1, 3, 4])('is offered by the palette to those who may see it, level %d', (level) => {
    if (level > 0) startSession({ accessToken: 'token', accessLevel: level });
    const offered = paletteEntries({
      alertOn: () => undefined,
      typed: '',
      stocks: new Map(),
      headlines: [],
      savedScans: [],
      listKeys: () => {},
    }).filter(({ about }) => about === 'Screen');
    const expected = ROUTES.filter((route) => isOpenTo(route, level) && (level === 0 || !route.forVisitors));
    expect(offered.map(({ label }) => label)).toEqual(expected.map(({ title }) => title));
    for (const [index, entry] of offered.entries()) {
      act(() => entry.run());
      expect(window.location.hash).toBe(`#${expected[index]?.path}`);
    }
  });
});

describe('the table itself', () => {
  const unique = (values: readonly string[]) => expect(new Set(values).size).toBe(values.length);
  test('gives each address, title and key once', () => {
    unique(ROUTES.flatMap(({ path, aliases = [] }) => [path, ...aliases]));
    unique(ROUTES.map(({ title }) => title));
    unique(NAV_ROUTES.map(({ nav }) => nav.key));
    unique(TAB_ROUTES.map(({ tab }) => tab.key));
  });
  test('leads nowhere that is not in it', () => {
    for (const route of NAV_ROUTES) {
      expect(routeAt(navPath(route))).toBe(route);
      expect(navLabel(route)).toStartWith(route.nav.short ?? '');
    }
  });
  test('has the five scanners in the order of their tabs, and their old address', () => {
    expect(TAB_ROUTES.map(({ tab }) => tab.scanner)).toEqual(Object.values(SCANNERS).map(({ key }) => key));
    expect(routeAt('/scanners')?.tab?.scanner).toBe('preMarket');
    expect(routeAt('/custom-scanner')?.tab?.scanner).toBe('custom');
    expect(routeAt('/calls')?.tab).toBeUndefined();
  });
});

test('an address of a screen is written in the table and nowhere else in the page’s code', async () => {
  const root = join(import.meta.dir, '..', '..', '..');
  // Login and registration link to each other.
  const allowed = ['web/router/routes.ts', 'src/subjects/accounts/web/'];
  const addresses = ROUTES.flatMap(({ path, aliases = [] }) => [path, ...aliases]);
  const written = new RegExp(`['"\`]#?(${addresses.join('|')})['"\`?]`, 'g');
  const found: string[] = [];
  for (const pattern of pageGlobs('{ts,tsx}')) {
    for await (const file of new Bun.Glob(pattern).scan(root)) {
      if (allowed.some((start) => file.startsWith(start))) continue;
      const code = (await Bun.file(join(root, file)).text()).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
      found.push(...[...code.matchAll(written)].map(([text]) => `${file}: ${text}`));
    }
  }
  expect(found).toEqual([]);
});
