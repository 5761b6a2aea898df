import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { OwnCall } from '../../src/subjects/calls/rules/types.ts';
import { axeInBothThemes, axeOf } from '../support/browser.ts';
import { post, startBellbird, temporaryFolder } from '../support/executable.ts';
import { FED, feed } from '../support/fedMarket.ts';
import {
  expectQuiet,
  grid,
  openStage,
  picture,
  type ShownRow,
  type Stage,
  seedSession,
  shownNumber,
  shownRows,
  until,
} from '../support/stage.ts';
import { openTradingStage } from '../support/tradingStage.ts';

const recent = async (page: Page): Promise<ShownRow[]> => shownRows(grid(page, 'Recent Calls'));

const has = (row: ShownRow, cells: Record<string, string>): boolean =>
  Object.entries(cells).every(([column, text]) => row.cells[column] === text);

/** Refreshes a board until its newest call looks as it should. */
async function boardShows(page: Page, cells: Record<string, string>): Promise<void> {
  await until(`the board shows ${JSON.stringify(cells)}`, async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText(/^Updated /).waitFor();
    const [row] = await recent(page);
    return row !== undefined && has(row, cells);
  });
}

/** The session's own calls. */
async function callsOf(url: string, token: string): Promise<OwnCall[]> {
  const answer = await fetch(`${url}/api/calls/mine`, { headers: { authorization: token } });
  return ((await answer.json()) as { calls: OwnCall[] }).calls;
}

/** Closes the session's only call without the seconds in which it can be taken back. */
async function endNow(url: string, token: string): Promise<void> {
  await until('nothing waits', async () => (await callsOf(url, token))[0]?.ending === null);
  const [call] = await callsOf(url, token);
  const answer = await post(`${url}/api/calls/${call?.publicId}/close`, { pocketedValue: 250 }, token);
  expect(answer.status).toBe(200);
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
    await until(
      'and the target above it',
      async () => (await page.getByLabel('Target Price').inputValue()) === '41.001',
    );
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
    await dialog.getByText(/At 42\.5, \+6\.\d% from the fill at 39\.9,/).waitFor();
    await dialog.getByRole('button', { name: 'Close call', exact: true }).click();
    await dialog.getByRole('button', { name: 'Take back: BHP' }).click();
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    await dialog.getByRole('button', { name: 'Close call', exact: true }).click();
    await dialog.getByText(/^Closes in \d+ s/).waitFor();
    // What is left of the ten seconds outlives the page.
    await page.reload();
    await page.getByRole('button', { name: 'Manage My Calls' }).click();
    await dialog.getByText(/^Closes in \d+ s/).waitFor();
    await picture(page, 'call-ending');
    // What comes after them is told by myCalls.test.tsx and endings.test.ts; this one ends at once.
    await dialog.getByRole('button', { name: 'Take back: BHP' }).click();
    const token = await page.evaluate(() => localStorage.getItem('accessToken') ?? '');
    await endNow(stage.url, token);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Manage My Calls' }).click();
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
    const counted = { Submitter: 'free', Total: '1', Closed: '1' };
    const result = { 'Pocketed $': '+$250', Rank: 'Too few to rank (1 of 10 days)', 'Avg result': '+6.3%' };
    await until('the overview counts it', async () => {
      const [entry] = await shownRows(grid(visitor.page, 'Submitter Overview'));
      return entry !== undefined && has(entry, { ...counted, ...result });
    });
    await Promise.all([visitor.leave(), member.leave()]);
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
    const mine = async (url: string): Promise<OwnCall | undefined> => (await callsOf(url, accessToken))[0];
    const call = {
      symbol: 'BHP',
      callType: 'buy',
      entryPrice: 40,
      targetPrice: 42,
      stopLossType: 'NONE',
      stopLoss: null,
    };
    await post(`${before.url}/api/calls`, call, accessToken);
    await feed(before.url, { code: 'BHP', last: 39.5, volume: 200 });
    await until('the call fills', async () => (await mine(before.url))?.status === 'open');
    await feed(before.url, { code: 'BHP', last: 42.3, volume: 300 });
    await until('the target is reached', async () => (await mine(before.url))?.targetReached !== null);
    const known = await mine(before.url);
    await before.stop('SIGKILL');

    const after = await startBellbird({ dataDir, env });
    expect(await mine(after.url)).toEqual(known);
    expect(known).toMatchObject({ status: 'open', fillPrice: 39.5, targetReached: { price: 42.3 } });
    await post(`${after.url}/api/calls/${known?.publicId}/close`, { pocketedValue: 9 }, accessToken);
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
    // A call that is newer fills by this price, after the older one would have changed.
    await feed(last.url, { code: 'BHP', last: 40, volume: 450 });
    const newer = { ...call, entryPrice: 39.2 };
    await until('it is taken', async () => (await post(`${last.url}/api/calls`, newer, accessToken)).ok);
    await feed(last.url, { code: 'BHP', last: 39, volume: 500 });
    const both = () => callsOf(last.url, accessToken);
    await until('the price has come', async () => (await both()).some(({ fillPrice }) => fillPrice === 39));
    expect((await both()).find(({ publicId }) => publicId === settled?.publicId)).toEqual(settled);
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

  test('what is said of a call’s status has room for any two words, and never covers its Last', async () => {
    const stop = { stopReached: { at: Date.now(), price: 1 } };
    const review = { isInReview: true, reviewReason: 'Look.' };
    const corrections = [{ at: Date.now(), by: 'Ada', reason: 'Typed twice.', changes: [] }];
    const states = [
      { status: 'closed', ...review },
      { status: 'closed', ...stop },
      { status: 'cancelled', ...stop },
      { status: 'cancelled', corrections },
      { status: 'closed', ...stop, ...review, corrections },
    ];
    const visitor = await stage.visit('/calls', {
      as: null,
      first: (context) =>
        context.route('**/api/calls/leaderboard', async (route) => {
          const response = await route.fetch();
          const body = (await response.json()) as { calls: object[] };
          const plain = { stopReached: null, isInReview: false, corrections: [] };
          const calls = states.map((state, index) => ({ ...body.calls[index], ...plain, ...state }));
          await route.fulfill({ response, json: { ...body, calls } });
        }),
    });
    const { page } = visitor;
    const cells = grid(page, 'Recent Calls').locator('td:has(.call-pills)');
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await until('the calls are there', async () => (await cells.count()) === states.length);
      const looks = await cells.evaluateAll((all) =>
        all.map((cell) => ({
          words: cell.textContent,
          fits: cell.scrollWidth <= cell.clientWidth,
          overflow: getComputedStyle(cell).overflowX,
        })),
      );
      const last = 'ClosedIn reviewStoppedCorrected';
      expect(looks.filter(({ fits }) => !fits).map(({ words }) => words)).toEqual([last]);
      expect(looks.map(({ overflow }) => overflow)).toEqual(states.map(() => 'hidden'));
    }
    await visitor.leave();
  });

  test('board and both dialogs, and axe finds nothing serious in either theme or on a phone', async () => {
    const visitor = await stage.visit('/calls', { as: 'premium', browser: { reducedMotion: 'reduce' } });
    const { page } = visitor;
    await until('the board is there', async () => (await recent(page)).length > 3);
    // By itself it is among every screen's looks.
    await picture(page, 'calls', 'readme', async () => {
      const board = await shownRows(grid(page, 'Submitter Overview'));
      const calls = await recent(page);
      return (
        board[0]?.cells['Rank'] === '1' &&
        calls.filter(({ cells }) => shownNumber(cells['Last']) !== null).length > 8
      );
    });
    const findings = {
      desk: (name: string) =>
        axeInBothThemes(page, (theme) => picture(page, `${name}-${theme}-desk`), 'dialog'),
      phone: (name: string) => picture(page, `${name}-light-phone`).then(() => axeOf(page, 'dialog')),
    };
    for (const [size, looks] of Object.entries(findings)) {
      if (size === 'phone') await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('button', { name: 'Add Call' }).click();
      await page.getByRole('combobox', { name: 'Symbol' }).pressSequentially('bh');
      await page.getByRole('option').first().waitFor();
      expect(await looks('calls-submit')).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Manage My Calls' }).click();
      await page.getByText('You have not submitted any calls yet.').waitFor();
      expect(await looks('calls-mine')).toEqual([]);
      await page.getByRole('button', { name: 'Done' }).click();
    }
    await visitor.context.close();
    expectQuiet(stage, visitor);
  });
});
