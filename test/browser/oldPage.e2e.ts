import { afterAll, describe, expect, test } from 'bun:test';
import type { BrowserContext, Page } from 'playwright-core';
import { axe } from '../support/browser.ts';
import { FED } from '../support/fedMarket.ts';
import { openFixture, until } from '../support/fixture.ts';

// The executable, because only it has the same commit as its pages.
const fixture = await openFixture(FED);
afterAll(() => fixture.close());

/** The files of another version are gone, as on a server updated since. */
const lose = (context: BrowserContext, files: string) =>
  context.route(`**/assets/${files}`, (route) =>
    route.fulfill({ status: 404, json: { error: 'Not found' } }),
  );

/** The server reports another commit. */
const update = (context: BrowserContext) =>
  context.route('**/api/app', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), commit: 'another' } });
  });

const reload = (page: Page) => page.getByRole('button', { name: 'Reload', exact: true });

describe('code that the server no longer has', () => {
  test('of a screen shows a sentence and Reload instead, and the rest of the page stays', async () => {
    const { page, context, leave } = await fixture.visit('/calls', {
      as: null,
      first: (context) => lose(context, 'LoginPage-*.js'),
    });
    await page.getByRole('heading', { name: 'Calls', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Login', exact: true }).click();
    await page.getByText('This screen could not be loaded.').waitFor();
    expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(1);
    expect(await axe(page)).toEqual([]);
    await page.getByRole('link', { name: 'Calls', exact: true }).click();
    await page.getByRole('heading', { name: 'Calls', exact: true }).waitFor();
    await page.goBack();
    await context.unrouteAll();
    await reload(page).click();
    await page.getByRole('heading', { name: 'Login' }).waitFor();
    await leave();
  });

  test('of the page itself shows that it failed to start', async () => {
    const { page, context, leave } = await fixture.visit('/calls', { as: null });
    await page.getByRole('heading', { name: 'Calls', exact: true }).waitFor();
    await lose(context, 'main-*.js');
    await page.reload();
    await page.getByRole('alert').getByText('Bellbird failed to start.').waitFor();
    expect(await axe(page)).toEqual([]);
    await context.unrouteAll();
    await reload(page).click();
    await page.getByRole('heading', { name: 'Calls', exact: true }).waitFor();
    await leave();
  });
});

const offer = (page: Page) => page.getByRole('button', { name: 'Reload for the new version' });

test('a server with another commit is offered in one line, which discards no typed input', async () => {
  const { page, context, leave } = await fixture.visit('/login', { as: null });
  await page.getByRole('heading', { name: 'Login' }).waitFor();
  const { commit } = (await (await fetch(`${fixture.url}/healthz`)).json()) as { commit: string };
  expect(await page.evaluate(() => document.documentElement.dataset.commit)).toBe(commit);
  expect(await offer(page).count()).toBe(0);
  await update(context);
  await page.reload();
  await page.getByLabel('Username').fill('maggie');
  await offer(page).waitFor();
  expect(await page.getByLabel('Username').inputValue()).toBe('maggie');
  expect(await axe(page)).toEqual([]);
  await offer(page).click();
  await page.getByText('Your input here is not saved. Reloading loses it.').waitFor();
  expect(await page.getByLabel('Username').inputValue()).toBe('maggie');
  await context.unrouteAll();
  const asked = page.waitForResponse('**/api/app');
  await page.getByRole('button', { name: 'Reload anyway' }).click();
  await asked;
  await until('the page has reloaded', async () => (await page.getByLabel('Username').inputValue()) === '');
  expect(await offer(page).count()).toBe(0);
  await leave();
});
