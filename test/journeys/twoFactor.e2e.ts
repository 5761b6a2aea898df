import { afterAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { codeAt } from '#subjects/accounts/rules/totp.ts';
import { axeInBothThemes } from '../support/browser.ts';
import { post } from '../support/executable.ts';
import { openFixture } from '../support/fixture.ts';

const PASSWORD = 'amber-bill-7';

const fixture = await openFixture({ BELLBIRD_ADMIN_TOTP: '1' });
afterAll(() => fixture.close());
const [link] = await fixture.bellbird.printed(/https?:\/\/\S+#\/register\?\S+/);
const setupToken = /setup=([\w-]+)/.exec(link)?.[1];
const account = { username: 'Olive', password: PASSWORD, platform: 'web', setupToken };
await post(`${fixture.url}/api/register`, account);
const olive = await fixture.visit('/login', { as: null });
const { page } = olive;

async function giveName(by: Page, username: string): Promise<void> {
  await by.getByLabel('Username').fill(username);
  await by.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await by.locator('form').getByRole('button', { name: 'Login' }).click();
}
const demand = (by: Page) => by.getByText(/requires two-factor login for administrators, and yours is off/);

test('an administrator without two-factor login is led to its set-up, which opens the panel in all windows', async () => {
  await giveName(page, 'Olive');
  await page.waitForURL(/#\/pre-market$/);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${fixture.url}/#/admin`);
  await demand(page).waitFor();
  expect(await page.getByRole('region').count()).toBe(0);
  expect(await axeInBothThemes(page)).toEqual([]);
  expect(asked.filter((path) => path.startsWith('/api/admin/'))).toEqual([]);
  const other = await olive.context.newPage();
  await other.goto(`${fixture.url}/#/admin`);
  await demand(other).waitFor();

  await page.getByRole('link', { name: 'Set up two-factor login' }).click();
  const title = page.getByRole('heading', { name: 'Two-factor login' });
  await title.waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === 'Two-factor login');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  const secret = (await dialog.locator('.second-factor-key code').innerText()).replaceAll(/\s/g, '');
  await dialog.getByLabel('Code', { exact: true }).fill(codeAt(secret, fixture.now()));
  await page.keyboard.press('Enter');
  const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await codes.first().waitFor();
  expect(await codes.count()).toBe(10);
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('On. 10 recovery codes are left.').waitFor();
  await other.getByRole('region', { name: 'Server Alerts' }).waitFor();
  expect(await demand(other).count()).toBe(0);
  await other.close();
});
