import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { fits } from '../support/fingers.ts';
import { settled } from '../support/settled.ts';
import { openVisit, picture, until } from '../support/fixture.ts';
import { openTradingFixture } from '../support/tradingFixture.ts';

const phones = {
  '390 px': { width: 390, height: 844 },
  '360 px': { width: 360, height: 740 },
  sideways: { width: 844, height: 390 },
};
const screens: Record<string, RegExp> = {
  '/pre-market': /^Live Pre-Open/,
  '/intra-day-small': /^Top Movers under \$1/,
  '/custom-scanner': /^Custom Scanner/,
  '/calls': /^Calls$/,
  '/fx-news': /^Economic Calendar$/,
  '/watchlist': /^Alerts on scans and announcements$/,
  '/settings': /^Two-factor login$/,
  '/settings/columns': /^Copy layout to…$/,
  '/admin': /^Admin Panel$/,
};

/** Targets that a finger would miss, and elements that overflow. */
const faults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const wide = [document.documentElement, ...document.querySelectorAll('main, [role=dialog]')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(
        ({ tagName, scrollWidth, clientWidth }) => `${tagName} is ${scrollWidth - clientWidth} px too wide`,
      );
    const small = [...document.querySelectorAll('a[href], button, input, select, [role=combobox]')]
      // The skip link is for keyboards; a chip of the column configurator is one target of several parts.
      .filter(
        (element) => element.checkVisibility() && !element.closest('.skip-link, .chip, .visually-hidden'),
      )
      .flatMap((element) => {
        const { width, height } = (element.closest('label') ?? element).getBoundingClientRect();
        // Half a pixel for borders between targets.
        return width < 2 || (width >= 39.5 && height >= 39.5)
          ? []
          : [`${element.outerHTML.slice(0, 80)} is ${Math.round(width)} × ${Math.round(height)} px`];
      });
    return [...wide, ...new Set(small)];
  });

const { fixture, page } = await openVisit(openTradingFixture(), '/calls', {
  as: 'admin-phone',
  browser: { viewport: phones['390 px'], isMobile: true, hasTouch: true },
});

test('on a phone every target is large enough for a finger, and no page is wider than the screen', async () => {
  const found: string[] = [];
  for (const [route, text] of Object.entries(screens)) {
    await page.goto(`${fixture.url}/#${route}`);
    await settled(page, text);
    for (const [name, viewport] of Object.entries(phones)) {
      await page.setViewportSize(viewport);
      await fits(page, viewport.width);
      if (route === '/intra-day-small' && viewport === phones['390 px']) await picture(page, 'phone');
      const row = page.locator('tr[data-id]').first();
      const top = /^.(pre|intra|custom)/.test(route) ? await row.boundingBox() : null;
      if (top && top.y > 180) found.push(`${route}, ${name}: the first row begins at ${top.y} px`);
      found.push(...(await faults(page)).map((fault) => `${route}, ${name}: ${fault}`));
    }
  }
  expect(found).toEqual([]);
});

test('on a phone Back closes a sheet or a menu, then leaves the screen', async () => {
  await page.setViewportSize(phones['390 px']);
  await page.goto(`${fixture.url}/#/calls`);
  await page.goto(`${fixture.url}/#/pre-market`);
  const sheet = page.getByRole('dialog');
  const open = async () => {
    await page.locator('tr[data-id] td.cell').nth(2).tap();
    await sheet.waitFor();
    await page.waitForFunction(() => history.state?.sheets === 1);
  };
  const closed = async () => {
    await sheet.waitFor({ state: 'detached' });
    await page.waitForFunction(() => history.state === null);
    expect(page.url()).toEndWith('#/pre-market');
  };
  await open();
  await page.goBack();
  await closed();
  await open();
  await page.reload();
  await closed();
  await open();
  await sheet.getByRole('button', { name: 'Close' }).tap();
  await closed();
  await page.goBack();
  await page.waitForURL(/#\/calls$/);
  await page.getByRole('button', { name: /^More screens/ }).tap();
  await page.getByRole('menuitem', { name: 'Settings' }).tap();
  await page.waitForURL(/#\/settings$/);
  await page.goBack();
  await page.waitForURL(/#\/calls$/);
  await page.waitForFunction(() => history.state === null);
  expect(await page.getByRole('menu').count()).toBe(0);
});

test('on a phone filters open from a button, and dialogs fill the screen', async () => {
  const viewport = phones['390 px'];
  await page.setViewportSize(viewport);
  await page.goto(`${fixture.url}/#/pre-market`);
  await page.locator('tr[data-id]').first().waitFor();
  const newsOnly = page.getByRole('button', { name: 'News Only' });
  expect(await newsOnly.count()).toBe(0);
  await page.getByRole('button', { name: 'Filters (2)' }).tap();
  await newsOnly.tap();
  await page.getByRole('button', { name: 'Filters (3)' }).waitFor();
  expect(await faults(page)).toEqual([]);
  const price = page.locator('tr[data-id] td.cell').nth(2);
  await price.tap();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('article', { name: /^News for/ }).waitFor();
  await sheet.locator('canvas').first().waitFor();
  expect(await faults(page)).toEqual([]);
  await sheet.getByRole('button', { name: 'Close' }).tap();
  await sheet.waitFor({ state: 'detached' });
  await page.locator('tr[data-id] .expander').first().tap();
  await page.getByRole('button', { name: /^News for/, expanded: true }).waitFor();
  await page.goto(`${fixture.url}/#/calls`);
  await page.getByRole('button', { name: 'Add Call' }).tap();
  const dialog = page.getByRole('dialog', { name: 'Submit Call' });
  await dialog.waitFor();
  const whole = { x: 0, y: 0, ...viewport };
  await until('it fills the screen', async () => Bun.deepEquals(await dialog.boundingBox(), whole));
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});
