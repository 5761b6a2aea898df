import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { BrowserContext, Page } from 'playwright-core';
import { axe, watchForErrors } from '../support/browser.ts';
import { FED, feed } from '../support/fedMarket.ts';
import { expectFollowed, FOLLOWED } from '../support/followed.ts';
import { FEW_STOCKS } from '../support/smallExchange.ts';
import { grid, openStage, picture, type Stage, until } from '../support/stage.ts';

const SMALL = 'Top Movers under $1';

// The executable, as only that is of the commit that its pages are of.
let stage: Stage;
beforeAll(async () => {
  stage = await openStage(FED);
  await feed(stage.url, ...FEW_STOCKS);
});
afterAll(() => stage?.close());

/** The scanner lives: it shows the price that comes now. */
const expectLive = (page: Page) => expectFollowed(stage.url, grid(page, SMALL), FOLLOWED.small);

/** The files of another version are gone, as from a server that was updated since. */
const lose = (context: BrowserContext, files: string) =>
  context.route(`**/assets/${files}`, (route) =>
    route.fulfill({ status: 404, json: { error: 'Not found' } }),
  );

/** The server says that it is of another commit. */
const update = (context: BrowserContext) =>
  context.route('**/api/app', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), commit: 'another' } });
  });

const reload = (page: Page) => page.getByRole('button', { name: 'Reload', exact: true });

describe('code that the server no longer has', () => {
  test('of a screen: a sentence and Reload in its place, the rest of the page stays', async () => {
    const { page, context, leave } = await stage.visit('/calls', {
      as: null,
      first: (context) => lose(context, 'LoginPage-*.js'),
    });
    await page.getByRole('heading', { name: 'Calls', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Login', exact: true }).click();
    await page.getByText('This screen could not be loaded.').waitFor();
    expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(1);
    expect(await axe(page)).toEqual([]);
    await picture(page, 'state-screen-missing');
    await page.getByRole('link', { name: 'Calls', exact: true }).click();
    await page.getByRole('heading', { name: 'Calls', exact: true }).waitFor();
    await page.goBack();
    await context.unrouteAll();
    await reload(page).click();
    await page.getByRole('heading', { name: 'Login' }).waitFor();
    await leave();
  });

  test('of the palette: a line, and the screen goes on', async () => {
    // Before the page loads: whether a request passes by a route that was added later is up to the browser.
    const { page, leave } = await stage.visit('/intra-day-small', {
      first: (context) => lose(context, 'Palette-*.js'),
    });
    await expectLive(page);
    const asked = page.waitForRequest('**/assets/Palette-*.js');
    await page.keyboard.press('Control+k');
    await asked;
    await page.getByRole('alert').getByText('This part of the page could not be shown.').waitFor();
    expect(await axe(page)).toEqual([]);
    await expectLive(page);
    await leave();
  });

  test('of the page itself: it says that it failed to start', async () => {
    const { page, context, leave } = await stage.visit('/calls', { as: null });
    await page.getByRole('heading', { name: 'Calls', exact: true }).waitFor();
    await lose(context, 'main-*.js');
    await page.reload();
    await page.getByRole('alert').getByText('Bellbird failed to start.').waitFor();
    expect(await axe(page)).toEqual([]);
    await picture(page, 'state-start-failed');
    await context.unrouteAll();
    await reload(page).click();
    await page.getByRole('heading', { name: 'Calls', exact: true }).waitFor();
    await leave();
  });
});

test('what fails in a handler, a timer or a promise leaves the page as it is', async () => {
  const { page, leave, errors } = await stage.visit('/intra-day-small');
  await expectLive(page);
  await page.evaluate(() => {
    window.open = () => {
      throw new Error('no windows today');
    };
    setTimeout(() => {
      throw new Error('late failure');
    });
    void Promise.reject(new Error('broken promise'));
  });
  await page.getByRole('button', { name: 'Pop out to new window' }).click();
  for (const failure of ['no windows today', 'late failure', 'broken promise']) {
    await until(failure, () => errors.some((error) => error.includes(failure)));
  }
  await expectLive(page);
  expect(await page.getByRole('banner').count()).toBe(1);
  expect(await page.getByRole('alert').count()).toBe(0);
  await leave();
});

describe('a server of another commit', () => {
  const offer = (page: Page) => page.getByRole('button', { name: 'Reload for the new version' });

  test('is offered in one line, which throws nothing away that was typed', async () => {
    const { page, context, leave } = await stage.visit('/login', { as: null });
    await page.getByRole('heading', { name: 'Login' }).waitFor();
    const { commit } = (await (await fetch(`${stage.url}/healthz`)).json()) as { commit: string };
    expect(await page.evaluate(() => document.documentElement.dataset.commit)).toBe(commit);
    expect(await offer(page).count()).toBe(0);
    await update(context);
    await page.reload();
    await page.getByLabel('Username').fill('maggie');
    await offer(page).waitFor();
    expect(await page.getByLabel('Username').inputValue()).toBe('maggie');
    expect(await axe(page)).toEqual([]);
    await picture(page, 'new-version');
    await offer(page).click();
    await page.getByText('What you typed here is not saved: reloading loses it.').waitFor();
    expect(await page.getByLabel('Username').inputValue()).toBe('maggie');
    await context.unrouteAll();
    const asked = page.waitForResponse('**/api/app');
    await page.getByRole('button', { name: 'Reload anyway' }).click();
    await asked;
    await until('the page is new', async () => (await page.getByLabel('Username').inputValue()) === '');
    expect(await offer(page).count()).toBe(0);
    await leave();
  });

  test('is offered in a window of its own too, where the reload keeps the window', async () => {
    const { page, context, leave, errors } = await stage.visit('/intra-day-small');
    await expectLive(page);
    await update(context);
    const opening = context.waitForEvent('page');
    await page.getByRole('button', { name: 'Pop out to new window' }).click();
    const popup = await opening;
    watchForErrors(popup, errors);
    await offer(popup).waitFor();
    expect(await popup.getByRole('banner').count()).toBe(0);
    expect(await axe(popup)).toEqual([]);
    await popup.getByRole('button', { name: 'Dismiss' }).click();
    await offer(popup).waitFor({ state: 'detached' });
    await expectLive(popup);
    await context.unrouteAll();
    const asked = popup.waitForResponse('**/api/app');
    await popup.reload();
    await asked;
    await expectLive(popup);
    expect(await popup.getByRole('banner').count()).toBe(0);
    expect(await offer(popup).count()).toBe(0);
    expect(errors).toEqual([]);
    await leave();
  });

  test('on a phone the line stands above the navigation', async () => {
    const { page, context } = await stage.visit('/calls', {
      as: null,
      first: update,
      browser: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    });
    await offer(page).waitFor();
    await until('the line is above the navigation', async () => {
      const line = await page.locator('.new-version').boundingBox();
      const navigation = await page.getByRole('navigation', { name: 'Main' }).boundingBox();
      return line !== null && navigation !== null && line.y + line.height <= navigation.y;
    });
    expect(await axe(page)).toEqual([]);
    await picture(page, 'new-version-phone');
    await context.close();
  });
});
