import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { OwnCall } from '../../src/domain/calls/types.ts';
import { axeInBothThemes } from '../support/browser.ts';
import { startBellbird, temporaryFolder } from '../support/executable.ts';
import { FED, feed } from '../support/fedMarket.ts';
import {
  expectQuiet,
  grid,
  openStage,
  picture,
  type ShownRow,
  type Stage,
  seedSession,
  shownRows,
  until,
} from '../support/stage.ts';
import { openTradingStage } from '../support/tradingStage.ts';

const recent = async (page: Page): Promise<ShownRow[]> => shownRows(grid(page, 'Recent Calls'));

/** Refreshes a board until its newest call looks as it should. */
async function boardShows(page: Page, cells: Record<string, string>): Promise<void> {
  await until(`the board shows ${JSON.stringify(cells)}`, async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText(/^Updated /).waitFor();
    const [row] = await recent(page);
    return row !== undefined && Object.entries(cells).every(([column, text]) => row.cells[column] === text);
  });
}

describe('a call from submission to its result', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(FED);
    await feed(stage.url, { code: 'BHP', last: 41, volume: 100 }, { code: 'BHX', last: 2, volume: 100 });
  });
  afterAll(() => stage?.close());

  test('a visitor watches while a member submits, fills and closes', async () => {
    const visitor = await stage.visit('/calls', { as: null });
    await visitor.page.getByText('No calls yet.').waitFor();
    await visitor.page.getByText('No calls recorded.').waitFor();
    expect(await visitor.page.getByRole('button', { name: 'Add Call' }).count()).toBe(0);

    const member = await stage.visit('/calls', { as: 'free' });
    const { page } = member;
    await page.getByRole('button', { name: 'Add Call' }).click();
    await page.getByRole('combobox', { name: 'Symbol' }).pressSequentially('bh');
    await page.getByRole('option', { name: /^BHP/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await until(
      'the live price fills the form',
      async () => (await page.getByLabel('Entry Price').inputValue()) === '41',
    );
    expect(await page.getByLabel('Target Price').inputValue()).toBe('41.001');
    await page.getByRole('switch', { name: 'Has your position been filled?' }).click();
    await page.getByLabel('Entry Price').fill('40');
    await page.getByLabel('Stop loss value').fill('38');
    await page.getByLabel('Target Price').fill('42');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    const submitted = {
      Symbol: 'BHP',
      Type: 'Buy',
      Last: '41',
      Entry: '40',
      Target: '42',
      Stop: '38',
      Submitter: 'free',
    };
    await boardShows(visitor.page, { ...submitted, Status: 'Pending', Pocketed: '–' });
    await feed(stage.url, { code: 'BHP', last: 39.9, volume: 200 });
    await boardShows(visitor.page, { Status: 'Open', Last: '39.9' });
    await feed(stage.url, { code: 'BHP', last: 42.5, volume: 300 });
    await boardShows(visitor.page, { Status: 'Open', Last: '42.5' });

    await page.getByRole('button', { name: 'Manage My Calls' }).click();
    const dialog = page.getByRole('dialog', { name: 'My Calls' });
    await dialog.getByText(/^Target reached .+ at 42\.5$/).waitFor();
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    await dialog.getByText('Enter a valid pocketed value before closing').waitFor();
    await dialog.getByPlaceholder('Pocketed $').fill('250');
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    await dialog.getByText(/Now 42\.5, \+6\.\d% from 40\.0\./).waitFor();
    await dialog.getByRole('button', { name: 'Close BHP', exact: true }).click();
    await dialog.getByRole('button', { name: 'Take back: BHP' }).click();
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    await dialog.getByRole('button', { name: 'Close BHP', exact: true }).click();
    await dialog.getByText(/^Closes in \d+ s/).waitFor();
    // What is left of the ten seconds outlives the page.
    await page.reload();
    await page.getByRole('button', { name: 'Manage My Calls' }).click();
    await dialog.getByText(/^Closes in \d+ s/).waitFor();
    expect(await dialog.getByRole('button', { name: 'Take back: BHP' }).count()).toBe(1);
    await picture(page, 'call-ending');
    await dialog.getByText('+$250', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });

    await boardShows(visitor.page, { Status: 'Closed', Verified: 'Awaiting a trade' });
    await feed(stage.url, { code: 'BHP', last: 42.5, volume: 350 });
    await boardShows(visitor.page, {
      Status: 'Closed',
      Pocketed: '+$250',
      Source: 'Broker feed',
      Verified: '+6.3%',
      Best: '+6.3%',
      Worst: '−0.3%',
    });
    const [entry] = await shownRows(grid(visitor.page, 'Submitter Overview'));
    expect(entry?.cells).toMatchObject({
      Submitter: 'free',
      Total: '1',
      Closed: '1',
      'Pocketed $': '+$250',
      'Win rate': '100.0%',
    });
    expectQuiet(stage, visitor, member);
  });

  test('the Last column moves by itself', async () => {
    const visitor = await stage.visit('/calls', { as: null });
    await until('the board is there', async () => (await recent(visitor.page)).length === 1);
    await feed(stage.url, { code: 'BHP', last: 43.21, volume: 400 });
    await until('Last follows', async () => (await recent(visitor.page))[0]?.cells['Last'] === '43.21');
    expectQuiet(stage, visitor);
  });
});

test('a fill, a target, an awaited trade and a settlement survive being killed a moment later', async () => {
  const dataDir = await temporaryFolder();
  const env = { ...FED, BELLBIRD_TEST: '1' };
  try {
    const before = await startBellbird({ dataDir, env });
    await feed(before.url, { code: 'BHP', last: 41, volume: 100 });
    const { accessToken } = await seedSession(before.url, 'free');
    const headers = { authorization: accessToken, 'content-type': 'application/json' };
    const mine = async (url: string): Promise<OwnCall | undefined> => {
      const response = await fetch(`${url}/api/calls/mine`, { headers });
      return ((await response.json()) as { calls: OwnCall[] }).calls[0];
    };
    const call = {
      symbol: 'BHP',
      callType: 'buy',
      entryPrice: 40,
      targetPrice: 42,
      stopLossType: 'NONE',
      stopLoss: null,
    };
    await fetch(`${before.url}/api/calls`, { method: 'POST', headers, body: JSON.stringify(call) });
    await feed(before.url, { code: 'BHP', last: 39.5, volume: 200 });
    await until('the call fills', async () => (await mine(before.url))?.status === 'open');
    await feed(before.url, { code: 'BHP', last: 42.3, volume: 300 });
    await until('the target is reached', async () => (await mine(before.url))?.targetReached !== null);
    const known = await mine(before.url);
    await before.stop('SIGKILL');

    const after = await startBellbird({ dataDir, env });
    expect(await mine(after.url)).toEqual(known);
    expect(known).toMatchObject({ status: 'open', fillPrice: 39.5, targetReached: { price: 42.3 } });
    const close = { method: 'POST', headers, body: JSON.stringify({ pocketedValue: 9 }) };
    await fetch(`${after.url}/api/calls/${known?.publicId}/close`, close);
    expect(await mine(after.url)).toMatchObject({ awaitingTrade: 'exit', verified: null });
    await after.stop('SIGKILL');

    const settling = await startBellbird({ dataDir, env });
    expect(await mine(settling.url)).toMatchObject({ awaitingTrade: 'exit', verified: null });
    await feed(settling.url, { code: 'BHP', last: 42, volume: 400 });
    await until('the call is settled', async () => (await mine(settling.url))?.awaitingTrade === null);
    const settled = await mine(settling.url);
    expect(settled).toMatchObject({ exitTrade: { price: 42 }, verified: { percent: 5, exitPrice: 42 } });
    await settling.stop('SIGKILL');

    const last = await startBellbird({ dataDir, env });
    await feed(last.url, { code: 'BHP', last: 30, volume: 500 });
    await Bun.sleep(600);
    expect(await mine(last.url)).toEqual(settled);
    await last.stop();
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

describe('the page with a history', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openTradingStage();
    await until('seeding brings a history', async () => {
      await seedSession(stage.url, 'premium');
      const response = await fetch(`${stage.url}/api/calls/leaderboard`);
      return ((await response.json()) as { calls: unknown[] }).calls.length > 3;
    });
  });
  afterAll(() => stage?.close());

  const sizes = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
  for (const [size, viewport] of Object.entries(sizes)) {
    test(`${size}: board and both dialogs, and axe finds nothing serious in either theme`, async () => {
      const visitor = await stage.visit('/calls', {
        as: 'premium',
        browser: { viewport, reducedMotion: 'reduce' },
      });
      const { page } = visitor;
      const looksWell = async (name: string): Promise<void> => {
        const found = await axeInBothThemes(page, async (theme) => {
          await picture(page, `${name}-${theme}-${size}`);
          if (name === 'calls' && theme === 'dark' && size === 'desk') await picture(page, 'calls', 'readme');
        });
        expect(found).toEqual([]);
      };
      await until('the board is there', async () => (await recent(page)).length > 3);
      await looksWell('calls');
      await page.getByRole('button', { name: 'Add Call' }).click();
      await page.getByRole('combobox', { name: 'Symbol' }).pressSequentially('bh');
      await page.getByRole('option').first().waitFor();
      await looksWell('calls-submit');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Manage My Calls' }).click();
      await page.getByText('You have not submitted any calls yet.').waitFor();
      await looksWell('calls-mine');
      await page.getByRole('button', { name: 'Done' }).click();
      await visitor.context.close();
      expectQuiet(stage, visitor);
    });
  }
});
