import { afterAll, expect, test } from 'bun:test';
import type { Page, Locator } from 'playwright-core';
import { startCounter } from '../support/byteCounter.ts';
import { watchForErrors } from '../support/browser.ts';
import { openSmallExchange } from '../support/smallExchange.ts';
import {
  expectQuiet,
  grid,
  seedSession,
  until,
  type Visitor,
  shownNumber,
  shownRows,
} from '../support/fixture.ts';
import { feed } from '../support/fedMarket.ts';

let fed = 0;

/**
 * Sends a new price of a stock in the table, above every one before, and waits until it is shown.
 * @param from AUD; the price is at most a tenth above it
 */
async function expectFollowed(
  url: string,
  table: Locator,
  { code, from }: { code: string; from: number },
): Promise<void> {
  fed += 1;
  const last = Number((from * (1 + fed / 1000)).toFixed(3));
  await feed(url, { code, last });
  await until(`the table shows ${code} at ${last}`, async () => {
    const row = (await shownRows(table)).find(({ id }) => id === code);
    return shownNumber(row?.cells.Last ?? row?.cells.Price) === last;
  });
}

/** Stocks of the small exchange, one of each scanner of the open market. */
const FOLLOWED = {
  small: { code: 'AAA', from: 0.56 },
  midLarge: { code: 'BBB', from: 2.9 },
  largeCap: { code: 'CCC', from: 41 },
} as const;

const { fixture, close } = await openSmallExchange();
afterAll(close);

/** The scanners, each with a stock whose price the test follows; the auction has none. */
const scanners = [
  { route: '/pre-market', title: 'Live Pre-Open', stock: null },
  { route: '/intra-day-small', title: 'Top Movers under $1', stock: FOLLOWED.small },
  { route: '/intra-day-mid-large', title: 'Top Movers above $1', stock: FOLLOWED.midLarge },
  { route: '/intra-day-large-cap', title: 'Top Movers Large Cap', stock: FOLLOWED.largeCap },
  { route: '/custom-scanner', title: 'Custom Scanner', stock: FOLLOWED.small },
] as const;

async function popOut({
  page,
  context,
  errors,
}: Pick<Visitor, 'page' | 'context' | 'errors'>): Promise<Page> {
  const opening = context.waitForEvent('page');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Pop out to new window' }).click();
  const popup = await opening;
  watchForErrors(popup, errors);
  return popup;
}

test('five pop-outs and the main window share one stream, calls still answer, and the pop-outs return', async () => {
  // Plain HTTP/1.1: the browser has six connections for the address, whatever the number of windows.
  const counter = startCounter(fixture.bellbird.port);
  const page = await fixture.openWindow();
  const context = page.context();
  const visitor = { context, page, errors: watchForErrors(page) };
  try {
    const { accessToken, accessLevel } = await seedSession(fixture.url, 'premium');
    // The session is stored before the application loads.
    await page.goto(`http://127.0.0.1:${counter.port}/healthz`);
    await page.evaluate((kept) => Object.assign(localStorage, kept), { accessToken, accessLevel });
    await page.goto(`http://127.0.0.1:${counter.port}/#/calls`);
    const popups: Page[] = [];
    for (const { route, title } of scanners) {
      await page.evaluate((hash) => window.location.assign(hash), `#${route}`);
      const popup = await popOut(visitor);
      popups.push(popup);
      await popup.getByText('Live', { exact: true }).first().waitFor();
      await grid(popup, title).locator('tr[data-id]').first().waitFor();
      expect(await popup.getByRole('banner').count()).toBe(0);
      await popup.getByRole('button', { name: 'More', exact: true }).click();
      await popup.getByRole('menuitem', { name: 'Configure Columns' }).waitFor();
      expect(await popup.getByRole('menuitem', { name: 'Pop out to new window' }).count()).toBe(0);
      await popup.keyboard.press('Escape');
    }
    for (const [index, { title, stock }] of scanners.entries()) {
      const popup = popups[index];
      if (popup && stock) await expectFollowed(fixture.url, grid(popup, title), stock);
    }
    const status = await page.evaluate(async () => {
      const answer = await fetch('/api/settings', {
        headers: { authorization: localStorage.getItem('accessToken') ?? '' },
        signal: AbortSignal.timeout(5000),
      });
      return answer.status;
    });
    expect(status).toBe(200);
    await until('there is one stream', () => counter.open('/api/data/stream') === 1);

    // The last two return: one by its button, one by closing its window.
    const [byHand, byButton] = popups.slice(-2);
    await page.getByText('This scanner is currently open in a separate window').waitFor();
    await page.getByRole('button', { name: 'Focus Window' }).click();
    await page.getByRole('button', { name: 'Close & Show Here' }).click();
    await until('the other window is closed', () => byButton?.isClosed() === true);
    await expectFollowed(fixture.url, grid(page, 'Custom Scanner'), FOLLOWED.small);
    await page.evaluate(() => window.location.assign('#/intra-day-large-cap'));
    await page.getByText('This scanner is currently open in a separate window').waitFor();
    await byHand?.close();
    await grid(page, 'Top Movers Large Cap').waitFor();
  } finally {
    await context.close();
    counter.stop();
  }
  expectQuiet(fixture, visitor);
});
