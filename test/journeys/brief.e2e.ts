import { expect, test } from 'bun:test';
import { axe } from '../support/browser.ts';
import { FED, feed } from '../support/fedMarket.ts';
import { openFixture, openVisit } from '../support/fixture.ts';

const { fixture, page } = await openVisit(
  openFixture({ BELLBIRD_SIM_START: '09:50', BELLBIRD_INGEST_KEY: FED.BELLBIRD_INGEST_KEY }),
  '/pre-market',
);

test('the brief is first before the open, has figures of the bridge, and a line opens its stock', async () => {
  const body = JSON.stringify({ figures: [{ id: 'spx', last: 6123, change: 1.23 }] });
  const headers = { authorization: FED.BELLBIRD_INGEST_KEY, 'content-type': 'application/json' };
  expect((await fetch(`${fixture.url}/api/ingest/overnight`, { method: 'POST', body, headers })).status).toBe(
    200,
  );
  await feed(fixture.url, { code: 'QQH', name: 'Halted Limited', close: 1, status: 'Halted' });
  const first = page.getByRole('navigation', { name: 'Main' }).getByRole('link').first();
  await first.filter({ hasText: 'Brief' }).click();
  const markets = page.getByRole('list', { name: 'Other markets' });
  await markets.getByText(/S&P 500 6,123 \+1\.23%/).waitFor();
  await page.getByText(/gap up, .* gap down/).waitFor();
  expect(await axe(page)).toEqual([]);

  const halted = page.getByRole('button', { name: /^QQH Halted/ });
  await halted.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('complementary', { name: 'Selected stock' }).getByText('QQH').first().waitFor();
});
