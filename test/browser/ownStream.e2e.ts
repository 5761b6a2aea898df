import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { watchForErrors } from '../support/browser.ts';
import { expectFollowed, FOLLOWED } from '../support/followed.ts';
import { openSmallExchange, type SmallExchange } from '../support/smallExchange.ts';
import { grid, type Stage, until, type Visitor } from '../support/stage.ts';

let exchange: SmallExchange | undefined;
let stage: Stage;
let visitor: Visitor;
beforeAll(async () => {
  exchange = await openSmallExchange();
  ({ stage } = exchange);
  visitor = await stage.visit('/calls');
});
afterAll(() => exchange?.close());

type Scene = {
  page: Page;
  errors: string[];
  /** Streams that the window itself opened; those of a shared worker are not among them. */
  ownStreams(): number;
  ownAlertStreams(): number;
};

/** Opens a scanner in another window, which was prepared for what is to happen. */
async function openScanner(prepare: (page: Page) => Promise<unknown>): Promise<Scene> {
  const page = await visitor.context.newPage();
  const errors = watchForErrors(page);
  await prepare(page);
  let [streams, alertStreams] = [0, 0];
  page.on('request', (request) => {
    if (request.url().includes('/api/data/stream')) streams += 1;
    if (request.url().includes('/api/user/alerts/stream')) alertStreams += 1;
  });
  await page.goto(`${stage.url}/#/intra-day-small`);
  return { page, errors, ownStreams: () => streams, ownAlertStreams: () => alertStreams };
}

const showsLive = async ({ page }: Scene): Promise<void> => {
  await expectFollowed(stage.url, grid(page, 'Top Movers under $1'), FOLLOWED.small);
  await page.getByText('Live', { exact: true }).first().waitFor();
};

describe('a window that can share no worker has a stream of its own, beside one that can', () => {
  test('where the browser has no shared workers', async () => {
    const scene = await openScanner((page) =>
      page.addInitScript(() => Reflect.deleteProperty(window, 'SharedWorker')),
    );
    await showsLive(scene);
    expect(await scene.page.evaluate(() => 'SharedWorker' in window)).toBe(false);
    // In a worker of its own all the same, off its main thread.
    expect(scene.page.workers()).toHaveLength(1);
    expect(scene.ownStreams()).toBe(1);
    await until('it hears its alerts too', () => scene.ownAlertStreams() === 1);
    await scene.page.close();
    expect(scene.errors).toEqual([]);
    expect(stage.complaints()).toEqual([]);
  });

  test('where the browser has no workers at all', async () => {
    const scene = await openScanner((page) =>
      page.addInitScript(() => {
        Reflect.deleteProperty(window, 'SharedWorker');
        Reflect.deleteProperty(window, 'Worker');
      }),
    );
    await showsLive(scene);
    expect(scene.page.workers()).toHaveLength(0);
    expect(scene.ownStreams()).toBe(1);
    await scene.page.close();
    expect(scene.errors).toEqual([]);
  });

  test('where the worker’s script does not load', async () => {
    // A worker's script is fetched past what a test can refuse, so the page gets an address with nothing behind it.
    const scene = await openScanner((page) =>
      page.route(`${stage.url}/`, async (route) => {
        const response = await route.fetch();
        const spoilt = (await response.text()).replace(
          /data-stream-worker="[^"]+"/,
          'data-stream-worker="/assets/gone.js"',
        );
        await route.fulfill({ response, body: spoilt });
      }),
    );
    const named = () => scene.page.evaluate(() => document.documentElement.dataset.streamWorker);
    expect(await named()).toBe('/assets/gone.js');
    await showsLive(scene);
    expect(scene.ownStreams()).toBe(1);
    await scene.page.close();
    // The browser reports by itself that the script is not there.
    expect(scene.errors.filter((error) => !error.includes('gone.js'))).toEqual([]);
    expect(visitor.errors).toEqual([]);
  });
});
