import { expect, test } from 'bun:test';
import type { Locator } from 'playwright-core';
import { nextRow } from '../support/focus.ts';
import { expectMoving, grid, openVisit, picture, shownRows, until } from '../support/fixture.ts';
import { openTradingFixture } from '../support/tradingFixture.ts';

const { fixture, page } = await openVisit(openTradingFixture(), '/intra-day-small');

async function goTo(route: string, title: string): Promise<Locator> {
  await page.goto(`${fixture.url}/#${route}`);
  const table = grid(page, title);
  await table.locator('tr[data-id]').nth(3).waitFor();
  return table;
}

test('a scanner moves on its own, is ranked, and a row opens to its news, stays open and gets an alert', async () => {
  const table = await goTo('/intra-day-small', 'Top Movers under $1');
  await expectMoving(table);
  const heading = table.getByRole('columnheader', { name: 'Pips', exact: true });
  expect(await heading.getAttribute('aria-sort')).toBe('descending');
  await page.getByText('Intraday', { exact: true }).waitFor();
  await page.getByText('Simulated').first().waitFor();
  await page.getByText('Live', { exact: true }).first().waitFor();
  await picture(page, 'scanner');

  await table.locator('tr[data-id] .expander').first().click();
  const open = table.locator('.expander[aria-expanded="true"]');
  await open.waitFor();
  await page
    .getByText(/No announcements captured for today\.|Price Sensitive|Price sensitive|\d\d:\d\d/)
    .first()
    .waitFor();
  await expectMoving(table);
  expect(await open.count()).toBe(1);
  await table.getByRole('button', { name: 'Alert me', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: /^Alert me on / });
  await picture(page, 'alert', () => dialog.isVisible());
  await until('the price is already true', async () => {
    const id = ((await dialog.getByRole('heading').textContent()) ?? '').replace('Alert me on ', '');
    const row = (await shownRows(table)).find((one) => one.id === id);
    await dialog.getByLabel('Alert price').fill(row?.cells.Last ?? '');
    return (await dialog.getByText(/Already true/).count()) > 0;
  });
  await page.keyboard.press('Enter');
  await page.getByText(/^Alert set: /).waitFor();
  const toasts = page.getByRole('region', { name: 'Alerts that fired' });
  await toasts.getByText('last').first().waitFor();
  await picture(page, 'trigger');
  await toasts.getByRole('button', { name: /^(?:Dismiss|Close)/ }).click();
  await open.click();
  await until('the row is closed again', async () => (await open.count()) === 0);
});

test('a filter narrows the rows, keys walk and open them, and digits switch scanners', async () => {
  const table = await goTo('/intra-day-mid-large', 'Top Movers above $1');
  const [first] = await shownRows(table);
  if (!first) throw new Error('The table showed no row.');
  await page.keyboard.press('/');
  await page.keyboard.type(first.id);
  await until('only rows that match', async () => {
    const rows = await shownRows(table);
    return rows.length > 0 && rows.every(({ cells }) => (cells.Name ?? '').toUpperCase().includes(first.id));
  });
  await page.keyboard.type('ZZZZZ');
  await page.getByText('No results yet').first().waitFor();
  // Escape clears the filter, and leaves it.
  for (const _ of [1, 2]) await page.keyboard.press('Escape');
  const row = await nextRow(page, 'j');
  expect(await nextRow(page, 'ArrowDown')).not.toBe(row);
  await page.keyboard.press('Enter');
  await table.locator('.expander[aria-expanded="true"]').waitFor();
  await page.keyboard.press('4');
  await page.waitForURL(/#\/intra-day-large-cap$/);
});
