import { afterAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { anItem } from '../support/asxFixture.ts';
import { axe, showTheme } from '../support/browser.ts';
import { post } from '../support/executable.ts';
import { startFakeModel } from '../support/fakeModel.ts';
import { hasFocus } from '../support/focus.ts';
import { openSmallExchange } from '../support/smallExchange.ts';
import { expectQuiet, seedSession, until } from '../support/fixture.ts';

const model = startFakeModel();
const exchange = await openSmallExchange({
  env: { BELLBIRD_AI_URL: model.url, BELLBIRD_AI_MODEL: 'test-model' },
});
const { fixture } = exchange;
afterAll(async () => {
  await exchange.close();
  await model.stop();
});

/** A price-sensitive announcement is published, and an administrator has the server poll the exchange. */
async function announce(symbol: string, headline: string): Promise<void> {
  const date = new Date(exchange.now()).toISOString();
  exchange.asx.add(anItem(date, { symbol, headline, isPriceSensitive: true }));
  const { accessToken } = await seedSession(fixture.url, 'basic');
  const response = await post(`${fixture.url}/api/data/news/update`, { symbol }, accessToken);
  expect(response.status).toBe(200);
}

/** The codes whose rows are marked as new, the newest last. */
const marked = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document.adoptedStyleSheets
      .flatMap((sheet) => [...sheet.cssRules])
      .filter((rule) => rule instanceof CSSStyleRule && rule.selectorText.includes('.name-cell::after'))
      .flatMap((rule) =>
        [...rule.cssText.matchAll(/data-id="([^"]{1,12})"/g)].map((found) => found[1] ?? ''),
      ),
  );

const article = (page: Page, code: string) => page.getByRole('article', { name: `News for ${code}` });

/** Waits until an article has these words, in any element. */
const expectText = (shown: Locator, words: string | RegExp): Promise<void> =>
  shown.filter({ hasText: words }).waitFor();

/** Shows a stock in the pane by keyboard, past all filters. */
async function openStock(page: Page, code: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await hasFocus('the box', page.getByRole('combobox', { name: 'Symbol, screen or action' }));
  await page.keyboard.type(code);
  await page.getByRole('option').filter({ hasText: code }).first().waitFor();
  await page.keyboard.press('Enter');
  await article(page, code).waitFor();
}

test('a row with a new price-sensitive announcement is marked; its summary is written once for all users', async () => {
  const asker = await fixture.visit('/custom-scanner', { as: 'premium' });
  const reader = await fixture.visit('/custom-scanner', { as: 'free' });
  const { page } = asker;
  const code = 'BBB';
  await page.locator('tr[data-id]').first().waitFor();
  // The code that watches for news loads after the table and is visible only there.
  await page.locator('.alert-announcement').waitFor({ state: 'attached' });
  await announce(code, 'Output rises by a tenth');
  await until('the row is marked', async () => (await marked(page)).includes(code));
  await openStock(page, code);
  // A window that opens now was not there when it arrived.
  await openStock(reader.page, code);

  const row = article(page, code);
  for (const words of ['Price Sensitive', 'Announcements: ASX', 'No summary available yet.'])
    await expectText(row, words);
  expect(await axe(page)).toEqual([]);
  const read = article(reader.page, code);
  await expectText(read, 'No summary available yet.');
  expect(await read.getByRole('button', { name: 'Summarise' }).count()).toBe(0);

  const release = model.hold();
  model.reply('Output <img src=x onerror=alert(1)> rose by a tenth.');
  await row.getByRole('button', { name: 'Summarise' }).focus();
  await page.keyboard.press('Enter');
  await row.getByRole('button', { name: 'Summarising…' }).waitFor();
  await row.getByText('about 30 seconds').waitFor();
  release();
  for (const shown of [row, read]) {
    await shown.getByText('rose by a tenth.').waitFor();
    expect(await shown.locator('img').count()).toBe(0);
    await expectText(shown, /Generated \d\d:\d\d/);
    await expectText(shown, 'Written by an AI model from the announcement; may be wrong');
  }
  await hasFocus('the news', row);
  expect(model.requests).toHaveLength(1);

  await row.getByRole('button', { name: 'Refresh news' }).click();
  await row.getByText('Updates appear within a few seconds.').waitFor();
  await showTheme(page, 'light');
  expect(await axe(page)).toEqual([]);
  expectQuiet(fixture, asker, reader);
  await Promise.all([asker.context.close(), reader.context.close()]);
});
