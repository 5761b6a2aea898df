import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { axe } from '../support/browser.ts';
import { endQuietly, grid, picture, shownRows, type Stage, until, type Visitor } from '../support/stage.ts';
import { openTradingStage } from '../support/tradingStage.ts';

let stage: Stage;
let visitor: Visitor;
beforeAll(async () => {
  stage = await openTradingStage();
  visitor = await stage.visit('/intra-day-small');
});
afterAll(() => endQuietly(stage, visitor));

/** How far what was seen has jumped since the page was loaded, without anybody's doing: the cumulative layout shift. */
const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean };
        const sumOf = (entries: PerformanceEntryList): number =>
          (entries as Shift[]).reduce((sum, one) => sum + (one.hadRecentInput ? 0 : one.value), 0);
        let sum = 0;
        new PerformanceObserver((list) => {
          sum += sumOf(list.getEntries());
        }).observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => setTimeout(() => resolve(sum)));
      }),
  );

const numberIn = (text: string | null): number => Number((text ?? '').replaceAll(/\D/g, ''));

describe('the market at a glance', () => {
  test('from the line above a scanner to the page, and from a number to its stocks', async () => {
    const { page } = visitor;
    const strip = page.getByRole('complementary', { name: 'Market' });
    const table = grid(page, 'Top Movers under $1');
    await table.locator('tr[data-id]').first().waitFor();
    const before = await table.boundingBox();
    const line = strip.getByRole('link', { name: /advancing/ });
    await line.filter({ hasText: /new highs/ }).waitFor();
    await line.filter({ hasText: /% of usual/ }).waitFor();
    expect((await table.boundingBox())?.y).toBe(before?.y ?? 0);

    await line.click();
    const map = page.getByRole('group', { name: /^Map of the sectors/ });
    await map.getByRole('button', { name: /^BHP / }).waitFor();
    await picture(page, 'map');
    expect(await axe(page)).toEqual([]);

    await page.reload();
    await map.getByRole('button', { name: /^BHP / }).waitFor();
    expect(await layoutShift(page)).toBeLessThan(0.1);

    await map.getByRole('button').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Back to my scanner' }).waitFor();
    await page.goBack();
    const highs = page.getByRole('button', { name: /New highs/ });
    await highs.waitFor();
    // On a busy machine the first figures are those of a part of the stocks.
    let count = -1;
    await until('the figure stays', async () => {
      const before = count;
      count = numberIn(await highs.textContent());
      if (count !== before) await Bun.sleep(1500);
      return count === before;
    });
    await highs.click();
    const custom = grid(page, 'Custom Scanner');
    await until('as many stand in the scanner', async () => {
      const rows = Number(await custom.getAttribute('aria-rowcount')) - 1;
      return Math.abs(rows - count) <= 3;
    });
    await picture(page, 'new-highs');
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Back to my scanner' }).focus();
    await page.keyboard.press('Enter');
    await until('all are there again', async () => Number(await custom.getAttribute('aria-rowcount')) > 500);
  });

  test('lists the announcements of the day, each to its stock', async () => {
    const { page } = visitor;
    await page.keyboard.press('Escape');
    await page.goto(`${stage.url}/#/market/announcements`);
    const list = grid(page, 'Announcements');
    await list.locator('tr[data-id]').first().waitFor();
    await page.getByRole('switch', { name: 'Price sensitive' }).check();
    await until('only price-sensitive ones stand there', async () =>
      (await shownRows(list)).every(({ cells }) => cells['Sensitive'] === 'Price sensitive'),
    );
    await page.setViewportSize({ width: 390, height: 844 });
    await picture(page, 'announcements-phone');
    expect(await axe(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.setViewportSize({ width: 1440, height: 900 });
    const [first] = await shownRows(list);
    await list.locator('tr[data-id]').first().click();
    await page
      .locator(`[aria-label="News for ${first?.id.split(' ')[0]}"]`)
      .first()
      .waitFor();
  });
});
