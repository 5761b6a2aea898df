import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { FED, feed } from '../support/fedMarket.ts';
import { movers } from '../support/fedMovers.ts';
import { startFakeTelegram, type FakeTelegram } from '../support/fakeTelegram.ts';
import { hasFocus } from '../support/focus.ts';
import { expectQuiet, openStage, type Stage, until } from '../support/stage.ts';

let stage: Stage;
let telegram: FakeTelegram;

beforeAll(async () => {
  telegram = startFakeTelegram();
  stage = await openStage({
    ...FED,
    BELLBIRD_TELEGRAM_URL: telegram.url,
    BELLBIRD_TELEGRAM_TOKEN: telegram.token,
  });
  await feed(stage.url, ...movers(250));
});
afterAll(async () => {
  await stage?.close();
  await telegram?.stop();
});

describe('an administrator looks into the server', () => {
  test('opens the market, copies it also where the browser offers no clipboard, and sees what was called', async () => {
    const visitor = await stage.visit('/admin', { as: 'admin' });
    const { page, context } = visitor;
    const parts = page.getByRole('table', { name: 'Parts of the server' });
    await parts.waitFor();
    await until('all parts are there', async () => (await parts.getByRole('row').count()) > 15);
    await page.getByRole('button', { name: 'Inspect Market', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Market' });
    const json = await dialog.getByRole('region', { name: 'JSON' }).textContent();
    const market = JSON.parse(json ?? '') as Record<string, unknown>;
    expect(Object.keys(market)).toHaveLength(201);
    expect(market['…']).toBe('and 50 more');
    expect(await dialog.getByText(/^\d+(\.\d)? (KB|MB)$/).count()).toBe(1);

    // A page that came by http from another machine has no clipboard of this kind.
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(() =>
      Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }),
    );
    await dialog.getByRole('button', { name: 'Copy JSON' }).click();
    await dialog.getByText('Copied').waitFor();
    const copied = await page.evaluate(() => {
      Reflect.deleteProperty(navigator, 'clipboard');
      return navigator.clipboard.readText();
    });
    // A failure that shows both would be ten thousand lines.
    expect(copied === json).toBe(true);
    await until('the word is gone', async () => (await dialog.getByText('Copied').count()) === 0);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await hasFocus('Inspect Market', page.getByRole('button', { name: 'Inspect Market', exact: true }));

    await until('Telegram was asked', async () => telegram.requests.length > 0);
    const activity = page.getByRole('region', { name: 'External Endpoint Activity' });
    await until('the call is listed', async () => {
      await activity.getByRole('button', { name: 'Refresh' }).click();
      return (await activity.getByRole('rowheader', { name: 'telegram/bot:token/getMe' }).count()) === 1;
    });
    expect(await page.content()).not.toContain(telegram.token);
    expectQuiet(stage, visitor);
    await context.close();
  });
});
