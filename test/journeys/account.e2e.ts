import { afterAll, expect, test } from 'bun:test';
import type { Page, Download } from 'playwright-core';
import { expectQuiet, openFixture } from '../support/fixture.ts';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a page saved as a file. In a browser shared with other end-to-end tests the browser stores it. */
async function savedText(download: Download): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bellbird-saved-'));
  try {
    await download.saveAs(join(folder, 'file'));
    return await readFile(join(folder, 'file'), 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const fixture = await openFixture({ BELLBIRD_SIM_START: '10:30' });
afterAll(() => fixture.close());

async function register(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm password').fill(password);
  await page.locator('form').getByRole('button', { name: 'Register' }).click();
}

async function logIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.locator('form').getByRole('button', { name: 'Login' }).click();
}

/** The browser reports refused requests itself; no other errors are allowed. */
function expectOnlyRefusals(errors: string[]): void {
  expect(errors.splice(0).filter((error) => !error.includes('401'))).toEqual([]);
}

test('the first administrator registers with the printed link, which works once', async () => {
  const [link] = await fixture.bellbird.printed(/https?:\/\/\S+#\/register\?\S+/);
  const { hash } = new URL(link);
  const visitor = await fixture.visit('/calls', { as: null });
  const { page } = visitor;
  await page.goto(`${fixture.url}/${hash}`);
  await register(page, 'Olive', 'amber-bill-7');
  await page.getByRole('navigation').getByRole('link', { name: 'Admin' }).first().waitFor();
  await page.waitForURL(/#\/(pre-market|intra-day-small)$/);
  await visitor.leave();
  expectQuiet(fixture, visitor);

  const second = await fixture.visit('/calls', { as: null });
  await second.page.goto(`${fixture.url}/${hash}`);
  await register(second.page, 'Second', 'second-password');
  await second.page.getByRole('alert').filter({ hasText: 'set-up link is not valid' }).waitFor();
  await second.leave();
});

test('a visitor sees calls and is sent to the login; logging out in one window ends the session in all', async () => {
  const visitor = await fixture.visit('/intra-day-small', { as: null });
  const { page, context, errors } = visitor;
  await page.waitForURL(/#\/calls$/);
  await page.getByRole('link', { name: 'Scanners' }).first().click();
  await page.waitForURL(/#\/login$/);
  await logIn(page, 'Olive', 'not the password');
  await page.getByText('Invalid username or password').waitFor();
  await logIn(page, 'OLIVE', 'amber-bill-7');
  await page.waitForURL(/#\/pre-market$/);
  await page.reload();
  const other = await context.newPage();
  await other.goto(`${fixture.url}/#/intra-day-small`);
  await other.getByRole('grid', { name: 'Top Movers under $1' }).waitFor();
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL(/#\/login$/);
  await other.getByText('You were logged out in another window.').waitFor();
  await page.goto(`${fixture.url}/#/settings`);
  await page.waitForURL(/#\/calls$/);
  await visitor.leave();
  // Includes what the other window requested in that moment.
  expectOnlyRefusals(errors);
  expectQuiet(fixture);
});

test('a member changes the password, which ends other sessions, downloads the data, and deletes the account', async () => {
  const maggie = await fixture.visit('/register', { as: null });
  const { page, errors } = maggie;
  await register(page, 'Maggie', 'amber-bill-7');
  await page.getByRole('button', { name: 'Logout' }).waitFor();
  await page.goto(`${fixture.url}/#/settings`);
  const elsewhere = await fixture.visit('/login', { as: null });
  await logIn(elsewhere.page, 'Maggie', 'amber-bill-7');
  await elsewhere.page.waitForURL(/#\/pre-market$/);

  await page.getByText('Change password', { exact: true }).first().click();
  await page.getByLabel('Current password').fill('amber-bill-7');
  await page.getByLabel('New password', { exact: true }).fill('olive-wing-8');
  await page.getByLabel('Confirm new password').fill('olive-wing-8');
  await page.locator('form').getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Password changed').waitFor();
  await elsewhere.page.waitForURL(/#\/login$/);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  const data = JSON.parse(await savedText(await download)) as { account: { username: string } };
  expect(data.account.username).toBe('Maggie');
  await page.getByRole('button', { name: 'Delete my account' }).click();
  await page.getByLabel('Your password').fill('olive-wing-8');
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.waitForURL(/#\/login$/);
  await logIn(page, 'Maggie', 'olive-wing-8');
  await page.getByText('Invalid username or password').waitFor();
  expectOnlyRefusals(errors);
  expectQuiet(fixture);
});
