import { afterAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import type { OwnCall } from '#subjects/calls/rules/types.ts';
import type { SubmitterRecord } from '#subjects/calls/rules/trackRecord.ts';
import { axe } from '../support/browser.ts';
import { post } from '../support/executable.ts';
import { feed } from '../support/fedMarket.ts';
import {
  expectQuiet,
  grid,
  openFedFixture,
  picture,
  type ShownRow,
  seedSession,
  shownNumber,
  shownRows,
  until,
} from '../support/fixture.ts';
import { openTradingFixture } from '../support/tradingFixture.ts';

const recent = async (page: Page): Promise<ShownRow[]> => shownRows(grid(page, 'Recent Calls'));

const has = (row: ShownRow, cells: Record<string, string>): boolean =>
  Object.entries(cells).every(([column, text]) => row.cells[column] === text);

/** Refreshes a board until its newest call matches. */
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

/** Closes the session's only call without the undo window. */
async function endNow(url: string, token: string): Promise<void> {
  await until('no call is pending', async () => (await callsOf(url, token))[0]?.ending === null);
  const [call] = await callsOf(url, token);
  const answer = await post(`${url}/api/calls/${call?.publicId}/close`, { pocketedValue: 250 }, token);
  expect(answer.status).toBe(200);
}

const fixture = await openFedFixture([
  { code: 'BHP', last: 41, volume: 100 },
  { code: 'BHX', last: 2, volume: 100 },
]);
afterAll(() => fixture.close());

test('a visitor watches while a member submits, fills and closes', async () => {
  const visitor = await fixture.visit('/calls', { as: null });
  await visitor.page.getByText('No calls yet.').waitFor();
  await visitor.page.getByText('No calls recorded.').waitFor();
  expect(await visitor.page.getByRole('button', { name: 'Add Call' }).count()).toBe(0);

  const member = await fixture.visit('/calls', { as: 'free' });
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
    'the live price also fills the target',
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
  await feed(fixture.url, { code: 'BHP', last: 39.9, volume: 200 });
  await boardShows(visitor.page, { Status: 'Open', Last: '39.9' });
  await feed(fixture.url, { code: 'BHP', last: 42.5, volume: 300 });
  await boardShows(visitor.page, { Status: 'Open', Last: '42.5' });

  await page.getByRole('button', { name: 'Manage My Calls' }).click();
  const dialog = page.getByRole('dialog', { name: 'My Calls' });
  await dialog.getByText(/^Target reached .+ at 42\.5$/).waitFor();
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await dialog.getByText('Enter a valid pocketed value before closing').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Close BHP' }).click();
  await page.locator('input:focus').and(page.getByLabel('Pocketed $ for BHP')).waitFor();
  await page.keyboard.type('250');
  await page.keyboard.press('Enter');
  // myCalls.test.tsx and endings.test.ts cover the undo window; this call ends immediately.
  await page.getByRole('button', { name: 'Undo: BHP' }).click();
  const token = await page.evaluate(() => localStorage.getItem('accessToken') ?? '');
  await endNow(fixture.url, token);
  await page.getByRole('button', { name: 'Manage My Calls' }).click();
  await dialog.getByText('+$250', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });

  await boardShows(visitor.page, { Status: 'Closed', Result: 'Awaiting a trade' });
  await feed(fixture.url, { code: 'BHP', last: 42.5, volume: 350 });
  await boardShows(visitor.page, {
    Status: 'Closed',
    Pocketed: '+$250',
    Result: '+6.3%',
  });
  const counted = { Submitter: 'free', Total: '1', Closed: '1' };
  const result = { 'Pocketed $': '+$250', Result: '+6.3%', Cases: '1', Rank: '–' };
  await until('the overview counts it', async () => {
    const [entry] = await shownRows(grid(visitor.page, 'Submitter Overview'));
    return entry !== undefined && has(entry, { ...counted, ...result });
  });
  await Promise.all([visitor.leave(), member.leave()]);
  expectQuiet(fixture, visitor, member);
});

test('a visitor opens a call’s timeline from the board, and a track record, and both by their addresses', async () => {
  const trading = await openTradingFixture();
  try {
    await until('seeding creates a history', async () => {
      await seedSession(trading.url, 'demo');
      const response = await fetch(`${trading.url}/api/calls/leaderboard`);
      return ((await response.json()) as { calls: unknown[] }).calls.length > 3;
    });
    const visitor = await trading.visit('/calls', { as: null });
    const { page } = visitor;
    await picture(page, 'calls', async () => {
      const board = await shownRows(grid(page, 'Submitter Overview'));
      const calls = await recent(page);
      return (
        board[0]?.cells['Rank'] === '1' &&
        calls.filter(({ cells }) => shownNumber(cells['Last']) !== null).length > 8
      );
    });
    const board = grid(page, 'Recent Calls');
    // A closed call has a full timeline; among the newest, all may be open.
    await board.getByRole('columnheader', { name: 'Submitted' }).getByRole('button').first().click();
    await board
      .locator('tr[data-id]')
      .filter({ hasText: 'Closed' })
      .first()
      .getByRole('button', { name: /^Details of/ })
      .click();
    await page.getByText('Verified result', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Open this call as a page' }).click();
    await page.getByRole('heading', { level: 1, name: / call$/ }).waitFor();
    await page.locator('.call-life .price-chart-canvas[data-drawn]').waitFor();
    await picture(page, 'call');
    expect(await axe(page)).toEqual([]);

    await page.goto(`${trading.url}/#/calls`);
    const answered = page.waitForResponse((response) => response.url().includes('/api/calls/by/'));
    // Any submitter who leads at the click, because ranks change as prices move.
    await grid(page, 'Submitter Overview').getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: /^Track record of / }).waitFor();
    // The data the page received, because another call may end at any time.
    const [record] = ((await (await answered).json()) as SubmitterRecord).records;
    const dots = page.locator('.result-dots circle');
    await until('a dot for each result', async () => (await dots.count()) === record?.ended.count);
    expect(await axe(page)).toEqual([]);
    expectQuiet(trading, visitor);
  } finally {
    await trading.close();
  }
});
