import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { nextRow } from '../support/focus.ts';
import {
  endQuietly,
  expectMoving,
  grid,
  picture,
  shownRows,
  type Stage,
  until,
  type Visitor,
} from '../support/stage.ts';
import { openTradingStage } from '../support/tradingStage.ts';

let stage: Stage;
let visitor: Visitor;
let page: Page;
beforeAll(async () => {
  stage = await openTradingStage();
  visitor = await stage.visit('/custom-scanner');
  page = visitor.page;
});
afterAll(() => endQuietly(stage, visitor));

/** Another scanner in the same window. */
async function goTo(route: keyof typeof during): Promise<Locator> {
  await page.goto(`${stage.url}/#${route}`);
  const table = grid(page, during[route].title);
  await table.locator('tr[data-id]').nth(3).waitFor();
  return table;
}

const during = {
  '/intra-day-small': { title: 'Top Movers under $1', sortedBy: 'Pips' },
  '/intra-day-mid-large': { title: 'Top Movers above $1', sortedBy: 'Pips' },
  '/intra-day-large-cap': { title: 'Top Movers Large Cap', sortedBy: 'Change' },
  '/custom-scanner': { title: 'Custom Scanner', sortedBy: 'Price' },
} as const;

describe('the scanners of continuous trading', () => {
  for (const [route, { title, sortedBy }] of Object.entries(during)) {
    test(`${title} moves, and is ranked by ${sortedBy}`, async () => {
      const table = await goTo(route as keyof typeof during);
      await expectMoving(table);
      const heading = table.getByRole('columnheader', { name: sortedBy, exact: true });
      expect(await heading.getAttribute('aria-sort')).toBe('descending');
      await page.getByText('Intraday', { exact: true }).waitFor();
      await page.getByText('Simulated').first().waitFor();
      await page.getByText('Live', { exact: true }).first().waitFor();
      if (route === '/intra-day-small') await picture(page, 'scanner', 'readme');
    });
  }
});

describe('working with a scanner', () => {
  test('filters narrow the rows at once, and say when nothing is left', async () => {
    const table = await goTo('/intra-day-mid-large');
    const [first] = await shownRows(table);
    if (!first) throw new Error('The table showed no row.');
    // The slash goes to the filter from anywhere.
    await page.keyboard.press('/');
    await page.keyboard.type(first.id);
    await until('only rows that match', async () => {
      const rows = await shownRows(table);
      return (
        rows.length > 0 && rows.every(({ cells }) => (cells.Name ?? '').toUpperCase().includes(first.id))
      );
    });
    await page.keyboard.type('ZZZZZ');
    await page.getByText('No results yet').first().waitFor();
    // Escape clears the filter, and leaves it.
    for (const _ of [1, 2]) await page.keyboard.press('Escape');
  });

  test('a row opens to its news and stays open while prices move', async () => {
    const table = await goTo('/intra-day-small');
    await table.locator('tr[data-id] .expander').first().click();
    const open = table.locator('.expander[aria-expanded="true"]');
    await open.waitFor();
    await page
      .getByText(/No announcements captured for today\.|Price Sensitive|Price sensitive|\d\d:\d\d/)
      .first()
      .waitFor();
    const before = JSON.stringify(await shownRows(table));
    await until(
      'prices move under the open row',
      async () => JSON.stringify(await shownRows(table)) !== before,
    );
    expect(await open.count()).toBe(1);
    await picture(page, 'news', 'readme', () => page.locator('.price-chart-canvas[data-drawn]').isVisible());
    await open.click();
    await until('the row is closed again', async () => (await open.count()) === 0);
  });

  test('the keyboard walks and opens rows, digits switch scanners', async () => {
    const table = await goTo('/intra-day-small');
    const first = await nextRow(page, 'j');
    const second = await nextRow(page, 'ArrowDown');
    expect(second).not.toBe(first);
    await page.keyboard.press('Enter');
    await table.locator('.expander[aria-expanded="true"]').waitFor();
    await page.keyboard.press('4');
    await page.waitForURL(/#\/intra-day-large-cap$/);
  });

  test('names link to the chosen quote site', async () => {
    await page.goto(`${stage.url}/#/settings`);
    await page.getByRole('combobox', { name: /quote/i }).selectOption('commsec');
    await until('the choice is kept', async () => {
      const token = await page.evaluate(() => localStorage.getItem('accessToken') ?? '');
      const answer = await fetch(`${stage.url}/api/settings`, { headers: { authorization: token } });
      return ((await answer.json()) as { quoteSite: string }).quoteSite === 'commsec';
    });
    const table = await goTo('/intra-day-large-cap');
    const link = table.locator('tr[data-id] a[href*="commsec"]').first();
    await link.waitFor();
    expect(await link.getAttribute('target')).toBe('_blank');
    expect(await link.getAttribute('rel')).toContain('noopener');
  });
});
