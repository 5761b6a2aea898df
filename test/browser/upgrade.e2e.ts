import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { post } from '../support/executable.ts';
import { FED } from '../support/fedMarket.ts';
import {
  expectQuiet,
  openStage,
  picture,
  type Stage,
  seedSession,
  until,
  type Visitor,
} from '../support/stage.ts';
import { savedText } from '../support/savedText.ts';

const NAME = 'Maggie';
const PASSWORD = 'amber-bill-7';
const NEW_PASSWORD = 'olive-wing-8';

let stage: Stage;
let maggie: Visitor;
beforeAll(async () => {
  stage = await openStage(FED);
  maggie = await stage.visit('/register', { as: null });
  const { page } = maggie;
  await page.getByLabel('Username').fill(NAME);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.locator('form').getByRole('button', { name: 'Register' }).click();
  await page.getByRole('button', { name: 'Logout' }).waitFor();
  await go(page, '/settings');
});
afterAll(() => stage?.close());

const go = (page: Page, route: string): Promise<unknown> => page.goto(`${stage.url}/#${route}`);
/** What the Admin panel sends for what it shows. */
async function approve(): Promise<void> {
  const { accessToken } = await seedSession(stage.url, 'admin');
  const headers = { authorization: accessToken, 'content-type': 'application/json' };
  const listed = await fetch(`${stage.url}/api/admin/upgrade-requests`, { headers });
  const { requests } = (await listed.json()) as { requests: { id: number; username: string }[] };
  expect(requests).toMatchObject([{ username: NAME, requestedSubscriptionType: 'premium' }]);
  const body = { userId: requests[0]?.id, requestedSubscriptionType: 'premium' };
  expect((await post(`${stage.url}/api/admin/approve-upgrade`, body, accessToken)).status).toBe(200);
}
const pill = (page: Page) => page.locator('header .pill');
const level = (page: Page) => page.evaluate(() => localStorage.getItem('accessLevel'));

async function logIn(page: Page, password: string): Promise<void> {
  await page.getByLabel('Username').fill(NAME);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.locator('form').getByRole('button', { name: 'Login' }).click();
}

describe('an account', () => {
  test('is upgraded by an administrator, in every open window at once', async () => {
    const { page, context } = maggie;
    const second = await context.newPage();
    await go(second, '/calls');
    await page.getByRole('button', { name: 'Request Premium' }).click();
    await page.getByText('Upgrade request pending: Premium').waitFor();
    await picture(page, 'settings-upgrade-pending');

    await approve();
    await page.getByText('You already have Premium.').waitFor();
    for (const window of [page, second]) {
      await until('the pill says premium', async () => (await pill(window).textContent()) === 'premium');
      await until('its session is of that level', async () => (await level(window)) === '3');
    }
    await second.close();
    expectQuiet(stage, maggie);
  });

  test('that gets another password is logged out everywhere else', async () => {
    const { page } = maggie;
    const elsewhere = await stage.visit('/login', { as: null });
    await logIn(elsewhere.page, PASSWORD);
    await elsewhere.page.waitForURL(/#\/pre-market$/);

    await page.getByText('Change password', { exact: true }).first().click();
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel('Confirm new password').fill(NEW_PASSWORD);
    await page.locator('form').getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed').waitFor();
    await elsewhere.page.waitForURL(/#\/login$/);
    await page.getByText('This one').waitFor();
    await page.getByRole('button', { name: 'End all others' }).waitFor({ state: 'detached' });
    await elsewhere.context.close();
    expectQuiet(stage, maggie);
  });

  test('gives its owner everything that is kept of it, and then is gone', async () => {
    const { page, errors, context } = maggie;
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download my data' }).click();
    const data = JSON.parse(await savedText(await download)) as { account: { username: string } };
    expect(data.account.username).toBe(NAME);

    await page.getByRole('button', { name: 'Delete my account' }).click();
    await page.getByLabel('Your password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.waitForURL(/#\/login$/);
    await logIn(page, NEW_PASSWORD);
    await page.getByText('Invalid username or password').waitFor();
    // The browser reports the refused login itself; that is the only complaint there may be.
    expect(errors.filter((error) => !error.includes('401'))).toEqual([]);
    await context.close();
    expectQuiet(stage);
  });
});
