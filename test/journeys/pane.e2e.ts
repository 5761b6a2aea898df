import { expect, test } from 'bun:test';
import { axe } from '../support/browser.ts';
import { grid, openVisit, picture, until } from '../support/fixture.ts';
import { openTradingFixture } from '../support/tradingFixture.ts';

const { fixture, page } = await openVisit(openTradingFixture(), '/intra-day-small');
const pane = page.getByRole('complementary', { name: 'Selected stock' });
const shown = () => pane.getByRole('heading', { level: 2 }).textContent();
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-id') ?? null);

test('the pane follows the rows, and an alert and a call are made in it by keys alone', async () => {
  await grid(page, 'Top Movers under $1').locator('tr[data-id]').nth(3).waitFor();
  await page.keyboard.press('j');
  await pane.locator('canvas').first().waitFor();
  await pane.getByRole('article', { name: /^News for / }).waitFor();
  await picture(page, 'pane');
  const first = await shown();
  await page.keyboard.press('j');
  await until(
    'the next stock',
    async () => (await shown()) !== first && (await shown()) === (await focused()),
  );
  expect(await axe(page)).toEqual([]);
  const code = (await shown()) ?? '';

  await page.keyboard.press('a');
  await pane.getByRole('form', { name: `Price alert on ${code}` }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText(new RegExp(`^Alert set: ${code}`)).waitFor();
  await pane
    .getByRole('region', { name: 'Your alerts on ' + code })
    .getByRole('button')
    .first()
    .waitFor();
  expect(await focused()).toBe(code);

  await page.keyboard.press('n');
  const target = pane.getByLabel('Target Price');
  const before = Number(await target.inputValue());
  // The line in the chart moves the field.
  await pane.getByRole('slider', { name: 'Target' }).press('PageUp');
  await until('a higher target', async () => Number(await target.inputValue()) > before);
  await page.keyboard.press('Escape');
  await until('the form closes', async () => (await target.count()) === 0);

  await page.keyboard.press('Escape');
  await until('the pane closes', async () => (await pane.count()) === 0);
  await page.keyboard.press('j');
  expect(await pane.count()).toBe(0);
  await page.keyboard.press('p');
  await pane.waitFor();
});

test('the palette, announcements and the map fill the pane, and its width is remembered', async () => {
  const handle = pane.getByRole('separator', { name: 'Width of the pane' });
  await handle.press('ArrowLeft');
  const width = await handle.getAttribute('aria-valuenow');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('BHP');
  await page.getByRole('option', { name: /^BHP/ }).first().waitFor();
  await page.keyboard.press('Enter');
  await until('BHP', async () => (await shown()) === 'BHP');
  expect(page.url()).toContain('/intra-day-small');

  await page.goto(`${fixture.url}/#/market`);
  await page.locator('.market-stock').first().click();
  await until('a busy stock', async () => (await shown()) !== 'BHP');
  expect(await handle.getAttribute('aria-valuenow')).toBe(width);

  await page.goto(`${fixture.url}/#/announcements`);
  await page.getByRole('switch', { name: 'Price sensitive' }).waitFor();
  const row = grid(page, 'Announcements').locator('tr[data-id]').nth(1);
  await row.click();
  const [code = ''] = ((await row.getAttribute('data-id')) ?? '').split(' ');
  await until('the stock of the announcement', async () => (await shown()) === code);
  expect(await axe(page)).toEqual([]);
});
