import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { axeOf } from '../support/browser.ts';
import { button, region } from '../support/configurator.ts';
import { FED, feed } from '../support/fedMarket.ts';
import { movers } from '../support/fedMovers.ts';
import { hasFocus, hasFocusIn } from '../support/focus.ts';
import {
  endQuietly,
  grid,
  openStage,
  picture,
  type Stage,
  shownRows,
  until,
  type Visitor,
} from '../support/stage.ts';

let stage: Stage;
let visitor: Visitor;
let page: Page;
beforeAll(async () => {
  stage = await openStage(FED);
  const large = (place: number) => ({ marketCap: (place + 2) * 1e9, vwap: 0.5 });
  await feed(stage.url, ...movers(12).map((stock, place) => ({ ...stock, ...large(place) })));
  visitor = await stage.visit('/intra-day-large-cap', { as: 'basic' });
  page = visitor.page;
  await grid(page, TITLE).locator('tr[data-id]').first().waitFor();
});
afterAll(() => endQuietly(stage, visitor));

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

/** The ids of a table's shown columns, as the server has them. */
const savedColumns = (page: Page, table = 'intraDayLargeCap'): Promise<string[]> =>
  page.evaluate(async (name) => {
    const headers = { authorization: localStorage.getItem('accessToken') ?? '' };
    const { columnPreferences } = await (await fetch('/api/settings', { headers })).json();
    const entries: { id: string; enabled: boolean }[] = columnPreferences[name] ?? [];
    return entries.filter(({ enabled }) => enabled).map(({ id }) => id);
  }, table);

describe('the header of a table', () => {
  test('moves a column by mouse behind a line, and by keys, and keeps both over a reload', async () => {
    const before = await headings(page);
    expect(before.slice(0, 4)).toEqual(['Name', 'Change', 'Last', 'VWAP']);
    const [from, to] = [await boxOf(page, 'VWAP'), await boxOf(page, 'Change')];
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    // What drags comes with the first press of a heading.
    await until('the column is dragged', async () => {
      for (const x of [1, 0]) await page.mouse.move(to.x + to.width / 2 + x, to.y + to.height / 2);
      return (await page.locator('.column-line').count()) === 1;
    });
    await picture(page, 'column-dragged');
    await page.mouse.up();
    await until('it stands there', async () => (await headings(page))[1] === 'VWAP');
    await page.locator('.column-line').waitFor({ state: 'detached' });
    // The drag was no click: the table is sorted as before.
    expect(await heading(page, 'Change').getAttribute('aria-sort')).toBe('descending');

    await heading(page, 'VWAP').getByRole('button').focus();
    await page.keyboard.press('Alt+ArrowRight');
    await until('the key has moved it', async () => (await headings(page))[2] === 'VWAP');
    await page.getByText('VWAP: after Change').waitFor({ state: 'attached' });
    await hasFocus('the heading of VWAP', heading(page, 'VWAP').getByRole('button'));
    await until('the server has it', async () => (await savedColumns(page))[2] === 'vwap');
    await page.reload();
    await until('it is there after a reload', async () => (await headings(page))[2] === 'VWAP');
  });

  test('resizes a column by its edge, and gives the default width back', async () => {
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
    await until('it is as before', async () => Math.abs((await boxOf(page, 'Last')).width - width) <= 2);
  });

  test('has a menu: hide, short numbers and decimals, copy the layout to another scanner', async () => {
    await heading(page, 'VWAP').getByRole('button').focus();
    await page.keyboard.press('Shift+F10');
    const menu = page.getByRole('menu');
    await menu.waitFor();
    expect(await axeOf(page, 'menu')).toEqual([]);
    await picture(page, 'column-menu');
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await hasFocus('the heading of VWAP', heading(page, 'VWAP').getByRole('button'));

    await heading(page, 'VWAP').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Hide column' }).click();
    await until('it is hidden', async () => !(await headings(page)).includes('VWAP'));
    await menu.waitFor({ state: 'detached' });
    await hasFocusIn('the heading of Last', heading(page, 'Last'));

    await heading(page, 'Market Cap').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Format…' }).click();
    const format = page.getByRole('dialog', { name: 'Format Market Cap' });
    await format.getByRole('switch').click();
    expect(await axeOf(page, 'dialog')).toEqual([]);
    await picture(page, 'column-format');
    await button(format, 'Done').click();
    await format.waitFor({ state: 'detached' });
    await until('large numbers are short', async () =>
      (await shownRows(grid(page, TITLE))).every(({ cells }) =>
        /^[\d,.]+ [BT]$/.test(cells['Market Cap'] ?? ''),
      ),
    );

    await heading(page, 'Last').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Copy layout to…' }).click();
    const copy = page.getByRole('dialog', { name: 'Copy layout' });
    await copy.getByLabel('Copy layout to').selectOption({ label: 'Intra-Day < $1' });
    await button(copy, 'Copy').click();
    await copy.waitFor({ state: 'detached' });
    await until('the server has the copy', async () => {
      const columns = await savedColumns(page, 'intraDaySmall');
      return columns.includes('last') && !columns.includes('vwap');
    });
    await page.goto(`${stage.url}/#/settings`);
    const chips = region(page, 'Intra-day < $1');
    await chips.getByRole('button', { name: 'VWAP', exact: true, pressed: false }).waitFor();
    await button(chips, 'Format Market Cap').click();
    await page
      .getByRole('dialog', { name: 'Format Market Cap' })
      .getByRole('switch', { checked: true })
      .waitFor();
  });
});
