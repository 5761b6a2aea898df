import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { FED, feed } from '../support/fedMarket.ts';
import { mover } from '../support/fedMovers.ts';
import type { FakeTelegram } from '../support/fakeTelegram.ts';
import { hasFocus, hasFocusIn } from '../support/focus.ts';
import { expectQuiet, type Stage, until, type Visitor } from '../support/stage.ts';
import { openTelegramStage, type TelegramStage } from '../support/telegramStage.ts';

const CHAT = 4712;

let opened: TelegramStage | undefined;
let telegram: FakeTelegram;
let stage: Stage;
let visitor: Visitor;
let page: Page;
let token = '';

beforeAll(async () => {
  opened = await openTelegramStage(FED);
  ({ stage, telegram } = opened);
  await feed(stage.url, mover('AAX', 2), mover('BBX', 1));
  visitor = await stage.visit('/intra-day-small', { as: 'premium-accounts' });
  ({ page } = visitor);
  token = await page.evaluate(() => localStorage.getItem('accessToken') ?? '');
});
afterAll(() => opened?.close());

type Asking = { method?: string; body?: unknown };

async function call(path: string, { method = 'GET', body }: Asking = {}): Promise<unknown> {
  const response = await fetch(`${stage.url}/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: token },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Sets an alert that the stock's next trade makes true. @returns what trades */
async function setAlert(symbol: string, name: string): Promise<() => Promise<void>> {
  // Nothing is evaluated on prices of a source that was silent for a minute.
  await feed(stage.url, { code: symbol });
  price += 0.1;
  const last = Number(price.toFixed(2));
  const condition = {
    lhs: { type: 'field', field: 'last' },
    op: '>=',
    rhs: { type: 'number', value: last },
  };
  const logic_json = { op: 'AND', conditions: [condition] };
  const body = { symbol, name, persistent: false, logic_json, destinations: {} };
  const { id } = (await call('/alerts', { method: 'POST', body })) as { id: number };
  // What holds at its first evaluation waits five seconds.
  await until('it does not hold yet', async () => {
    const { at } = (await call(`/alerts/${id}/evaluation`)) as { at: string | null };
    return at !== null;
  });
  return () => feed(stage.url, { code: symbol, last, volume: last * 1_000_000 });
}
let price = 0.5;

/** Sets an alert and makes it fire. */
const fire = async (symbol: string, name: string): Promise<void> => (await setAlert(symbol, name))();

const codesIn = async (page: Page): Promise<string[]> => {
  await page.locator('tr[data-id]').first().waitFor();
  return page.locator('tr[data-id]').evaluateAll((rows) => rows.map((row) => row.dataset.id ?? ''));
};
const toastsOf = (page: Page) =>
  page.getByRole('region', { name: 'Alerts that fired' }).getByRole('listitem');
const badgeOf = (page: Page) => page.locator('.nav-badge');
/** The window listens, and the stream of all windows has said where it is. */
async function isWatching(page: Page): Promise<void> {
  await page.locator('p.alert-announcement').waitFor({ state: 'attached' });
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
    const other = await visitor.context.newPage();
    const ownStreams: string[] = [];
    for (const one of [page, other]) {
      one.on('request', (request) => {
        if (request.url().includes('/alerts/stream')) ownStreams.push(request.url());
      });
    }
    await other.goto(`${stage.url}/#/calls`);
    await isWatching(page);
    await isWatching(other);
    await until('both stocks are there', async () => (await codesIn(page)).join() === 'AAX,BBX');
    await fire('AAX', 'Any price');
    const toast = toastsOf(page).first();
    await toast.waitFor();
    const words = /^\d\d:\d\dAAXAny price\d+\.\d+ [▲▼].* · last \d.* at or above /;
    await until('it has its values', async () => words.test((await toast.textContent()) ?? ''));
    await toastsOf(other).first().waitFor();
    await until('it is counted', async () => (await badgeOf(page).textContent()) === '1 new alert');
    await until('its row is marked', async () => (await markOf(page, 'AAX')).includes('Alert fired'));

    // Dismissed by keyboard here, it goes there too.
    await page.bringToFront();
    await page.locator('tr[data-id="AAX"]').focus();
    await page.keyboard.press('F6');
    await hasFocusIn('the toast', toast);
    await page.keyboard.press('Escape');
    await until('no toast here', async () => (await toastsOf(page).count()) === 0);
    await until('no toast there', async () => (await toastsOf(other).count()) === 0);

    await page.getByRole('link', { name: /Watchlist/ }).click();
    await until('the count is gone', async () => (await badgeOf(page).count()) === 0);
    await until('the count is gone there too', async () => (await badgeOf(other).count()) === 0);
    // The shared worker's stream is no page's own.
    expect(ownStreams).toEqual([]);
    expect(page.url()).not.toContain(token);
    expect(stage.bellbird.log()).not.toContain(token);
    await other.close();
    expectQuiet(stage, visitor);
  });

  test('while the connection was away is told once it is back, once, and counts on', async () => {
    // The page is away: it is loaded again, and the alert fires before it listens.
    await page.goto('about:blank');
    await fire('BBX', 'While away');
    await until('it has fired', async () => {
      const found = await call('/alerts?symbol=BBX');
      return JSON.stringify(found).includes('"active":false');
    });
    await page.goto(`${stage.url}/#/calls`);
    await toastsOf(page).first().waitFor();
    // What was dismissed before does not come again.
    expect(await toastsOf(page).count()).toBe(1);
    await page.reload();
    await badgeOf(page).waitFor();
    await isWatching(page);
    expect(await toastsOf(page).count()).toBe(0);
    expectQuiet(stage, visitor);
  });

  test('leaves an open dialog as it is when its toast is dismissed', async () => {
    await page.getByRole('button', { name: 'Add Call' }).click();
    const dialog = page.getByRole('dialog', { name: 'Submit Call' });
    await dialog.waitFor();
    const entry = dialog.getByLabel('Entry Price');
    await entry.fill('12.5');
    await fire('AAX', 'Over a form');
    await toastsOf(page).first().waitFor();
    await page
      .getByRole('button', { name: /^Dismiss / })
      .first()
      .click();
    await until('the toast is gone', async () => (await toastsOf(page).count()) === 0);
    expect(await entry.inputValue()).toBe('12.5');

    await fire('BBX', 'Over a form');
    await toastsOf(page).first().waitFor();
    await entry.focus();
    await page.keyboard.press('F6');
    await hasFocusIn('the toast', toastsOf(page).first());
    await page.keyboard.press('Escape');
    await until('this one is gone too', async () => (await toastsOf(page).count()) === 0);
    expect(await entry.inputValue()).toBe('12.5');
    await hasFocus('the price', entry);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expectQuiet(stage, visitor);
  });
});

describe('Linked Accounts', () => {
  test('links by ID, says what is missing, and unlinks', async () => {
    await page.goto(`${stage.url}/#/settings`);
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
    await until('whoever comes back from the chat sees it confirmed', async () => {
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      return (await panel.getByText('Confirmed', { exact: true }).count()) === 1;
    });
    await panel.getByRole('button', { name: /^Unlink Telegram/ }).click();
    await panel.getByText('Unlinked successfully').waitFor();
    await panel.getByText('No accounts are linked yet.').waitFor();
    expectQuiet(stage, visitor);
  });

  test('a one-time link that two windows open is claimed once', async () => {
    telegram.say(CHAT, '/link');
    await until('the bot answers', () => telegram.sent(CHAT).length === 1);
    const [link] = telegram.sent(CHAT)[0]?.entities.filter(({ type }) => type === 'text_link') ?? [];
    const toldLinked = () => telegram.sent(CHAT).filter(({ text }) => text.includes('Chat linked')).length;
    const other = await visitor.context.newPage();
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
    // The later window takes the token too, finds that it was claimed, and drops it.
    await until('no token waits', async () =>
      page.evaluate(() => localStorage.getItem('pendingLinkToken') === null),
    );
    for (const one of [page, other]) {
      await one.waitForURL(`${stage.url}/#/settings`);
      expect(await one.getByText(/already used|Failed to claim/).count()).toBe(0);
    }
    expect(toldLinked()).toBe(1);
    await other.close();
    expectQuiet(stage, visitor);
  });
});

describe('in a scanner', () => {
  test('w adds the row’s symbol, and Alert me sets an alert where it stands, in a popup too', async () => {
    await page.goto(`${stage.url}/#/intra-day-small`);
    // One that stands on no watchlist yet.
    await feed(stage.url, mover('CCX', 100));
    const row = page.locator('tr[data-id="CCX"]');
    // The table is still being laid out, and a row that is drawn anew loses the focus.
    await until('the row keeps the focus', async () => {
      const had = await row.evaluate((node) => node === document.activeElement);
      if (!had) await row.focus();
      return had;
    });
    await page.keyboard.press('w');
    await page.getByText('CCX added to your watchlist').waitFor();

    const opening = visitor.context.waitForEvent('page');
    await page.getByRole('button', { name: 'Pop out to new window' }).click();
    const popup = await opening;
    let code = '';
    await until('a second row is there', async () => {
      [, code = ''] = await codesIn(popup);
      return code !== '';
    });
    await popup.locator(`tr[data-id="${code}"]`).focus();
    await popup.keyboard.press('Enter');
    await popup.getByRole('button', { name: 'Alert me', exact: true }).click();
    await popup.getByRole('button', { name: 'Set alert' }).click();
    await popup.getByText(/^Alert set\./).waitFor();
    expect(popup.url()).toEndWith('#/intra-day-small');
    expectQuiet(stage, visitor);
  });
});
