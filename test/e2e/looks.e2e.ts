import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { axe, axeInBothThemes } from '../support/browser.ts';
import { expectQuiet, picture, type Stage } from '../support/stage.ts';
import { openTradingStage } from '../support/tradingStage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openTradingStage();
});
afterAll(() => stage?.close());

/** Every screen, and a heading or sentence that shows it has come in. */
const screens: Record<string, Record<string, RegExp>> = {
  visitor: { '/calls': /^Calls$/, '/login': /^Login$/, '/register': /^Register$/ },
  admin: {
    '/pre-market': /^Live Pre-Open/,
    '/intra-day-small': /^Top Movers under \$1/,
    '/intra-day-mid-large': /^Top Movers above \$1/,
    '/intra-day-large-cap': /^Top Movers Large Cap/,
    '/custom-scanner': /^Custom Scanner/,
    '/calls': /^Calls$/,
    '/fx-news': /^Economic Calendar$/,
    '/watchlist': /^Watchlist & Alerts$/,
    '/settings': /^Settings$/,
    '/admin': /^Admin Panel$/,
    '/nowhere': /^Not found\.$/,
  },
};
const sizes = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

/** The screen itself has come in, and no table or panel of it is still loading. */
async function settled(page: Page, text: RegExp): Promise<void> {
  const main = page.locator('main');
  await main.getByText(text).first().waitFor();
  await page.waitForFunction(() => {
    const loading = [...document.querySelectorAll('.loading-overlay, [aria-busy="true"]')];
    return loading.every((element) => !element.checkVisibility());
  });
}

describe('every screen', () => {
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const [who, routes] of Object.entries(screens)) {
      test(`${who}, ${size}: axe finds nothing serious in either theme, nothing is cut off`, async () => {
        const as = who === 'visitor' ? null : 'admin';
        const isMobile = size === 'phone';
        const visitor = await stage.visit('/calls', {
          as,
          browser: { viewport, isMobile, hasTouch: isMobile, reducedMotion: 'reduce' },
        });
        const { page } = visitor;
        const findings: string[] = [];
        for (const [route, text] of Object.entries(routes)) {
          await page.goto(`${stage.url}/#${route}`);
          await settled(page, text);
          const found = await axeInBothThemes(page, (theme) =>
            picture(page, `${who}-${theme}-${size}${route.replaceAll('/', '-')}`),
          );
          findings.push(...found.map((finding) => `${route}, ${finding}`));
          const overflow = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
          if (overflow > 0) findings.push(`${route}: the page is ${overflow} px wider than the window`);
        }
        expect(findings).toEqual([]);
        await visitor.context.close();
        expectQuiet(stage, visitor);
      });
    }
  }

  test('axe finds nothing serious in an open row, the list of keys, a pop-out and a window where it is shown', async () => {
    const visitor = await stage.visit('/intra-day-small');
    const { page } = visitor;
    await page.locator('tr[data-id] .expander').first().click();
    await page.locator('.expander[aria-expanded="true"]').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    const opening = visitor.context.waitForEvent('page');
    await page.getByRole('button', { name: 'Pop out to new window' }).click();
    const popup = await opening;
    await popup.locator('tr[data-id]').first().waitFor();
    await picture(popup, 'popup');
    expect(await axe(popup)).toEqual([]);
    await page.getByText('This scanner is currently open in a separate window').waitFor();
    expect(await axe(page)).toEqual([]);
    await visitor.context.close();
    expectQuiet(stage, visitor);
  });

  test('the theme switches, lasts, and never flashes the other one', async () => {
    const visitor = await stage.visit('/intra-day-small');
    const { page } = visitor;
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await theme()).toBe('dark');
    const dark = await ground();
    await page.getByRole('button', { name: 'Switch to the light theme' }).click();
    expect(await theme()).toBe('light');
    expect(await ground()).not.toBe(dark);
    await page.reload({ waitUntil: 'commit' });
    await page.waitForFunction(() => document.documentElement !== null && document.body !== null);
    expect(await theme()).toBe('light');
    await visitor.context.close();
    expectQuiet(stage, visitor);
  });

  test('the theme follows the system from the first paint on, until one is chosen', async () => {
    const visitor = await stage.visit('/settings', { browser: { colorScheme: 'light' } });
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
    await visitor.context.close();
    expectQuiet(stage, visitor);
  });

  test('on a phone the first columns stay in sight and the rest scrolls', async () => {
    const visitor = await stage.visit('/intra-day-small', {
      browser: { viewport: sizes.phone, isMobile: true, hasTouch: true },
    });
    const { page } = visitor;
    const table = page.getByRole('grid', { name: 'Top Movers under $1' });
    const row = table.locator('tr[data-id]').first();
    await row.waitFor();
    const name = row.getByRole('rowheader');
    await picture(page, 'phone', 'readme');
    const before = await name.boundingBox();
    await table.evaluate((element) => {
      const scroller = element.closest('.table-scroll');
      if (scroller) scroller.scrollLeft = 300;
    });
    const after = await table.locator('tr[data-id]').first().getByRole('rowheader').boundingBox();
    expect(after?.x).toBe(before?.x);
    await visitor.context.close();
    expectQuiet(stage, visitor);
  });
});
