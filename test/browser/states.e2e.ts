import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import type { Route } from 'playwright-core';
import { axe } from '../support/browser.ts';
import { startBellbird, temporaryFolder } from '../support/executable.ts';
import { FED } from '../support/fedMarket.ts';
import { expectFollowed, FOLLOWED } from '../support/followed.ts';
import { openSmallExchange, type SmallExchange } from '../support/smallExchange.ts';
import { expectMoving, grid, openStage, picture, type Stage, stageBefore, until } from '../support/stage.ts';

const TITLE = 'Top Movers under $1';

describe('before the first price', () => {
  let exchange: SmallExchange | undefined;
  let stage: Stage;
  beforeAll(async () => {
    exchange = await openSmallExchange();
    ({ stage } = exchange);
  });
  afterAll(() => exchange?.close());

  /** A scanner whose window opens its stream itself, so that a test can stand in its way. */
  function behind(stream: (route: Route) => unknown) {
    return stage.visit('/intra-day-small', {
      first: async (context) => {
        await context.addInitScript(() => Reflect.deleteProperty(window, 'SharedWorker'));
        await context.route('**/api/data/stream*', (route) => stream(route));
      },
    });
  }

  test('a stream that has not answered yet shows rows to come', async () => {
    const { page, context } = await behind(() => undefined);
    await page.locator('.table-row.is-skeleton').first().waitFor();
    expect(await grid(page, TITLE).getAttribute('aria-busy')).toBe('true');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await axe(page)).toEqual([]);
    await picture(page, 'state-loading');
    await context.close();
  });

  test('one that is refused says what to do, and Retry does it', async () => {
    // The page tries again by itself too, and would do so between our waiting and our click.
    const { page, context } = await behind(async (route) => {
      const retried = await route.request().frame().evaluate('document.body.dataset.retried === "yes"');
      return retried ? route.continue() : route.fulfill({ status: 503, body: '' });
    });
    await page.getByRole('alert').getByText('can’t be reached').waitFor();
    await page.getByText('Disconnected').waitFor();
    await grid(page, TITLE).waitFor({ state: 'detached' });
    expect(await axe(page)).toEqual([]);
    await picture(page, 'state-failed');
    await page.evaluate("addEventListener('click', () => (document.body.dataset.retried = 'yes'), true)");
    await page.getByRole('button', { name: 'Retry' }).click();
    await expectFollowed(stage.url, grid(page, TITLE), FOLLOWED.small);
    await until('no alert is left', async () => (await page.getByRole('alert').count()) === 0);
    await context.close();
  });
});

test('a source that never sent anything: no rows, the date, and a strip that names the source', async () => {
  const stage = await openStage(FED);
  try {
    const { page, context } = await stage.visit('/intra-day-small');
    await page.getByText('No results yet').waitFor();
    await page
      .getByText('Prices from the broker bridge have not come in yet. No market data has been sent yet.')
      .waitFor();
    expect(await axe(page)).toEqual([]);
    await picture(page, 'state-empty');
    await context.close();
  } finally {
    await stage.close();
  }
});

test('prices of a lost server are kept and marked as old, until it is back', async () => {
  const dataDir = await temporaryFolder();
  // Out of the market's hours no price is called old.
  const env = { BELLBIRD_TEST: '1', BELLBIRD_SIM_START: '10:40' };
  const first = await startBellbird({ dataDir, env });
  const stage = await stageBefore(first);
  try {
    // The page's clock will jump, and a worker has one of its own.
    const { page, context } = await stage.visit('/intra-day-small', {
      first: async (context) => {
        await context.clock.install();
        await context.addInitScript(() => {
          Reflect.deleteProperty(window, 'SharedWorker');
          Reflect.deleteProperty(window, 'Worker');
        });
      },
    });
    const table = grid(page, TITLE);
    await expectMoving(table);
    await page.locator('.stale-strip').waitFor({ state: 'detached' });
    await first.stop('SIGKILL');
    await page.getByText('Reconnecting…').waitFor();
    await page.clock.fastForward(125_000);
    const strip = page.locator('.stale-strip');
    await strip.getByText('Connection lost: prices frozen 2 min ago. Reconnecting…').waitFor();
    expect(await table.locator('tr[data-id]').count()).toBeGreaterThan(0);
    expect(await axe(page)).toEqual([]);
    await picture(page, 'state-stale');
    const second = await startBellbird({ dataDir, env, port: first.port });
    try {
      await strip.getByRole('button', { name: 'Retry' }).click();
      await until('the strip goes', async () => (await strip.count()) === 0);
      await expectMoving(table);
    } finally {
      await second.stop();
    }
    await context.close();
  } finally {
    await stage.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});
