import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { post } from '../support/executable.ts';
import { FED, feed, type FedStock } from '../support/fedMarket.ts';
import { mover, movers } from '../support/fedMovers.ts';
import { grid, openStage, seedSession, type Stage, until, type Visitor } from '../support/stage.ts';

const MOVERS = 60;
const largeCap = (code: string, last: number): FedStock => ({
  ...{ code, open: 20, close: 20, last, marketCap: 5e9 },
  ...{ volume: last * 1e6, value: last * 2e7 },
});

let stage: Stage;
let visitor: Visitor;
let page: Page;
beforeAll(async () => {
  stage = await openStage(FED);
  await feed(stage.url, ...movers(MOVERS), largeCap('LCA', 21), largeCap('LCB', 21));
  const { accessToken } = await seedSession(stage.url, 'free');
  const call = { symbol: 'LCA', callType: 'buy', entryPrice: 20.5, targetPrice: 30 };
  const stops = { stopLossType: 'NONE', stopLoss: null };
  await until('the call is taken', async () =>
    post(`${stage.url}/api/calls`, { ...call, ...stops }, accessToken).then(({ ok }) => ok),
  );
  visitor = await stage.visit('/fx-news');
  ({ page } = visitor);
  await page.addInitScript(() => {
    const codes = new Set<string>();
    Object.assign(window, { sentCodes: codes });
    window.SharedWorker = class extends SharedWorker {
      constructor(url: string | URL, options?: string | WorkerOptions) {
        super(url, options);
        this.port.addEventListener('message', ({ data }) => {
          const message = typeof data === 'string' ? JSON.parse(data) : data;
          for (const code of message.state?.stocks.keys() ?? []) codes.add(code);
          for (const code of Object.keys(message.delta?.stocks.upsert ?? {})) codes.add(code);
          for (const { code } of message.whole ?? []) codes.add(code);
        });
      }
    };
  });
});
afterAll(() => stage?.close());

/** Loads a screen again, from when on the codes of the stocks that the shared worker sends to it are noted. */
async function load(route: string): Promise<void> {
  await page.goto(`${stage.url}/#${route}`);
  await page.reload();
}
const sent = () => page.evaluate(readSent);
const readSent = () => [...(window as unknown as { sentCodes: Set<string> }).sentCodes].sort();

test('the Calls page is sent the stocks of its calls, and the market only while a call is filled in', async () => {
  await load('/calls');
  const board = grid(page, 'Recent Calls');
  await board.getByText('21', { exact: true }).waitFor();
  await feed(stage.url, largeCap('LCA', 22));
  await board.getByText('22', { exact: true }).waitFor();
  expect(await sent()).toEqual(['LCA']);
  await page.getByRole('button', { name: 'Add Call' }).click();
  await page.getByRole('combobox', { name: 'Symbol' }).waitFor();
  await until('the market is sent', async () => (await sent()).length === MOVERS + 2);
  expect(visitor.errors).toEqual([]);
});

test('a scanner is sent its own stocks', async () => {
  await load('/intra-day-large-cap');
  const large = grid(page, 'Top Movers Large Cap').locator('tr[data-id="LCB"]');
  await large.waitFor();
  await feed(stage.url, largeCap('LCB', 33));
  await large.getByText('33.000').waitFor();
  expect(await sent()).toEqual(['LCA', 'LCB']);
  await page.getByRole('link', { name: 'Intra-Day < $1', exact: true }).click();
  const small = grid(page, 'Top Movers under $1').locator('tr[data-id="M000"]');
  await small.waitFor();
  await feed(stage.url, mover('M000', 500));
  await small.getByText('3.000').waitFor();
  expect(visitor.errors).toEqual([]);
});
