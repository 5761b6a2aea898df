import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { axeInBothThemes } from '../support/browser.ts';
import { expectQuiet, picture, type Stage, until } from '../support/stage.ts';
import { openTradingStage } from '../support/tradingStage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openTradingStage();
});
afterAll(() => stage?.close());

const toasts = (page: Page): Locator => page.getByRole('region', { name: 'Alerts that fired' });
const row = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name });

test('from a scanner to what its alert told: rehearsed, added, fired, left out for today, snoozed, deleted', async () => {
  const visitor = await stage.visit('/intra-day-mid-large', { as: 'scan-alerts-desk' });
  const { page } = visitor;
  await page.getByRole('button', { name: 'Alert me on this scan' }).click();
  const dialog = page.getByRole('dialog', { name: 'New alert on a scan' });
  await dialog.getByLabel('Name (optional)').fill('Movers');
  await dialog.getByRole('button', { name: 'Try it on the last 20 days' }).click();
  await dialog.getByText(/^Would have fired .* in 20 trading days/).waitFor();
  expect(await axeInBothThemes(page, (theme) => picture(page, `scan-alert-dialog-${theme}`))).toEqual([]);
  await dialog.getByRole('button', { name: 'Add alert' }).click();
  await dialog.waitFor({ state: 'detached' });

  // Of two thousand stocks one enters soon.
  const toast = toasts(page).getByRole('listitem').filter({ hasText: 'Movers' }).first();
  await toast.getByRole('button', { name: 'Not this stock today' }).click();
  const said = await toast.getByText(/ is not told again today\.$/).textContent();
  const [code = ''] = said?.split(' ') ?? [];
  await picture(page, 'scan-alert-toast');
  await toast.getByRole('button', { name: 'Snooze 1 h' }).click();
  await toast.getByText('Snoozed for an hour.').waitFor();

  await toast.getByRole('link').click();
  await page.waitForURL(/#\/watchlist/);
  await row(page, 'Movers')
    .getByText(/^Snoozed until \d\d:\d\d Sydney/)
    .waitFor();
  await page.getByRole('button', { name: 'History of Movers' }).click();
  await page.getByRole('button', { name: `Tell ${code} again` }).waitFor();
  const told = page.getByRole('listitem').filter({ hasText: code }).first();
  await told.getByText(/entered/).click();
  await told.getByText(/^Yes: Change % /).waitFor();
  expect(await axeInBothThemes(page, (theme) => picture(page, `scan-alerts-${theme}`))).toEqual([]);

  await page.getByRole('button', { name: `Tell ${code} again` }).click();
  await page.getByText('Not told today:').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'End snooze of Movers' }).click();
  await page.getByRole('button', { name: 'Snooze 1 h: Movers' }).waitFor();
  await page.getByRole('button', { name: 'Delete Movers' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText(/^No alerts on scans/).waitFor();
  await visitor.context.close();
  expectQuiet(stage, visitor);
});

test('on a phone the dialog and the list fit, and axe finds nothing serious', async () => {
  const browser = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
  const visitor = await stage.visit('/watchlist', { as: 'scan-alerts-phone', browser });
  const { page } = visitor;
  await page.getByRole('button', { name: 'New alert on a scan' }).tap();
  const dialog = page.getByRole('dialog', { name: 'New alert on a scan' });
  await dialog.getByLabel('Scan', { exact: true }).waitFor();
  expect(await axeInBothThemes(page, (theme) => picture(page, `scan-alert-dialog-${theme}-phone`))).toEqual(
    [],
  );
  await dialog.getByRole('button', { name: 'Add alert' }).tap();
  await dialog.waitFor({ state: 'detached' });
  await row(page, 'Any stock enters').waitFor();
  await until(
    'it told something',
    async () => !(await row(page, 'Any stock enters').textContent())?.includes('Never'),
  );
  const region = toasts(page);
  if ((await region.count()) > 0) await picture(page, 'scan-alert-toast-phone');
  await page.getByRole('button', { name: /^History of Any stock enters/ }).tap();
  await page.getByRole('listitem').first().waitFor();
  await page.getByRole('listitem').first().scrollIntoViewIfNeeded();
  expect(await axeInBothThemes(page, (theme) => picture(page, `scan-alerts-${theme}-phone`))).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
  await visitor.context.close();
  expectQuiet(stage, visitor);
});
