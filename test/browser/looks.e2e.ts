import { afterAll, describe, expect, test } from 'bun:test';
import type { BrowserContext, Page } from 'playwright-core';
import { axe, axeInBothThemes, showTheme } from '../support/browser.ts';
import { settled } from '../support/settled.ts';
import { expectQuiet, type Visitor } from '../support/fixture.ts';
import { feed } from '../support/fedMarket.ts';
import { FEW_STOCKS, openSmallExchange } from '../support/smallExchange.ts';

// Nothing moves, because the screens are compared.
const { fixture, close } = await openSmallExchange();
afterAll(close);

type Screen = {
  route: string;
  /** A heading or sentence that shows that it has loaded. */
  text: RegExp;
  /** Another end-to-end test checks it with axe in every theme and width. */
  isSeenElsewhere?: true;
  /** The screen of another route with other rows, which axe checks on a phone. */
  isLike?: string;
};

const visitorScreens: readonly Screen[] = [
  { route: '/calls', text: /^Calls$/ },
  { route: '/register', text: /^Register$/ },
  { route: '/login', text: /^Login$/ },
];
const adminScreens: readonly Screen[] = [
  { route: '/pre-market', text: /^Live Pre-Open/ },
  { route: '/intra-day-mid-large', text: /^Top Movers above \$1/, isLike: '/intra-day-small' },
  { route: '/intra-day-large-cap', text: /^Top Movers Large Cap/, isLike: '/intra-day-small' },
  { route: '/custom-scanner', text: /^Custom Scanner/ },
  { route: '/calls', text: /^Calls$/ },
  { route: '/fx-news', text: /^Economic Calendar$/, isSeenElsewhere: true },
  { route: '/watchlist', text: /^Watchlist & Alerts$/ },
  { route: '/settings/columns', text: /^Copy layout to…$/ },
  { route: '/settings/notifications', text: /^Quiet hours$/ },
  { route: '/settings', text: /^Two-factor login$/ },
  { route: '/admin', text: /^Admin Panel$/ },
  { route: '/admin/users', text: /^Audit$/ },
  { route: '/nowhere', text: /^Not found\.$/ },
  { route: '/intra-day-small', text: /^Top Movers under \$1/ },
];

/** Where a scanner's first row may begin on a phone, px. */
const LOWEST_ROW = 180;

const sizes = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

/** On a phone only the light theme is checked, except on two screens; the dark one was checked at desk size. */
async function check(page: Page, size: keyof typeof sizes, { route }: Screen): Promise<string[]> {
  if (size === 'desk' || route === '/calls' || route === '/pre-market') return axeInBothThemes(page);
  await showTheme(page, 'light');
  return axe(page);
}

async function lookAtAll(
  page: Page,
  size: keyof typeof sizes,
  screens: readonly Screen[],
): Promise<string[]> {
  const findings: string[] = [];
  for (const screen of screens) {
    const { route, text } = screen;
    await page.evaluate((hash) => window.location.assign(hash), `#${route}`);
    await settled(page, text);
    const isSeen = screen.isSeenElsewhere || (size === 'phone' && screen.isLike !== undefined);
    const found = isSeen ? [] : await check(page, size, screen);
    findings.push(...found.map((finding) => `${route}, ${finding}`));
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (overflow > 0) findings.push(`${route}: the page is ${overflow} px wider than the window`);
  }
  return findings;
}

/** A visitor opens every screen, signs in as an administrator, and opens all the others. */
async function lookAround(size: keyof typeof sizes): Promise<Visitor> {
  const isMobile = size === 'phone';
  const browser = { viewport: sizes[size], isMobile, hasTouch: isMobile, reducedMotion: 'reduce' } as const;
  const visitor = await fixture.visit('/calls', { as: null, browser });
  const { page } = visitor;
  expect(await lookAtAll(page, size, visitorScreens)).toEqual([]);
  await page.getByLabel('Username').fill('admin');
  await page.getByRole('button', { name: 'Seed Demo Data (Test Mode)' }).click();
  await page.waitForURL((url) => url.hash !== '#/login');
  expect(await lookAtAll(page, size, adminScreens)).toEqual([]);
  return visitor;
}

const MOST_REQUESTS = 25;
const QUIET_MS = 1000;

/** Opens a screen on a phone with an empty cache, until it asks for nothing more. @returns what it has too much of */
async function excessOf(route: string): Promise<string[]> {
  let requests = 0;
  const browser = { viewport: sizes.phone, isMobile: true, hasTouch: true };
  const first = async (context: BrowserContext) => context.on('request', () => (requests += 1));
  const visitor = await fixture.visit(route, { as: 'admin', browser, first });
  for (let before = -1; before !== requests; await Bun.sleep(QUIET_MS)) before = requests;
  const [row] = await visitor.page.locator('.scanner-panel tr[data-id]').all();
  const { y = 0 } = (await row?.boundingBox()) ?? {};
  await visitor.leave();
  return [
    ...(requests > MOST_REQUESTS ? [`${route}: ${requests} requests`] : []),
    ...(y > LOWEST_ROW ? [`${route}: the first row is at ${y} px`] : []),
  ];
}

describe('every screen', () => {
  test('asks for few files with an empty cache, and leaves a phone to the rows', async () => {
    const excess: string[] = [];
    for (const { route } of [...adminScreens, { route: '/chart?symbol=AAA' }, { route: '/market' }]) {
      // After a minute without prices there is a banner above the rows.
      await feed(fixture.url, ...FEW_STOCKS);
      excess.push(...(await excessOf(route)));
    }
    expect(excess).toEqual([]);
  });

  test('phone: axe finds nothing serious, nothing is cut off', async () => {
    const visitor = await lookAround('phone');
    await visitor.context.close();
    expectQuiet(fixture, visitor);
  });

  test('desk: axe finds nothing serious in either theme, nothing is cut off, including an open row and a pop-out', async () => {
    const visitor = await lookAround('desk');
    const { page } = visitor;
    await page.locator('tr[data-id] .expander').first().click();
    await page.locator('.expander[aria-expanded="true"]').waitFor();
    expect(await axe(page)).toEqual([]);
    const opening = visitor.context.waitForEvent('page');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Pop out to new window' }).click();
    const popup = await opening;
    await popup.locator('tr[data-id]').first().waitFor();
    expect(await axe(popup)).toEqual([]);
    await page.getByText('This scanner is currently open in a separate window').waitFor();
    expect(await axe(page)).toEqual([]);
    await visitor.context.close();
    expectQuiet(fixture, visitor);
  });

  test('the theme follows the system from the first paint, until one is chosen, which lasts', async () => {
    const visitor = await fixture.visit('/settings/appearance', { browser: { colorScheme: 'light' } });
    const { page } = visitor;
    const isShown = (theme: string) =>
      page.waitForFunction((one) => document.documentElement.dataset.theme === one, theme);
    await page.reload({ waitUntil: 'commit' });
    await page.waitForFunction(() => document.documentElement !== null && document.body !== null);
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('light');
    await page.getByRole('radio', { name: 'Follow the system' }).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await isShown('dark');
    await page.getByRole('radio', { name: 'Light' }).click();
    await isShown('light');
    await page.reload({ waitUntil: 'commit' });
    await page.waitForFunction(() => document.documentElement !== null && document.body !== null);
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('light');
    await visitor.context.close();
    expectQuiet(fixture, visitor);
  });
});
