import { afterAll, expect, test } from 'bun:test';
import { axeInBothThemes } from '../support/browser.ts';
import { post, freePort, startBellbird } from '../support/executable.ts';
import { startFakeTelegram } from '../support/fakeTelegram.ts';
import { FED, feed } from '../support/fedMarket.ts';
import { expectQuiet, grid, shownRows, fixtureBefore, until } from '../support/fixture.ts';

const ANNA = 4711;
const PASSWORD = 'amber-bill-7';

const telegram = startFakeTelegram();
const port = await freePort();
const fixture = await fixtureBefore(
  await startBellbird({
    port,
    env: {
      ...FED,
      BELLBIRD_TEST: '1',
      // The target of the bot’s links.
      BELLBIRD_PUBLIC_URL: `http://127.0.0.1:${port}`,
      BELLBIRD_TELEGRAM_URL: telegram.url,
      BELLBIRD_TELEGRAM_TOKEN: telegram.token,
    },
  }),
);
afterAll(async () => {
  await fixture.close();
  await telegram.stop();
});
await feed(
  fixture.url,
  { code: 'BHX', last: 41, close: 40, volume: 100 },
  { code: 'XRX', status: 'Pre Open', close: 120, match_price: 121.5, match_vol: 1000 },
);
const account = { username: 'Anna', password: PASSWORD, platform: 'web' };
expect((await post(`${fixture.url}/api/register`, account)).status).toBe(200);
const visitor = await fixture.visit('/calls', { as: null });
const { page } = visitor;

test('a chat is linked by its one-time link, by a user who has to log in first', async () => {
  telegram.write(ANNA, '/link');
  await until('the bot answers', () => telegram.sent(ANNA).length === 1);
  const [link] = telegram.sent(ANNA)[0]?.entities.filter(({ type }) => type === 'text_link') ?? [];
  expect(link?.url).toStartWith(`${fixture.url}/#/settings?linkToken=`);
  await page.goto(link?.url ?? '');
  await page.waitForURL(/#\/login/);
  await page.getByLabel('Username').fill('Anna');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.locator('form').getByRole('button', { name: 'Login' }).click();
  await page.waitForURL(/#\/settings/);
  await page.getByText('Link the Telegram chat Anna to your account?').waitFor();
  expect(telegram.sent(ANNA).some(({ text }) => text.includes('Chat linked'))).toBe(false);
  await page.getByRole('button', { name: 'Link', exact: true }).first().click();
  await page.getByText('Chat linked successfully.').first().waitFor();
  await until('the bot confirms', () => telegram.sent(ANNA).some(({ text }) => text.includes('Chat linked')));
  await page.waitForURL((url) => !url.href.includes('linkToken'));
  expectQuiet(fixture, visitor);
});

const row = (symbol: string) => page.locator(`tr[data-id="${symbol}"]`);

async function add(symbol: string): Promise<void> {
  const box = page.getByRole('combobox', { name: 'Add symbol' });
  await box.pressSequentially(symbol.toLowerCase());
  await page.keyboard.press('Enter');
  await row(symbol).waitFor();
  await until('the field is empty again', async () => (await box.inputValue()) === '');
}

test('symbols are in the table of their phase, with their figures, and move when they open', async () => {
  await page.goto(`${fixture.url}/#/watchlist`);
  await page.getByText('No pre-open symbols').waitFor();
  await page.getByText('No trading symbols').waitFor();
  await add('BHX');
  await add('XRX');
  await until('one waits for the open', async () => {
    const [opening, ...others] = await shownRows(grid(page, 'Pre-open'));
    const { Match, 'P. Close': close, 'Match Value': value } = opening?.cells ?? {};
    return others.length === 0 && [Match, close, value].join() === '121.500,120.000,121,500';
  });
  await feed(fixture.url, { code: 'XRX', status: 'Open', open: 122, last: 122, volume: 10 });
  await until('both trade', async () => {
    const symbols = (await shownRows(grid(page, 'Trading'))).map(({ id }) => id);
    return symbols.toSorted().join() === 'BHX,XRX';
  });
});

test('an alert set in words reaches the phone with its values, once, and its button works', async () => {
  await row('BHX').getByRole('rowheader').click();
  const panel = page.getByRole('region', { name: 'Alerts on BHX' });
  await panel.getByRole('button', { name: 'More conditions…' }).click();
  await panel.getByLabel('Say it in words').fill('price above 50');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^(Use|Replace all with) this condition$/ }).click();
  await until('the alert is created', async () => {
    const shown = (await shownRows(grid(page, 'Trading'))).find(({ id }) => id === 'BHX');
    return shown?.cells['Alerts'] === '1' && (await page.getByText('Saving…').count()) === 0;
  });
  const name = page.getByLabel('Name (optional)');
  const answered = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await name.fill('Breakout');
  expect((await answered).status()).toBe(200);
  await page.getByText('Not yet: 41.00, waiting for 50').waitFor();
  expect(await axeInBothThemes(page)).toEqual([]);

  await page.reload();
  await row('BHX').getByRole('rowheader').click();
  await until('the alert is back', async () => (await name.inputValue()) === 'Breakout');
  await feed(fixture.url, { code: 'BHX', last: 50.6, volume: 200 });
  const alerts = () =>
    telegram.sent(ANNA).filter(({ buttons }) => buttons.some(({ text }) => text === 'Why'));
  await until('the phone has the alert', () => alerts().length > 0);
  const [message] = alerts();
  expect(message?.text).toMatch(/^BHX 50\.60/);
  expect(message?.text).toContain('Breakout');
  expect(message?.text).toMatch(/last 50\.60 above 50\.00 · \d\d:\d\d Sydney/);
  await panel.getByText(/^Last triggered /).waitFor();

  // It fired once and is off, until it is switched on again in the chat.
  const active = page.getByRole('switch', { name: 'Breakout: active' });
  await until('the alert is off', async () => !(await active.isChecked()));
  expect(alerts()).toHaveLength(1);
  telegram.press(ANNA, 'On');
  await until('the alert is on', async () => active.isChecked());
  expect(fixture.bellbird.log()).not.toContain(telegram.token);
  expectQuiet(fixture, visitor);
});
