import { beforeAll, expect, test } from 'bun:test';
import { axeInBothThemes } from '../support/browser.ts';
import { feed } from '../support/fedMarket.ts';
import { mover } from '../support/fedMovers.ts';
import { fits } from '../support/fingers.ts';
import { hasFocus, hasFocusIn } from '../support/focus.ts';
import { callApi, openFedFixture, openVisit, until } from '../support/fixture.ts';

const CODES = Array.from({ length: 21 }, (_, index) => `T${String(index).padStart(2, '0')}`);
const BEFORE = 2;

const { fixture, page } = await openVisit(
  openFedFixture(CODES.map((code) => mover(code, BEFORE))),
  '/intra-day-mid-large',
  { as: 'premium-toasts', browser: { hasTouch: true } },
);
const token = await page.evaluate(() => localStorage.getItem('accessToken') ?? '');

const ask = <T>(path: string, method: string, body?: unknown) =>
  callApi<T>(`${fixture.url}/api${path}`, { token, method, body });
const above = (value: number) => ({
  op: 'AND',
  conditions: [{ lhs: { type: 'field', key: 'last' }, op: '>', rhs: { type: 'number', value } }],
});

beforeAll(async () => {
  await page.locator('p.alert-announcement').waitFor({ state: 'attached' });
  // Every stock is below its alert, until all trade above it in one batch.
  const logic_json = above(BEFORE + 1);
  const ids: number[] = [];
  for (const symbol of CODES) {
    const { id } = await ask<{ id: number }>('/alerts', 'POST', { symbol, name: 'Above 3', logic_json });
    ids.push(id);
  }
  await until('every alert was evaluated', async () => {
    await feed(fixture.url, ...CODES.map((code) => ({ code })));
    const looks = await Promise.all(
      ids.map((id) => ask<{ at: string | null }>(`/alerts/${id}/evaluation`, 'GET')),
    );
    return looks.every(({ at }) => at !== null);
  });
  await feed(fixture.url, ...CODES.map((code) => ({ code, last: BEFORE + 2, volume: 2_000_000 })));
  await region().waitFor();
  // They stay while the pointer is over them.
  await region().hover();
});

const region = () => page.getByRole('region', { name: 'Alerts that fired' });
const lines = () => region().locator('li.toast');
const boxOf = async (selector: string) => {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} is not on the page.`);
  return { top: Math.round(box.y), bottom: Math.round(box.y + box.height) };
};

test('21 alerts that fire at once take three lines and a count of the others', async () => {
  await until('all are counted', async () => (await region().textContent())?.includes('18 more') ?? false);
  expect(await lines().count()).toBe(3);
  const { top, bottom } = await boxOf('.toasts');
  // Four lines that a finger can hit.
  expect(bottom - top).toBeLessThan(170);
  expect(await axeInBothThemes(page)).toEqual([]);
});

test.each([
  [1440, 900],
  [390, 844],
])('at %p × %p they cover no screen, and dialogs end above them', async (width, height) => {
  await page.setViewportSize({ width, height });
  for (const route of ['/intra-day-mid-large', '/watchlist', '/calls']) {
    await page.evaluate((hash) => {
      window.location.hash = hash;
    }, route);
    await page.locator('main h1, main table').first().waitFor();
    await region().hover();
    const [main, toasts] = [await boxOf('#main'), await boxOf('.toasts')];
    expect({ route, isClear: main.bottom <= toasts.top && main.bottom - main.top > 400 }).toEqual({
      route,
      isClear: true,
    });
    expect(toasts.bottom).toBeLessThanOrEqual(height);
    await fits(page, width);
  }
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  const [dialog, toasts] = [await boxOf('.dialog'), await boxOf('.toasts')];
  expect(dialog.bottom).toBeLessThanOrEqual(toasts.top);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await region().hover();
});

test('the count opens a list of all that fired, including dismissed ones', async () => {
  await region()
    .getByRole('button', { name: /^Dismiss T/ })
    .first()
    .click();
  await page.getByRole('button', { name: '17 more' }).click();
  const list = page.getByRole('dialog', { name: 'Alerts that fired' });
  await list.locator('li.toast').first().waitFor();
  expect(await list.locator('li.toast').count()).toBe(21);
  expect(await axeInBothThemes(page, undefined, 'dialog')).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await fits(page, 390);
  await list.getByRole('button', { name: 'Clear list' }).click();
  await list.getByText('The list is empty.').waitFor();
  await list.getByRole('button', { name: 'Close' }).click();
  await until('no toast is left', async () => (await region().count()) === 0);
});

test('F6 reaches a toast over an open dialog, and dismissing it does not change the dialog', async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.evaluate(() => {
    window.location.hash = '/calls';
  });
  await page.getByRole('button', { name: 'Add Call' }).click();
  const entry = page.getByRole('dialog', { name: 'Submit Call' }).getByLabel('Entry Price');
  await entry.fill('12.5');
  const { id } = await ask<{ id: number }>('/alerts', 'POST', {
    symbol: 'T00',
    name: 'Over a form',
    logic_json: above(BEFORE + 5),
  });
  await until('the alert was evaluated', async () => {
    await feed(fixture.url, { code: 'T00' });
    return (await ask<{ at: string | null }>(`/alerts/${id}/evaluation`, 'GET')).at !== null;
  });
  await feed(fixture.url, { code: 'T00', last: BEFORE + 6, volume: 3_000_000 });
  await lines().first().waitFor();
  await entry.focus();
  await page.keyboard.press('F6');
  await hasFocusIn('the toast', lines().first());
  await page.keyboard.press('Escape');
  await until('the toast is gone', async () => (await lines().count()) === 0);
  expect(await entry.inputValue()).toBe('12.5');
  await hasFocus('the price', entry);
});
