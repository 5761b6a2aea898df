import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { axe, axeInBothThemes } from '../support/browser.ts';
import { faults, fits } from '../support/fingers.ts';
import { FED, feed } from '../support/fedMarket.ts';
import {
  expectQuiet,
  grid,
  openStage,
  picture,
  seedSession,
  type Stage,
  shownRows,
  until,
  type Visitor,
} from '../support/stage.ts';

const lastAbove = (value: number) => ({
  op: 'AND',
  conditions: [{ lhs: { type: 'field', key: 'last' }, op: '>', rhs: { type: 'number', value } }],
});

async function post(url: string, token: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${url}/api${path}`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 200 });
}

const cells = async (page: Page, table: string) =>
  (await shownRows(grid(page, table))).map((one) => one.cells);
const rowNamed = (page: Page, table: string, text: string): Locator =>
  grid(page, table).getByRole('row').filter({ hasText: text });
const box = (page: Page, name: string): Locator => page.getByRole('checkbox', { name, exact: true });

describe('all alerts and all triggers', () => {
  let stage: Stage;
  let visitor: Visitor;
  let page: Page;
  beforeAll(async () => {
    stage = await openStage(FED);
    await feed(
      stage.url,
      { code: 'BHX', open: 41, last: 41, close: 40, volume: 1000 },
      { code: 'CBX', open: 170, last: 170, close: 171, volume: 1000 },
      { code: 'XRX', open: 120, last: 120, close: 119, volume: 1000 },
    );
    const { accessToken } = await seedSession(stage.url, 'free');
    const alert = (symbol: string, value: number, more: object) =>
      post(stage.url, accessToken, '/alerts', { symbol, logic_json: lastAbove(value), ...more });
    await alert('BHX', 50, { name: 'Breakout', note: 'Half of it' });
    await alert('BHX', 60, { name: 'Far away', persistent: true });
    await alert('CBX', 200, { active: false });
    await alert('XRX', 150, { expires_at: new Date(stage.now() + 20 * 86_400_000).toISOString() });
    await post(stage.url, accessToken, '/scan-alerts', {
      scan: { type: 'scanner', key: 'intraDayMidLarge' },
      name: 'Movers',
    });
    // Its window is a phone's in the end.
    visitor = await stage.visit('/watchlist/alerts', { as: 'free', browser: { hasTouch: true } });
    ({ page } = visitor);
  });
  afterAll(() => stage?.close());

  test('alerts are searched, sorted, and several are switched off, snoozed and deleted at once', async () => {
    await grid(page, 'All alerts').getByRole('row').nth(5).waitFor();
    expect(await axeInBothThemes(page, (theme) => picture(page, `all-alerts-${theme}`))).toEqual([]);

    await page.keyboard.press('/');
    await page.keyboard.type('half of');
    await until('only one is left', async () => (await cells(page, 'All alerts')).length === 1);
    await page.getByRole('searchbox', { name: 'Search alerts' }).fill('');
    await page.getByRole('button', { name: 'Name' }).click();
    await until('they stand by name', async () => {
      const names = (await cells(page, 'All alerts')).map((one) => one['Name']);
      return names.join() === 'Breakout,Far away,Movers,,';
    });

    await box(page, 'Select BHX Breakout').click();
    await box(page, 'Select Movers').click({ modifiers: ['Shift'] });
    await page.getByText('3 of 5 alerts selected').waitFor();
    await picture(page, 'all-alerts-selected');
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByText('3 alerts switched off.').waitFor();
    await until('all but one are off', async () => {
      const states = (await cells(page, 'All alerts')).map((one) => one['State']);
      return states.filter((state) => state === 'Off').length === 4;
    });
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByText('3 alerts switched on.').waitFor();

    await page.getByRole('checkbox', { name: 'Select all' }).click();
    await page.getByRole('button', { name: 'Snooze 1 h' }).click();
    await page.getByText('4 of 5 snoozed for an hour. 1 could not be: CBX: It is off.').waitFor();
    await page
      .getByText(/^Snoozed until \d\d:\d\d$/)
      .first()
      .waitFor();

    await page.getByRole('checkbox', { name: 'Select all' }).click();
    await box(page, 'Select CBX').click();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('dialog', { name: 'Delete 1 alert?' }).getByText('CBX.').waitFor();
    await picture(page, 'all-alerts-delete');
    await page.getByRole('button', { name: 'Delete 1 alert' }).click();
    await page.getByText('1 alert deleted.').waitFor();
    await until('four are left', async () => (await cells(page, 'All alerts')).length === 4);

    await rowNamed(page, 'All alerts', 'Movers').getByRole('rowheader').click();
    await page.getByRole('dialog', { name: 'Alert on a scan' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Alert on a scan' }).waitFor({ state: 'detached' });
    await rowNamed(page, 'All alerts', 'Breakout').getByRole('rowheader').click();
    await until(
      'its editor is open',
      async () => (await page.getByLabel('Name (optional)').inputValue()) === 'Breakout',
    );
    expectQuiet(stage, visitor);
  });

  test('what fires comes on top of the triggers by itself, and its row leads to the alert', async () => {
    await page.goto(`${stage.url}/#/watchlist/triggers`);
    await page.getByText('No alert has fired in the last 30 days.').waitFor();
    await picture(page, 'all-triggers-none');
    await feed(stage.url, { code: 'XRX', last: 151, volume: 2000 });
    await rowNamed(page, 'Triggers', 'XRX').waitFor();
    await feed(stage.url, { code: 'BHX', last: 61, volume: 2000 });
    await rowNamed(page, 'Triggers', 'Far away').waitFor();
    await until('the newest are on top', async () => {
      const shown = (await cells(page, 'Triggers')).map((one) => one['Stock']?.slice(0, 3));
      return shown.join() === 'BHX,BHX,XRX';
    });
    await until('the oldest says why it fired and that it was snoozed', async () => {
      const [, , oldest] = await cells(page, 'Triggers');
      return oldest?.['Reason'] === 'last 151.00 above 150.00' && oldest['Sent to'] === 'Nowhere: snoozed';
    });
    expect(await axeInBothThemes(page, (theme) => picture(page, `all-triggers-${theme}`))).toEqual([]);
    await rowNamed(page, 'Triggers', 'Far away').focus();
    await page.keyboard.press('Enter');
    // Beside the other's, which is open.
    const editor = page.getByRole('listitem', { name: 'Far away' });
    await until(
      'its editor is open',
      async () => (await editor.getByLabel('Name (optional)').inputValue()) === 'Far away',
    );
    expectQuiet(stage, visitor);
  });

  test('on a phone nothing is wider than the screen or too small for a finger', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${stage.url}/#/watchlist/alerts`);
    await rowNamed(page, 'All alerts', 'BHX').first().waitFor();
    await fits(page, 390);
    expect(await faults(page)).toEqual([]);
    expect(await axe(page)).toEqual([]);
    await picture(page, 'all-alerts-phone');
    await page.getByRole('tab', { name: 'Triggers' }).tap();
    await rowNamed(page, 'Triggers', 'BHX').first().waitFor();
    await fits(page, 390);
    expect(await faults(page)).toEqual([]);
    expect(await axe(page)).toEqual([]);
    await picture(page, 'all-triggers-phone');
    expectQuiet(stage, visitor);
  });
});
