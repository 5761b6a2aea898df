import { expect, test } from 'bun:test';
import type { Locator } from 'playwright-core';
import { axeInBothThemes } from '../support/browser.ts';
import { feed } from '../support/fedMarket.ts';
import { callApi, openFedFixture, openVisit, until } from '../support/fixture.ts';

const stock = (code: string, last: number) => ({
  code,
  last,
  open: 2,
  close: 2,
  volume: 1_000_000,
  value: 2_000_000,
});
// The first is in the scan from the start, the other is below yesterday’s close.
const opening = openFedFixture([stock('AAX', 2.1), stock('BBX', 1.9)]);
const { fixture, page } = await openVisit(opening, '/intra-day-mid-large', { as: 'scan-alerts' });
const row = (name: string): Locator => page.getByRole('row').filter({ hasText: name });

test('a scanner’s alert fires when a stock enters, is muted for today, snoozed and deleted', async () => {
  // The alert stream opens after the first rows are shown. A window shows no alert that fired before.
  await page.waitForFunction(() =>
    Object.entries(localStorage).some(
      ([key, value]) => key.startsWith('bellbird.alerts.') && JSON.parse(value).lastEventId,
    ),
  );
  await page.getByRole('button', { name: 'Alert me on this scan' }).click();
  const dialog = page.getByRole('dialog', { name: 'New alert on a scan' });
  await dialog.getByText('More', { exact: true }).click();
  await dialog.getByLabel('Name (optional)').fill('Movers');
  // A fed market has no past days to backtest.
  await dialog.getByText(/^Not tested: no past trading day/).waitFor();
  expect(await axeInBothThemes(page, undefined, 'dialog')).toEqual([]);
  await dialog.getByRole('button', { name: 'Add alert' }).click();
  await dialog.waitFor({ state: 'detached' });

  const token = await page.evaluate(() => localStorage.getItem('accessToken') ?? '');
  await until('the scan was evaluated', async () => {
    const { scan_alerts } = await callApi<{ scan_alerts: { in_scan: number | null }[] }>(
      `${fixture.url}/api/scan-alerts`,
      { token, method: 'GET' },
    );
    return (scan_alerts[0]?.in_scan ?? 0) > 0;
  });
  await feed(fixture.url, stock('BBX', 2.2));
  const toast = page
    .getByRole('region', { name: 'Alerts that fired' })
    .getByRole('listitem')
    .filter({ hasText: 'Movers' })
    .first();
  await toast.locator('.toast-text').click();
  await toast.getByRole('button', { name: 'Not this stock today' }).click();
  await toast.getByText('BBX is muted until tomorrow.').waitFor();
  await toast.getByRole('button', { name: 'Snooze 1 h' }).click();
  await toast.getByText('Snoozed for an hour.').waitFor();

  await toast.getByRole('link').click();
  await page.waitForURL(/#\/watchlist/);
  await row('Movers')
    .getByText(/^Snoozed until \d\d:\d\d Sydney/)
    .waitFor();
  const choose = async (action: string) => {
    await page.getByRole('button', { name: 'More for Movers' }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  await choose('History');
  await page.getByRole('button', { name: 'Unmute BBX' }).waitFor();
  const trigger = page.getByRole('listitem').filter({ hasText: 'BBX' }).first();
  await trigger.getByText(/entered/).click();
  await trigger.getByText(/^Yes: Change % /).waitFor();
  expect(await axeInBothThemes(page)).toEqual([]);

  await choose('Delete');
  await page.getByText(/^No alerts yet/).waitFor();
});
