import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { axe, watchForErrors } from '../support/browser.ts';
import { nextRow } from '../support/focus.ts';
import { expectQuiet, grid, type Stage, until, type Visitor } from '../support/stage.ts';
import { openTradingStage } from '../support/tradingStage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openTradingStage();
});
afterAll(() => stage?.close());

async function openByKey({ page, context, errors }: Visitor): Promise<Page> {
  const opening = context.waitForEvent('page');
  await page.keyboard.press('c');
  const chart = await opening;
  watchForErrors(chart, errors);
  return chart;
}

const shows = (chart: Page, code: string) =>
  chart.getByRole('heading', { name: code, exact: true, level: 1 }).waitFor();

const groupOf = (window: Page) => window.getByRole('combobox', { name: 'Linked windows' });
const choose = (window: Page, group: string) => groupOf(window).selectOption(group);

test('charts in windows of their own follow the rows of their group; a phone has one window', async () => {
  const visitor = await stage.visit('/intra-day-large-cap');
  const { page, context } = visitor;
  await grid(page, 'Top Movers Large Cap').locator('tr[data-id]').nth(5).waitFor();

  const first = await nextRow(page, 'j');
  const chart = await openByKey(visitor);
  await shows(chart, first);
  await chart.locator('.price-chart-canvas[data-drawn]').waitFor();
  const title = new RegExp(`^${first} [\\d.,]+ [▲▼]?[\\d.]+% · Bellbird$`);
  await until('the title has its price', async () => title.test(await chart.title()));
  expect(await chart.getByRole('banner').count()).toBe(0);
  expect(await axe(chart)).toEqual([]);

  const second = await nextRow(page, 'j');
  await shows(chart, second);

  // Another group: the first chart stays where it is, and c has a second one.
  await choose(page, 'blue');
  const third = await nextRow(page, 'j');
  const other = await openByKey(visitor);
  await shows(other, third);
  await until('it is in the group', async () => (await groupOf(other).inputValue()) === 'blue');
  const fourth = await nextRow(page, 'j');
  await shows(other, fourth);
  await shows(chart, second);

  // It keeps over a reload what it shows and whom it follows.
  await other.reload();
  await shows(other, fourth);
  const fifth = await nextRow(page, 'j');
  await shows(other, fifth);
  await shows(chart, second);

  // A chart that comes into the group takes over what was chosen there last.
  await choose(chart, 'blue');
  await shows(chart, fifth);
  await other.close();
  await page.keyboard.press('c');
  const sixth = await nextRow(page, 'j');
  await shows(chart, sixth);
  expect(context.pages()).toHaveLength(2);

  // A phone shows the chart in its own window, by the palette too.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.bringToFront();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Symbol, screen or action' }).fill('chart bhp');
  // On some days it does not stand among the first that come.
  await page.getByRole('option').filter({ hasText: 'BHP' }).first().waitFor();
  await page.keyboard.press('Enter');
  await shows(page, 'BHP');
  await page.locator('.price-chart-canvas[data-drawn]').waitFor();
  expect(context.pages()).toHaveLength(2);
  await context.close();
  expectQuiet(stage, visitor);
});
