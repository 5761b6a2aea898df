import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { expectQuiet, openStage, seedSession, type Stage } from '../support/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ BELLBIRD_SIM_START: '10:30' });
});
afterAll(() => stage?.close());

const route = (page: Page): string => new URL(page.url()).hash;
const owner = { username: 'Olive', password: 'amber-bill-7' };

async function logIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.locator('form').getByRole('button', { name: 'Login' }).click();
}

const MARK = '0123456789ab';
const MANY = `basic-many-${MARK}`;

describe('accounts', () => {
  test('the first administrator registers through the printed set-up link', async () => {
    const [link] = await stage.bellbird.printed(/https?:\/\/\S+#\/register\?\S+/);
    const address = new URL(link);
    const visitor = await stage.visit('/calls', { as: null });
    const { page } = visitor;
    await page.goto(`${stage.url}/${address.hash}`);
    await page.getByLabel('Username').fill(owner.username);
    await page.getByLabel('Password', { exact: true }).fill(owner.password);
    await page.getByLabel('Confirm password').fill('something else');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('Passwords do not match').waitFor();
    await page.getByLabel('Confirm password').fill(owner.password);
    await page.getByRole('button', { name: 'Register' }).click();

    const navigation = page.getByRole('navigation');
    await navigation.getByRole('link', { name: 'Admin' }).first().waitFor();
    await page.waitForURL(/#\/(pre-market|intra-day-small)$/);
    await page.getByText('OL', { exact: true }).first().waitFor();
    await visitor.leave();
    expectQuiet(stage, visitor);
  });

  test('the link works once', async () => {
    const [link] = await stage.bellbird.printed(/https?:\/\/\S+#\/register\?\S+/);
    const { page, leave } = await stage.visit('/calls', { as: null });
    await page.goto(`${stage.url}/${new URL(link).hash}`);
    await page.getByLabel('Username').fill('Second');
    await page.getByLabel('Password', { exact: true }).fill('second-password');
    await page.getByLabel('Confirm password').fill('second-password');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('alert').filter({ hasText: 'set-up link is not valid' }).waitFor();
    await leave();
  });

  test('logs in to the pre-market scanner, out to the login screen, and stays out', async () => {
    const visitor = await stage.visit('/login', { as: null });
    const { page, errors } = visitor;
    await logIn(page, owner.username, 'not the password');
    await page.getByText('Invalid username or password').waitFor();
    // The browser reports the refused call itself; that is the only complaint there may be.
    expect(errors.splice(0).filter((error) => !error.includes('401'))).toEqual([]);
    await logIn(page, owner.username.toUpperCase(), owner.password);
    await page.waitForURL(/#\/pre-market$/);
    await page.reload();
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL(/#\/login$/);
    await page.goto(`${stage.url}/#/settings`);
    await page.waitForURL(/#\/calls$/);
    await visitor.leave();
    expectQuiet(stage, visitor);
  });

  test('a visitor sees calls, and is led to the login from everything else', async () => {
    const visitor = await stage.visit('/intra-day-small', { as: null });
    const { page } = visitor;
    await page.waitForURL(/#\/calls$/);
    const scanners = page.getByRole('link', { name: 'Scanners' }).first();
    await scanners.hover();
    await page.getByText('Login to access this section').first().waitFor();
    await scanners.click();
    await page.waitForURL(/#\/login$/);
    await page.getByRole('link', { name: 'Register' }).first().click();
    await page.waitForURL(/#\/register$/);
    await visitor.leave();
    expectQuiet(stage, visitor);
  });

  test('routes: alias, unknown, query, and no administration for others', async () => {
    const visitor = await stage.visit('/scanners?x=1', { as: 'premium' });
    const { page } = visitor;
    await page.getByRole('heading', { name: 'Live Pre-Open' }).waitFor();
    // Before the stream's first word the page goes by the wall clock.
    await page.getByText('Simulated', { exact: true }).first().waitFor();
    for (const path of ['/nowhere', '/admin']) {
      await page.goto(`${stage.url}/#${path}`);
      await page.getByText('Not found.').waitFor();
    }
    expect(await page.getByRole('link', { name: 'Admin' }).count()).toBe(0);
    await page.goto(`${stage.url}/#/login`);
    await page.waitForURL(/#\/(pre-market|intra-day-small)$/);
    expect(route(page)).toBe('#/intra-day-small');
    await visitor.leave();
    expectQuiet(stage, visitor);
  });

  test('the oldest of more than twenty sessions ends in all windows of its browser, as does one that is logged out', async () => {
    const visitor = await stage.visit('/intra-day-small', { as: MANY });
    const { page, context, errors } = visitor;
    // The demo button finds the account again by the mark of this browser.
    await page.evaluate((mark) => localStorage.setItem('bellbird.demo', mark), MARK);
    await page.getByRole('grid', { name: 'Top Movers under $1' }).waitFor();
    const opening = context.waitForEvent('page');
    await page.getByRole('button', { name: 'Pop out to new window' }).click();
    const popup = await opening;
    await popup.getByRole('grid', { name: 'Top Movers under $1' }).waitFor();
    for (let login = 0; login < 20; login += 1) await seedSession(stage.url, MANY);
    // Both are told; nobody has to ask for anything.
    await page.waitForURL(/#\/login$/);
    await popup.waitForURL(/#\/login$/);
    // Who logs in again in one window is back in the other, which says so when the first one logs out.
    await page.getByLabel('Username').fill('basic-many');
    await page.getByRole('button', { name: 'Seed Demo Data (Test Mode)' }).click();
    await popup.getByRole('grid', { name: 'Top Movers under $1' }).waitFor();
    await page.getByRole('button', { name: 'Logout' }).click();
    await popup.getByText('You were logged out in another window.').waitFor();
    await visitor.leave();
    // Requests that were under way when the session ended are refused, whenever their answers come.
    expect(errors.splice(0).filter((error) => !error.includes('401'))).toEqual([]);
    expectQuiet(stage, visitor);
  });

  test('a set-up goes to another account as one file, and its open windows show it', async () => {
    const giver = await stage.visit('/settings', { as: 'giver' });
    const saving = giver.page.waitForEvent('download');
    await giver.page.getByRole('button', { name: 'Download my set-up' }).click();
    const file = await (await saving).path();
    // Where there is nothing yet, not even what a demo user begins with.
    const body = JSON.stringify({ username: 'Taker', password: 'amber-bill-7', email: null });
    const headers = { 'content-type': 'application/json' };
    await fetch(`${stage.url}/api/register`, { method: 'POST', headers, body });
    const taker = await stage.visit('/login', { as: null });
    const { page, context } = taker;
    await logIn(page, 'Taker', 'amber-bill-7');
    await page.waitForURL(/#\/pre-market$/);
    await page.goto(`${stage.url}/#/settings`);
    const other = await context.newPage();
    await other.goto(`${stage.url}/#/watchlist`);
    await other.getByText('No trading symbols').waitFor();
    await page.getByLabel('File of a set-up').setInputFiles(file);
    await page.getByRole('checkbox', { name: /^Alerts 2 alerts: all new/ }).waitFor();
    await page.getByRole('button', { name: /^Bring in \d+ things/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(/^Done: \d+ things came in/).waitFor();
    await other.getByText('No trading symbols').waitFor({ state: 'detached' });
    await giver.leave();
    await taker.leave();
    expectQuiet(stage, giver, taker);
  });

  test('test mode offers a demo login', async () => {
    const visitor = await stage.visit('/login', { as: null });
    const { page } = visitor;
    await page.getByLabel('Username').fill('admin');
    await page.getByRole('button', { name: 'Seed Demo Data (Test Mode)' }).click();
    await page.getByRole('link', { name: 'Admin' }).first().waitFor();
    const nameOf = (of: typeof page) => of.locator('.badge-name').first().textContent();
    const name = await nameOf(page);
    // Another visitor has an account of their own.
    const other = await stage.visit('/login', { as: null, first: async () => undefined });
    await other.page.getByLabel('Username').fill('admin');
    await other.page.getByRole('button', { name: 'Seed Demo Data (Test Mode)' }).click();
    await other.page.getByRole('link', { name: 'Admin' }).first().waitFor();
    expect(await nameOf(other.page)).not.toBe(name);
    await other.context.close();
    await visitor.context.close();
    expectQuiet(stage, visitor);
  });
});
