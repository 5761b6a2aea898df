import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { expectMoving, grid, type Stage, until, type Visitor } from '../support/stage.ts';
import { openTradingStage } from '../support/tradingStage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openTradingStage();
});
afterAll(() => stage?.close());

/** Loads a screen anew and notes the codes of the stocks that the shared worker sends to it. */
async function visitNoting(route: string): Promise<Visitor & { sent(): Promise<string[]> }> {
  const visitor = await stage.visit('/fx-news');
  await visitor.context.addInitScript(() => {
    const sent = new Set<string>();
    Object.assign(window, { sentCodes: sent });
    window.SharedWorker = class extends SharedWorker {
      constructor(url: string | URL, options?: string | WorkerOptions) {
        super(url, options);
        this.port.addEventListener('message', ({ data }) => {
          const message = typeof data === 'string' ? JSON.parse(data) : data;
          for (const code of message.state?.stocks.keys() ?? []) sent.add(code);
          for (const code of Object.keys(message.delta?.stocks.upsert ?? {})) sent.add(code);
          for (const { code } of message.whole ?? []) sent.add(code);
        });
      }
    };
  });
  await visitor.page.goto(`${stage.url}/#${route}`);
  await visitor.page.reload();
  return { ...visitor, sent: () => visitor.page.evaluate(readSent) };
}
const readSent = () => [...(window as unknown as { sentCodes: Set<string> }).sentCodes].sort();

async function boardSymbols(): Promise<Set<string>> {
  const response = await fetch(`${stage.url}/api/calls/leaderboard`);
  const { calls } = (await response.json()) as { calls: { symbol: string }[] };
  return new Set(calls.map(({ symbol }) => symbol));
}

const lastPrices = (page: Page) =>
  grid(page, 'Recent Calls').locator('tr[data-id] > td:nth-child(5)').allTextContents();

test('the Calls page is sent the stocks of its calls, and the market only while a call is filled in', async () => {
  const { page, context, errors, sent } = await visitNoting('/calls');
  const before = await until('prices', async () => {
    const prices = await lastPrices(page);
    return prices.length > 0 && prices.every((price) => /\d/.test(price));
  }).then(() => lastPrices(page));
  await until('prices move', async () => String(await lastPrices(page)) !== String(before));
  const symbols = await boardSymbols();
  const codes = await sent();
  expect(codes.length).toBeGreaterThan(0);
  expect(codes.filter((code) => !symbols.has(code))).toEqual([]);
  await page.getByRole('button', { name: 'Add Call' }).click();
  await page.getByRole('combobox', { name: 'Symbol' }).waitFor();
  await until('the market is sent', async () => (await sent()).length > 1500);
  await context.close();
  expect(errors).toEqual([]);
});

test('a scanner is sent its own stocks', async () => {
  const { page, context, errors, sent } = await visitNoting('/intra-day-large-cap');
  await expectMoving(grid(page, 'Top Movers Large Cap'));
  expect((await sent()).length).toBeLessThan(500);
  await page.getByRole('link', { name: 'Intra-Day < $1', exact: true }).click();
  await expectMoving(grid(page, 'Top Movers under $1'));
  await context.close();
  expect(errors).toEqual([]);
});
