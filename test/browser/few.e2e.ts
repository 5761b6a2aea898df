import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { axeInBothThemes } from '../support/browser.ts';
import { FED, feed } from '../support/fedMarket.ts';
import { mover } from '../support/fedMovers.ts';
import { fits } from '../support/fingers.ts';
import { callApi, endQuietly, openStage, type Stage, until, type Visitor } from '../support/stage.ts';

let stage: Stage;
let visitor: Visitor;
let page: Page;
let token = '';

const call = <T>(path: string, method = 'GET', body?: unknown): Promise<T> =>
  callApi<T>(`${stage.url}/api${path}`, { token, method, body });

const alerts = async () =>
  (await call<{ alerts: { id: number; name: string; urgent: boolean; group: string }[] }>('/alerts')).alerts;

const above = (value: number) => ({
  op: 'AND',
  conditions: [{ lhs: { type: 'field', key: 'last' }, op: '>', rhs: { type: 'number', value } }],
});

beforeAll(async () => {
  stage = await openStage(FED);
  await feed(stage.url, mover('AAX', 2), mover('BBX', 1));
  visitor = await stage.visit('/watchlist/review', { as: 'premium-few' });
  ({ page } = visitor);
  token = await page.evaluate(() => localStorage.getItem('accessToken') ?? '');
});
afterAll(() => endQuietly(stage, visitor));

describe('alerts that stay few', () => {
  test('two that say the same become one by a press, and the tab counts no more', async () => {
    for (const name of ['First', 'Second']) {
      await call('/alerts', 'POST', { symbol: 'AAX', name, persistent: true, logic_json: above(900) });
    }
    await page.reload();
    await page.getByText('Two alerts say the same.').waitFor();
    expect(await axeInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Merge…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
    await page.getByText('Two alerts say the same.').waitFor({ state: 'detached' });
    expect((await alerts()).map(({ name }) => name)).toEqual(['First']);
    await page.getByRole('tab', { name: 'Review', exact: true }).waitFor();
  });

  test('one is filed in a group and found by it', async () => {
    await call('/alerts', 'POST', { symbol: 'BBX', name: 'Other', persistent: true, logic_json: above(800) });
    await page.getByRole('tab', { name: 'All alerts' }).click();
    await page.getByRole('checkbox', { name: /First/ }).check();
    await page.getByRole('button', { name: 'Group…' }).click();
    await page.getByLabel('Group (empty for none)').fill('Miners');
    await page.keyboard.press('Enter');
    await until('it is in the group', async () => (await alerts()).some(({ group }) => group === 'Miners'));
    await page.getByLabel('Search alerts').fill('miners');
    await page.getByRole('row', { name: /Other/ }).waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /First/ }).waitFor();
    await page.getByLabel('Search alerts').fill('');
  });

  test('quiet hours are kept as they are chosen, and fit on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => (location.hash = '/settings'));
    const panel = page.getByRole('region', { name: 'Quiet hours' });
    await panel.getByRole('switch', { name: 'Keep quiet' }).click();
    await panel.getByLabel('Until').fill('06:30');
    await panel.getByLabel('Until').blur();
    await until('they are kept', async () => {
      const kept = await call<Record<string, unknown>>('/settings/quiet-hours');
      return JSON.stringify(kept).includes('390');
    });
    await fits(page, 390);
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});
