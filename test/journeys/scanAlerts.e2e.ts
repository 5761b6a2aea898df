import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { axeInBothThemes } from '../support/browser.ts';
import { FED, feed } from '../support/fedMarket.ts';
import { fits } from '../support/fingers.ts';
import { endQuietly, openStage, picture, type Stage, until, type Visitor } from '../support/stage.ts';

let stage: Stage;
let visitor: Visitor;
let page: Page;
beforeAll(async () => {
  stage = await openStage(FED);
  // The first is in the scan from the start, the others are below yesterday's close.
  await feed(stage.url, stock('AAX', 2.1), stock('BBX', 1.9), stock('CCX', 1.9));
  // Its window is a phone's in the end.
  visitor = await stage.visit('/intra-day-mid-large', { as: 'scan-alerts', browser: { hasTouch: true } });
  ({ page } = visitor);
  // The stream of alerts opens after the first rows are shown. A window shows no alert that fired before.
  await page.waitForFunction(() =>
    Object.entries(localStorage).some(
      ([key, value]) => key.startsWith('bellbird.alerts.') && JSON.parse(value).lastEventId,
    ),
  );
});
afterAll(() => endQuietly(stage, visitor));

const stock = (code: string, last: number) => ({
  ...{ code, last, open: 2, close: 2, volume: 1_000_000, value: 2_000_000 },
});
/** Lets the alert see who is in the scan at its first look, and then one more come in. */
async function enter(code: string): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('accessToken') ?? '');
  await until('the scan was looked at', async () => {
    const answer = await fetch(`${stage.url}/api/scan-alerts`, { headers: { authorization: token } });
    const { scan_alerts } = (await answer.json()) as { scan_alerts: { in_scan: number | null }[] };
    return (scan_alerts[0]?.in_scan ?? 0) > 0;
  });
  await feed(stage.url, stock(code, 2.2));
}
const toastWith = (text: string): Locator =>
  page
    .getByRole('region', { name: 'Alerts that fired' })
    .getByRole('listitem')
    .filter({ hasText: text })
    .first();
const row = (name: string): Locator => page.getByRole('row').filter({ hasText: name });

test('from a scanner to what its alert told: rehearsed, added, fired, left out for today, snoozed, deleted', async () => {
  await page.getByRole('button', { name: 'Alert me on this scan' }).click();
  const dialog = page.getByRole('dialog', { name: 'New alert on a scan' });
  await dialog.getByLabel('Name (optional)').fill('Movers');
  // A fed market has no days of the past, in which it would have fired.
  await dialog.getByText(/^Not tested: no past trading day/).waitFor();
  expect(
    await axeInBothThemes(page, (theme) => picture(page, `scan-alert-dialog-${theme}`), 'dialog'),
  ).toEqual([]);
  await dialog.getByRole('button', { name: 'Add alert' }).click();
  await dialog.waitFor({ state: 'detached' });

  await enter('BBX');
  const toast = toastWith('Movers');
  await toast.locator('.toast-text').click();
  await toast.getByRole('button', { name: 'Not this stock today' }).click();
  await toast.getByText('BBX is not told again today.').waitFor();
  await picture(page, 'scan-alert-toast');
  await toast.getByRole('button', { name: 'Snooze 1 h' }).click();
  await toast.getByText('Snoozed for an hour.').waitFor();

  await toast.getByRole('link').click();
  await page.waitForURL(/#\/watchlist/);
  await row('Movers')
    .getByText(/^Snoozed until \d\d:\d\d Sydney/)
    .waitFor();
  await page.getByRole('button', { name: 'History of Movers' }).click();
  await page.getByRole('button', { name: 'Tell BBX again' }).waitFor();
  const told = page.getByRole('listitem').filter({ hasText: 'BBX' }).first();
  await told.getByText(/entered/).click();
  await told.getByText(/^Yes: Change % /).waitFor();
  expect(await axeInBothThemes(page, (theme) => picture(page, `scan-alerts-${theme}`))).toEqual([]);

  await page.getByRole('button', { name: 'Tell BBX again' }).click();
  await page.getByText('Not told today:').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'End snooze of Movers' }).click();
  await page.getByRole('button', { name: 'Snooze 1 h: Movers' }).waitFor();
  await page.getByRole('button', { name: 'Delete Movers' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText(/^No alerts on scans/).waitFor();
});

test('on a phone the dialog and the list fit, and axe finds nothing serious', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${stage.url}/#/watchlist`);
  await page.getByRole('button', { name: 'New alert on a scan' }).tap();
  const dialog = page.getByRole('dialog', { name: 'New alert on a scan' });
  await dialog.getByLabel('Scan', { exact: true }).waitFor();
  expect(
    await axeInBothThemes(page, (theme) => picture(page, `scan-alert-dialog-${theme}-phone`), 'dialog'),
  ).toEqual([]);
  await dialog.getByLabel('Scan', { exact: true }).selectOption('intraDayMidLarge');
  await dialog.getByRole('button', { name: 'Add alert' }).tap();
  await dialog.waitFor({ state: 'detached' });
  await row('Any stock enters').waitFor();
  await enter('CCX');
  const toast = toastWith('CCX');
  await toast.waitFor();
  await until(
    'it told something',
    async () => !(await row('Any stock enters').textContent())?.includes('Never'),
  );
  await picture(page, 'scan-alert-toast-phone');
  // It lies over the list's end.
  await toast.getByRole('button', { name: /^Dismiss/ }).tap();
  await page.getByRole('button', { name: /^History of Any stock enters/ }).tap();
  await page.getByRole('listitem').first().waitFor();
  await page.getByRole('listitem').first().scrollIntoViewIfNeeded();
  expect(await axeInBothThemes(page, (theme) => picture(page, `scan-alerts-${theme}-phone`))).toEqual([]);
  await fits(page, 390);
});
