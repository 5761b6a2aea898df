import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { movers } from '../support/fedMovers.ts';
import { hasFocus } from '../support/focus.ts';
import { grid, openFedFixture, openVisit, until } from '../support/fixture.ts';

const large = (place: number) => ({ marketCap: (place + 2) * 1e9, vwap: 0.5 });
const opening = openFedFixture(movers(12).map((stock, place) => ({ ...stock, ...large(place) })));
const { page } = await openVisit(opening, '/intra-day-large-cap', { as: 'basic' });

const TITLE = 'Top Movers Large Cap';
const heading = (page: Page, label: string) =>
  grid(page, TITLE).getByRole('columnheader', { name: label, exact: true });
const headings = (page: Page): Promise<string[]> =>
  grid(page, TITLE)
    .locator('.table-sort-label')
    .evaluateAll((labels) => labels.map((label) => label.textContent ?? ''));
const boxOf = async (page: Page, label: string) => {
  const box = await heading(page, label).boundingBox();
  if (!box) throw new Error(`${label} has no place on the page.`);
  return box;
};

/** The ids of a table's shown columns, as saved on the server. */
const savedColumns = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const headers = { authorization: localStorage.getItem('accessToken') ?? '' };
    const { columnPreferences } = await (await fetch('/api/settings', { headers })).json();
    const entries: { id: string; enabled: boolean }[] = columnPreferences['intraDayLargeCap'] ?? [];
    return entries.filter(({ enabled }) => enabled).map(({ id }) => id);
  });

describe('the header of a table', () => {
  test('moves a column by mouse and by keys, and keeps both after a reload', async () => {
    await grid(page, TITLE).locator('tr[data-id]').first().waitFor();
    const before = await headings(page);
    expect(before.slice(0, 4)).toEqual(['Name', 'Change', 'Last', 'VWAP']);
    const [from, to] = [await boxOf(page, 'VWAP'), await boxOf(page, 'Change')];
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    // The code for dragging loads with the first press on a heading.
    await until('the column is dragged', async () => {
      for (const x of [1, 0]) await page.mouse.move(to.x + to.width / 2 + x, to.y + to.height / 2);
      return (await page.locator('.column-line').count()) === 1;
    });
    await page.mouse.up();
    await until('the column is in its new place', async () => (await headings(page))[1] === 'VWAP');
    await page.locator('.column-line').waitFor({ state: 'detached' });
    // The drag was not a click: the table is sorted as before.
    expect(await heading(page, 'Change').getAttribute('aria-sort')).toBe('descending');

    await heading(page, 'VWAP').getByRole('button').focus();
    await page.keyboard.press('Alt+ArrowRight');
    await until('the key has moved it', async () => (await headings(page))[2] === 'VWAP');
    await page.getByText('VWAP: after Change').waitFor({ state: 'attached' });
    await hasFocus('the heading of VWAP', heading(page, 'VWAP').getByRole('button'));
    await until('the server has saved it', async () => (await savedColumns(page))[2] === 'vwap');
    await page.reload();
    await until('it is there after a reload', async () => (await headings(page))[2] === 'VWAP');
  });

  test('resizes a column by its edge, and restores the default width', async () => {
    await grid(page, TITLE).locator('tr[data-id]').first().waitFor();
    const { x, y, width, height } = await boxOf(page, 'Last');
    await page.mouse.move(x + width - 3, y + height / 2);
    await page.mouse.down();
    await page.locator('.column-line').waitFor();
    await page.mouse.move(x + width + 57, y + height / 2, { steps: 5 });
    await page.mouse.up();
    await until('it is wider', async () => Math.abs((await boxOf(page, 'Last')).width - width - 60) <= 2);
    await heading(page, 'Last').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Default width' }).click();
    await until('it has its old width', async () => Math.abs((await boxOf(page, 'Last')).width - width) <= 2);
  });

  test('adds a column of another table to the right of a heading', async () => {
    await heading(page, 'Last').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Add a column…' }).click();
    await page.getByRole('searchbox').fill('gap');
    await page.keyboard.press('Enter');
    await until('it follows Last', async () => (await headings(page)).join().includes('Last,Gap %'));
    await hasFocus('the heading of Last', heading(page, 'Last').getByRole('button'));
    await until('it is saved', async () => (await savedColumns(page)).includes('indicativeChangePercent'));
  });
});
