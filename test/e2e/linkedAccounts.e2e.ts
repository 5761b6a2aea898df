import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import type { FakeTelegram } from '../support/fakeTelegram.ts';
import { expectQuiet, type Stage, until } from '../support/stage.ts';
import { openTelegramStage, type TelegramStage } from '../support/telegramStage.ts';

const CHAT = 4712;

let opened: TelegramStage | undefined;
let telegram: FakeTelegram;
let stage: Stage;

beforeAll(async () => {
  opened = await openTelegramStage({ BELLBIRD_SIM_START: '11:00' });
  ({ stage, telegram } = opened);
});
afterAll(() => opened?.close());

type Asking = { method?: string; body?: unknown };

async function call(token: string, path: string, { method = 'GET', body }: Asking = {}): Promise<unknown> {
  const response = await fetch(`${stage.url}/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: token },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** The session of a page, whose demo user loses the alerts that it came with. */
async function quietToken(page: Page): Promise<string> {
  const token = await page.evaluate(() => localStorage.getItem('accessToken') ?? '');
  const { alerts } = (await call(token, '/alerts')) as { alerts: { id: number }[] };
  for (const { id } of alerts) await call(token, `/alerts/${id}`, { method: 'DELETE' });
  return token;
}

/** Sets an alert that holds from the start. */
async function setAlert(token: string, symbol: string, name: string): Promise<void> {
  const condition = {
    lhs: { type: 'field', field: 'last' },
    op: '>',
    rhs: { type: 'number', value: 0.0001 },
  };
  const logic_json = { op: 'AND', conditions: [condition] };
  const body = { symbol, name, persistent: false, logic_json, destinations: {} };
  await call(token, '/alerts', { method: 'POST', body });
}

const codesIn = async (page: Page): Promise<string[]> => {
  await page.locator('tr[data-id]').first().waitFor();
  return page.locator('tr[data-id]').evaluateAll((rows) => rows.map((row) => row.dataset.id ?? ''));
};
const toastsOf = (page: Page) =>
  page.getByRole('region', { name: 'Alerts that fired' }).getByRole('listitem');
const badgeOf = (page: Page) => page.locator('.nav-badge');
/** The window listens, and the stream of all windows has said where it is. */
async function isWatching(page: Page): Promise<void> {
  await page.locator('p[aria-live=assertive].visually-hidden').waitFor({ state: 'attached' });
  await until('the stream of alerts runs', async () =>
    page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith('bellbird.alerts.'))),
  );
}
const markOf = (page: Page, code: string): Promise<string> =>
  page
    .locator(`tr[data-id="${code}"] .name-cell-code`)
    .evaluate((cell) => getComputedStyle(cell, '::before').content);

describe('an alert that fires', () => {
  test('shows in every window with its values, marks the row, and counts until the watchlist is seen', async () => {
    const visitor = await stage.visit('/intra-day-small', { as: 'premium-toast' });
    const { page, context } = visitor;
    const other = await context.newPage();
    const ownStreams: string[] = [];
    for (const one of [page, other]) {
      one.on('request', (request) => {
        if (request.url().includes('/alerts/stream')) ownStreams.push(request.url());
      });
    }
    await other.goto(`${stage.url}/#/calls`);
    const token = await quietToken(page);
    await isWatching(page);
    await isWatching(other);
    // The market comes in parts: what stands on top of the first may be out of sight once all are there.
    const [code = ''] = await codesIn(page);
    await setAlert(token, code, 'Any price');
    const toast = toastsOf(page).first();
    await toast.waitFor();
    expect(await toast.textContent()).toMatch(
      new RegExp(`^${code}Any price\\d+\\.\\d+ [▲▼].* · last \\d.* above .* Sydney`),
    );
    await toastsOf(other).first().waitFor();
    expect(await badgeOf(page).textContent()).toBe('1 new alert');
    expect(await markOf(page, code)).toContain('Alert fired');

    // Dismissed by keyboard here, it goes there too.
    await page.bringToFront();
    await page.locator(`tr[data-id="${code}"]`).focus();
    await page.keyboard.press('F6');
    await page.keyboard.press('Escape');
    await until('no toast here', async () => (await toastsOf(page).count()) === 0);
    await until('no toast there', async () => (await toastsOf(other).count()) === 0);

    await page.reload();
    await isWatching(page);
    await badgeOf(page).waitFor();
    expect(await toastsOf(page).count()).toBe(0);
    await page.getByRole('link', { name: /Watchlist/ }).click();
    await until('the count is gone', async () => (await badgeOf(page).count()) === 0);
    await until('the count is gone there too', async () => (await badgeOf(other).count()) === 0);
    // The shared worker's stream is no page's own.
    expect(ownStreams).toEqual([]);
    expect(page.url()).not.toContain(token);
    expect(stage.bellbird.log()).not.toContain(token);
    expectQuiet(stage, visitor);
    await context.close();
  });

  test('while the connection was away is told once it is back, once', async () => {
    const visitor = await stage.visit('/intra-day-small', { as: 'premium-away' });
    const { page, context } = visitor;
    const [code = ''] = await codesIn(page);
    const token = await quietToken(page);
    await isWatching(page);
    // The page is away: it is loaded anew, and the alert fires before it listens.
    await page.goto('about:blank');
    await setAlert(token, code, 'While away');
    await until('it has fired', async () => {
      const found = await call(token, `/alerts?symbol=${code}`);
      return JSON.stringify(found).includes('"active":false');
    });
    await page.goto(`${stage.url}/#/calls`);
    await toastsOf(page).first().waitFor();
    expect(await toastsOf(page).count()).toBe(1);
    await page.reload();
    await badgeOf(page).waitFor();
    await isWatching(page);
    expect(await toastsOf(page).count()).toBe(0);
    expectQuiet(stage, visitor);
    await context.close();
  });

  test('leaves an open dialog as it is when its toast is dismissed', async () => {
    const visitor = await stage.visit('/calls', { as: 'premium-dialog' });
    const { page, context } = visitor;
    const token = await quietToken(page);
    await isWatching(page);
    await page.getByRole('button', { name: 'Add Call' }).click();
    const dialog = page.getByRole('dialog', { name: 'Submit Call' });
    await dialog.waitFor();
    await dialog.getByLabel('Entry Price').fill('12.5');
    await setAlert(token, 'BHP', 'Over a form');
    await toastsOf(page).first().waitFor();
    await page.locator('.toast button').first().click();
    await until('the toast is gone', async () => (await toastsOf(page).count()) === 0);
    expect(await dialog.getByLabel('Entry Price').inputValue()).toBe('12.5');

    await setAlert(token, 'CBA', 'Over a form');
    await toastsOf(page).first().waitFor();
    await dialog.getByLabel('Entry Price').focus();
    await page.keyboard.press('F6');
    await page.keyboard.press('Escape');
    await until('this one is gone too', async () => (await toastsOf(page).count()) === 0);
    expect(await dialog.getByLabel('Entry Price').inputValue()).toBe('12.5');
    await until('the focus is back', () =>
      dialog.getByLabel('Entry Price').evaluate((box) => box === document.activeElement),
    );
    expectQuiet(stage, visitor);
    await context.close();
  });
});

describe('Linked Accounts', () => {
  test('links by ID, says what is missing, and unlinks', async () => {
    const visitor = await stage.visit('/settings', { as: 'premium-accounts' });
    const { page, context } = visitor;
    const panel = page.getByRole('region', { name: 'Linked Accounts' });
    await panel.getByText('No accounts are linked yet.').waitFor();
    await panel.getByRole('link', { name: `@${telegram.username}` }).waitFor();
    await panel.getByText('Discord: not set up on this server.').waitFor();
    await panel.getByRole('button', { name: 'Link', exact: true }).click();
    await panel.getByText('Please enter your platform ID').waitFor();
    await panel.getByLabel('Platform ID').fill('4799');
    await page.keyboard.press('Enter');
    await panel.getByText('Linked Telegram successfully').waitFor();
    await panel.getByText('Waiting for confirmation').waitFor();
    await until('the chat is asked', () => telegram.sent(4799).length === 1);
    telegram.press(4799, 'Yes, send alerts here');
    await panel.getByText('Confirmed', { exact: true }).waitFor();
    await panel.getByRole('button', { name: /^Unlink Telegram/ }).click();
    await panel.getByText('Unlinked successfully').waitFor();
    await panel.getByText('No accounts are linked yet.').waitFor();
    expectQuiet(stage, visitor);
    await context.close();
  });

  test('a one-time link that two windows open is claimed once', async () => {
    telegram.say(CHAT, '/link');
    await until('the bot answers', () => telegram.sent(CHAT).length === 1);
    const [link] = telegram.sent(CHAT)[0]?.entities.filter(({ type }) => type === 'text_link') ?? [];
    const toldLinked = () => telegram.sent(CHAT).filter(({ text }) => text.includes('Chat linked')).length;
    const visitor = await stage.visit('/calls', { as: 'premium-claims' });
    const { page, context } = visitor;
    const other = await context.newPage();
    await Promise.all([page, other].map((one) => one.goto(link?.url ?? '')));
    await Promise.all(
      [page, other].map((one) =>
        one.getByText(/^Link the Telegram chat .{1,40} to your account\?$/).waitFor(),
      ),
    );
    expect(toldLinked()).toBe(0);
    await page.getByRole('button', { name: 'Link', exact: true }).first().click();
    await until('the chat is linked', async () => {
      const both = [page, other].map((one) => one.getByText('Chat linked successfully.').count());
      return (await Promise.all(both)).some((count) => count > 0);
    });
    await until('the chat is told', () => toldLinked() > 0);
    expect(toldLinked()).toBe(1);
    for (const one of [page, other]) {
      expect(one.url()).toBe(`${stage.url}/#/settings`);
      expect(await one.getByText(/already used|Failed to claim/).count()).toBe(0);
    }
    // The later window takes the token too, finds that it was claimed, and drops it.
    await until('no token waits', async () =>
      page.evaluate(() => localStorage.getItem('pendingLinkToken') === null),
    );
    expect(toldLinked()).toBe(1);
    expectQuiet(stage, visitor);
    await context.close();
  });
});

describe('in a scanner', () => {
  test('w adds the row’s symbol, and Alert me sets an alert where it stands, in a popup too', async () => {
    const visitor = await stage.visit('/intra-day-small', { as: 'premium-w' });
    const { page, context } = visitor;
    await codesIn(page);
    await isWatching(page);
    await page.keyboard.press('j');
    await page.keyboard.press('w');
    await page.getByText(/^[A-Z0-9]+ (added to|is on) your watchlist/).waitFor();

    const opening = context.waitForEvent('page');
    await page.getByRole('button', { name: 'Pop out to new window' }).click();
    const popup = await opening;
    const [, code = ''] = await codesIn(popup);
    await popup.locator(`tr[data-id="${code}"]`).focus();
    await popup.keyboard.press('Enter');
    await popup.getByRole('button', { name: 'Alert me', exact: true }).click();
    await popup.getByRole('button', { name: 'Set alert' }).click();
    await popup.getByText(/^Alert set\./).waitFor();
    expect(popup.url()).toEndWith('#/intra-day-small');
    expectQuiet(stage, visitor);
    await context.close();
  });
});
