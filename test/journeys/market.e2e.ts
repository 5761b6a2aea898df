import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { axe } from '../support/browser.ts';
import { grid, openVisit, until } from '../support/fixture.ts';
import { openTradingFixture } from '../support/tradingFixture.ts';

const { page } = await openVisit(openTradingFixture(), '/intra-day-small');

/**
 * The cumulative layout shift since the page was loaded, without user input. Movement of the whole `main` does not count: the stale price notice
 * causes it on a machine too busy to send prices.
 */
const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        type Shift = PerformanceEntry & {
          value: number;
          hadRecentInput: boolean;
          sources: readonly { node: Node | null }[];
        };
        const isOwn = ({ hadRecentInput, sources }: Shift): boolean =>
          !hadRecentInput && !sources.some(({ node }) => node === document.querySelector('main'));
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const one of list.getEntries() as Shift[]) if (isOwn(one)) sum += one.value;
        }).observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => setTimeout(() => resolve(sum)));
      }),
  );

test('the line above a scanner opens the market overview, and a number there opens its stocks', async () => {
  const strip = page.getByRole('complementary', { name: 'Market' });
  const table = grid(page, 'Top Movers under $1');
  await table.locator('tr[data-id]').first().waitFor();
  const line = strip.getByRole('link', { name: /advancing/ });
  await line.filter({ hasText: /new highs/ }).waitFor();
  await line.filter({ hasText: /% of usual/ }).waitFor();

  await line.click();
  const map = page.getByRole('group', { name: /^Map of the sectors/ });
  await map.getByRole('button', { name: /^BHP / }).waitFor();
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
  await highs.click();
  const custom = grid(page, 'Custom Scanner');
  // Their number changes with every price; only that they are a part of all always holds.
  await until('the scanner shows some of the stocks', async () => {
    const rows = Number(await custom.getAttribute('aria-rowcount')) - 1;
    return rows > 0 && rows < 200;
  });
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Back to my scanner' }).focus();
  await page.keyboard.press('Enter');
  await until('all stocks are back', async () => Number(await custom.getAttribute('aria-rowcount')) > 500);
});
