import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { waitForMarket } from '../../scripts/bench/support/waitForMarket.ts';
import { axe, axeInBothThemes, showTheme } from '../support/browser.ts';
import { FED, feed } from '../support/fedMarket.ts';
import { faults, fits } from '../support/fingers.ts';
import { hasFocus, nextRow } from '../support/focus.ts';
import {
  expectQuiet,
  grid,
  openStage,
  picture,
  type Stage,
  shownRows,
  until,
  type Visitor,
} from '../support/stage.ts';
import { openTradingStage } from '../support/tradingStage.ts';

const symbolsIn = async (page: Page, table: string): Promise<string[]> =>
  (await shownRows(grid(page, table))).map(({ id }) => id);
const row = (page: Page, symbol: string): Locator => page.locator(`tr[data-id="${symbol}"]`);
const panel = (page: Page, symbol: string): Locator =>
  page.getByRole('region', { name: `Alerts on ${symbol}` });
const nameBox = (page: Page): Locator => page.getByLabel('Name (optional)');
/** Does something that is saved by itself, and waits for it. */
async function saved(page: Page, work: () => Promise<void>): Promise<void> {
  const answer = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await work();
  expect((await answer).status()).toBe(200);
}
const isSaved = (page: Page) =>
  until('it is saved', async () => (await page.getByText('Saving…').count()) === 0);

/** The symbol's row counts one alert, and nothing of it waits to be saved. */
async function hasAlert(page: Page, symbol: string): Promise<void> {
  await until('the alert is created', async () => {
    const rows = [...(await shownRows(grid(page, 'Trading'))), ...(await shownRows(grid(page, 'Pre-open')))];
    return rows.find(({ id }) => id === symbol)?.cells['Alerts'] === '1';
  });
  await isSaved(page);
}

async function add(page: Page, symbol: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Add symbol' }).fill('');
  await page.getByRole('combobox', { name: 'Add symbol' }).pressSequentially(symbol.toLowerCase());
  await page.keyboard.press('Enter');
  await row(page, symbol).waitFor();
  await until(
    'the box is empty again',
    async () => (await page.getByRole('combobox', { name: 'Add symbol' }).inputValue()) === '',
  );
}

describe('a watchlist and its alerts', () => {
  let stage: Stage;
  let visitor: Visitor;
  let page: Page;
  beforeAll(async () => {
    stage = await openStage(FED);
    await feed(
      stage.url,
      { code: 'BHX', last: 41, close: 40, volume: 100 },
      { code: 'CBX', last: 170, close: 171, volume: 100 },
      { code: 'SCX', last: 9, close: 9, open: 9, volume: 100 },
      { code: 'XRX', status: 'Pre Open', close: 120, match_price: 121.5, match_vol: 1000 },
    );
    visitor = await stage.visit('/watchlist', { as: 'free' });
    ({ page } = visitor);
  });
  afterAll(() => stage?.close());

  test('symbols are added and stand in the table of their phase; an alert is set, fires, and goes with its symbol', async () => {
    await page.getByText('No pre-open symbols').waitFor();
    await page.getByText('No trading symbols').waitFor();
    await add(page, 'BHX');
    await page.keyboard.type('cb');
    await page.getByRole('option', { name: /^CBX/ }).click();
    await row(page, 'CBX').waitFor();
    await add(page, 'XRX');
    await until('two trade', async () => (await symbolsIn(page, 'Trading')).join() === 'BHX,CBX');
    await until('one waits for the open, with its figures', async () => {
      const [opening, ...others] = await shownRows(grid(page, 'Pre-open'));
      const figures = { Alerts: '0', Match: '121.500', 'P. Close': '120.000', 'Match Value': '121,500' };
      return (
        opening?.id === 'XRX' &&
        others.length === 0 &&
        Object.entries(figures).every(([column, text]) => opening.cells[column] === text)
      );
    });
    await feed(stage.url, { code: 'XRX', status: 'Open', open: 122, last: 122, volume: 10 });
    await until('XRX trades', async () => (await symbolsIn(page, 'Trading')).includes('XRX'));
    await page.getByText('No pre-open symbols').waitFor();

    await row(page, 'BHX').getByRole('rowheader').click();
    await panel(page, 'BHX').getByText('Not saved yet: complete the conditions.').waitFor();
    await page.getByLabel('Compared with').selectOption({ label: 'Number' });
    await page.getByLabel('Number', { exact: true }).fill('50');
    await page.keyboard.press('Enter');
    await hasAlert(page, 'BHX');
    await saved(page, () => nameBox(page).fill('Breakout'));
    await page.getByText('Not yet: 41.00, waiting for 50').waitFor();

    await page.reload();
    await row(page, 'BHX').getByRole('rowheader').click();
    await until('it is there again', async () => (await nameBox(page).inputValue()) === 'Breakout');
    const marked = page.waitForResponse((answer) => /\/alerts\/\d{1,9}\/triggers$/.test(answer.url()));
    await feed(stage.url, { code: 'BHX', last: 50.6, volume: 200 });
    await panel(page, 'BHX')
      .getByText(/^Last triggered /)
      .waitFor();
    await until(
      'it is off',
      async () => !(await page.getByRole('switch', { name: 'Breakout: active' }).isChecked()),
    );

    // Whose alert is gone while its marks are on their way to the chart is told that there is none.
    await marked;
    await page.getByRole('button', { name: 'Remove BHX' }).click();
    await page.getByText('BHX has 1 alert, which is deleted with it.').waitFor();
    await page.getByRole('button', { name: 'Remove with 1 alert' }).click();
    await row(page, 'BHX').waitFor({ state: 'detached' });
    expectQuiet(stage, visitor);
  });

  test('an alert waits for a saved scan: without one the builder leads to it, and a deleted one is said', async () => {
    await add(page, 'SCX');
    await row(page, 'SCX').getByRole('rowheader').click();
    await page.getByLabel('Value').selectOption({ label: 'A saved scan (you have none yet)…' });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByText('You have no saved scans.').scrollIntoViewIfNeeded();
    await fits(page, 390);
    expect(await axe(page)).toEqual([]);
    await picture(page, 'alert-no-scans-phone');
    await page.setViewportSize({ width: 1440, height: 900 });

    await page.getByRole('link', { name: 'Custom Scanner' }).click();
    await page.getByRole('button', { name: 'New scan' }).click();
    const editor = page.getByRole('dialog', { name: 'New scan' });
    await editor.getByLabel('Name', { exact: true }).fill('Over ten');
    await editor.getByLabel('Compared with').selectOption('number');
    await editor.getByLabel('Number', { exact: true }).fill('10');
    await editor.getByRole('button', { name: 'Save' }).click();
    await editor.waitFor({ state: 'detached' });

    await page.goto(`${stage.url}/#/watchlist?symbol=SCX`);
    await panel(page, 'SCX').waitFor();
    await page.getByLabel('Value').selectOption({ label: 'my scan Over ten' });
    await hasAlert(page, 'SCX');
    await page.getByText('my scan Over ten: the stock is not in it, asked for: enters').waitFor();
    await picture(page, 'alert-saved-scan');
    await feed(stage.url, { code: 'SCX', last: 11, volume: 200 });
    await page
      .getByText(/entered my scan Over ten/)
      .first()
      .waitFor();

    await page.goto(`${stage.url}/#/custom-scanner`);
    await page.getByLabel('Scan', { exact: true }).selectOption({ label: 'Over ten' });
    await page.getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('dialog')
      .or(page.getByRole('alertdialog'))
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.getByRole('option', { name: 'Over ten' }).waitFor({ state: 'detached' });
    await page.goto(`${stage.url}/#/watchlist?symbol=SCX`);
    await page.getByText('Your scan "Over ten" does not exist any more.', { exact: false }).first().waitFor();
    expect(await axe(page)).toEqual([]);
    await row(page, 'SCX').getByRole('rowheader').click();
    await panel(page, 'SCX').waitFor({ state: 'detached' });
    expectQuiet(stage, visitor);
  });

  test('two windows that edit one alert: both versions are shown, and the one that is kept is in both', async () => {
    const mine = page;
    await row(mine, 'CBX').getByRole('rowheader').click();
    await mine.getByLabel('Compared with').selectOption({ label: 'Number' });
    await mine.getByLabel('Number', { exact: true }).fill('500');
    await mine.keyboard.press('Enter');
    await hasAlert(mine, 'CBX');
    await isSaved(mine);

    const other = await visitor.context.newPage();
    await other.goto(`${stage.url}/#/watchlist?symbol=CBX`);
    await nameBox(other).waitFor();
    const held = Promise.withResolvers<void>();
    await mine.route('**/api/alerts/*', async (route) => {
      if (route.request().method() === 'PATCH') await held.promise;
      await route.continue();
    });
    await nameBox(mine).fill('Mine');
    await mine.getByText('Saving…').waitFor();
    await saved(other, () => nameBox(other).fill('Theirs'));
    held.resolve();
    await mine
      .getByText('This alert was changed elsewhere while you edited it. Choose the version that stays.')
      .waitFor();
    await mine.getByRole('region', { name: 'Yours' }).getByText('Name: Mine').waitFor();
    await mine.getByRole('region', { name: 'Theirs' }).getByText('Name: Theirs').waitFor();
    expect(await axe(mine)).toEqual([]);
    await picture(mine, 'watchlist-conflict');
    await mine.getByRole('button', { name: 'Keep mine' }).click();
    await until('the other window has it too', async () => (await nameBox(other).inputValue()) === 'Mine');
    await other.close();
    await row(mine, 'CBX').getByRole('rowheader').click();
    await panel(mine, 'CBX').waitFor({ state: 'detached' });
    // A conflict is told by its status, which the browser writes to the console.
    const complaints = visitor.errors.splice(0);
    expect(complaints.filter((error) => !error.includes('409'))).toEqual([]);
    expectQuiet(stage, visitor);
  });

  test('by keyboard alone: to the box, to the rows, into the editor and back', async () => {
    await feed(stage.url, { code: 'AAX', last: 5, close: 5, volume: 100 });
    await page.keyboard.press('/');
    await page.keyboard.type('aax');
    await page.keyboard.press('Enter');
    await row(page, 'AAX').waitFor();
    await page.keyboard.press('Tab');
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    const symbol = await nextRow(page, 'j');
    expect(['AAX', 'CBX', 'SCX', 'XRX']).toContain(symbol);
    await page.keyboard.press('Enter');
    await panel(page, symbol).waitFor();
    await nameBox(page).waitFor();
    for (let presses = 0; presses < 20; presses += 1) {
      if (await nameBox(page).evaluate((box) => box === document.activeElement)) break;
      await page.keyboard.press('Tab');
    }
    await hasFocus('the name', nameBox(page));
    await page.keyboard.type('jk');
    expect(await nameBox(page).inputValue()).toBe('jk');
    await page.keyboard.press('Escape');
    await panel(page, symbol).waitFor({ state: 'detached' });
    await hasFocus('its row', row(page, symbol));
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Symbol, screen or action' }).fill('add a sy');
    await page.getByRole('option', { name: /Add a symbol/ }).waitFor();
    await page.keyboard.press('Enter');
    await hasFocus('the box', page.getByRole('combobox', { name: 'Add symbol' }));
    expectQuiet(stage, visitor);
  });
});

describe('on the simulated exchange', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openTradingStage();
    // Seeding takes what is listed.
    await waitForMarket(stage.url);
  });
  afterAll(() => stage?.close());

  const sizes = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
  for (const [size, viewport] of Object.entries(sizes)) {
    test(`${size}: an alert with its rehearsal; axe finds nothing serious, nothing is cut off`, async () => {
      const isMobile = size === 'phone';
      const visitor = await stage.visit('/watchlist', {
        as: `watchlist-${size}`,
        browser: { viewport, isMobile, hasTouch: isMobile, reducedMotion: 'reduce' },
      });
      const { page } = visitor;
      await row(page, 'BHP').waitFor();
      await until('prices are there', async () =>
        /\d\.\d{3}/.test((await row(page, 'BHP').textContent()) ?? ''),
      );
      const name = row(page, 'BHP').getByRole('rowheader');
      if (isMobile) await name.tap({ position: { x: 20, y: 20 } });
      else await name.click({ position: { x: 300, y: 10 } });
      await panel(page, 'BHP')
        .getByText(/in \d+ trading days/)
        .first()
        .waitFor();
      // Everything but what only a phone has was seen in the dark theme on the desk.
      if (isMobile) {
        await showTheme(page, 'light');
        expect(await axe(page)).toEqual([]);
        await picture(page, 'watchlist-light-phone');
      } else {
        const findings = await axeInBothThemes(page, (theme) => picture(page, `watchlist-${theme}-desk`));
        expect(findings).toEqual([]);
      }
      await fits(page, viewport.width);
      if (isMobile) expect(await faults(page)).toEqual([]);
      // Whether it would have fired depends on the days before this one.
      const result = await panel(page, 'BHP')
        .getByText(/in \d+ trading days/)
        .first()
        .textContent();
      const firings = page.getByText('Times and prices');
      if (result?.startsWith('Never')) expect(await firings.count()).toBe(0);
      else await firings.scrollIntoViewIfNeeded();
      await picture(page, `watchlist-rehearsal-${size}`);
      await visitor.context.close();
      expectQuiet(stage, visitor);
    });
  }
});
