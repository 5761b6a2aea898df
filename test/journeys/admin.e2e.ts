import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type ChannelStage, openChannelStage } from '../support/channelStage.ts';
import { DISCORD_ID, TELEGRAM_ID } from '../support/channelsApp.ts';
import { FED, feed } from '../support/fedMarket.ts';
import { movers } from '../support/fedMovers.ts';
import { hasFocus } from '../support/focus.ts';
import { expectQuiet, until, type Visitor } from '../support/stage.ts';

let opened: ChannelStage | undefined;
let admin: Visitor | undefined;

beforeAll(async () => {
  opened = await openChannelStage(FED);
  await feed(opened.stage.url, ...movers(250));
  admin = await opened.stage.visit('/admin', { as: 'admin' });
});
afterAll(() => opened?.close());

const ANNA = { id: '5', username: 'anna', global_name: 'Anna' };

test('the market is opened, copied also where the browser offers no clipboard, and what was called is listed', async () => {
  if (!opened || !admin) throw new Error('There is no stage.');
  const { stage, telegram } = opened;
  const { page, context } = admin;
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
  expectQuiet(stage, admin);
});

test('an administrator adds channels, writes to them, sees who got it, reads one and deletes it', async () => {
  if (!opened || !admin) throw new Error('There is no stage.');
  const { telegram, discord } = opened;
  discord.post(DISCORD_ID, {
    ...{ id: '1', content: '<img src=x> hello', author: ANNA, timestamp: '2026-11-18T00:00:00.000Z' },
    attachments: [
      { id: '9', filename: 'chart.png', content_type: 'image/png', url: 'https://cdn.test/chart.png' },
    ],
  });
  const { page, errors } = admin;
  const section = page.locator('#admin-channels');
  const add = async (name: string, id: string, platform: string): Promise<void> => {
    await section.getByLabel('Name', { exact: true }).fill(name);
    await section.getByLabel('Chat ID').fill(id);
    await section.getByLabel('Platform').selectOption(platform);
    await section.getByRole('button', { name: 'Add Channel' }).click();
    await section.getByRole('row', { name }).waitFor();
  };
  await section.getByText('No channels yet.', { exact: true }).waitFor();
  expect(await section.getByRole('button', { name: 'Add Channel' }).isDisabled()).toBe(true);
  await add('News', DISCORD_ID, 'discord');
  await add('Group', TELEGRAM_ID, 'telegram');

  // One gets it and one does not, and what is typed outlives a refusal.
  telegram.setFault('sendMessage', { kind: 'status', code: 403, description: 'Forbidden: bot was kicked' });
  await section.getByText('Compose Message').click();
  const box = section.getByLabel('Message', { exact: true });
  await box.fill('The market is open\nfor trading');
  await section.getByRole('button', { name: 'Send', exact: true }).click();
  await section.getByText('Select at least one channel.').waitFor();
  expect(await box.inputValue()).toContain('for trading');
  await section.getByRole('button', { name: 'Choose all' }).click();
  await section.getByRole('button', { name: 'Send', exact: true }).click();
  await section.locator('.broadcast-list').getByText('Sent', { exact: true }).waitFor();
  await section.locator('.broadcast-list').getByText('Not sent', { exact: true }).waitFor();
  await section
    .getByRole('row', { name: 'Group' })
    .getByText('The bot is no longer in this Telegram chat.')
    .waitFor();
  expect(discord.inChannel(DISCORD_ID).map(({ content }) => content)).toEqual([
    'The market is open\nfor trading',
  ]);
  await until('the box is empty again', async () => (await box.inputValue()) === '');

  // Another window knows of a switch at its next load; this one at once.
  const toggle = section.getByRole('switch', { name: 'Group: subscribed' });
  await toggle.click();
  await until('the switch', async () => !(await toggle.isChecked()));
  await section.getByRole('checkbox', { name: /^Group/, disabled: true }).waitFor();

  await section.getByRole('button', { name: 'Recent messages of News' }).click();
  const dialog = page.getByRole('dialog', { name: 'Recent messages of News' });
  await dialog.getByText('<img src=x> hello').waitFor();
  expect(await dialog.getByRole('link', { name: 'chart.png' }).getAttribute('href')).toBe(
    'https://cdn.test/chart.png',
  );
  expect(await dialog.locator('img').count()).toBe(0);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await section.getByRole('button', { name: 'Delete News' }).click();
  await page
    .getByRole('dialog', { name: 'Delete channel "News"?' })
    .getByRole('button', { name: 'Delete' })
    .click();
  await section.getByRole('row', { name: 'News' }).waitFor({ state: 'detached' });
  expect(errors).toEqual([]);
});

test('the model that is not there names its settings, and the catalog says how many and when', async () => {
  if (!admin) throw new Error('There is no stage.');
  const { page, errors } = admin;
  const question = page.locator('#admin-question');
  await question.getByRole('button', { name: 'Generate Response' }).click();
  await question.getByText('Question is required').waitFor();
  await question.getByLabel('Question').fill('What moved?');
  await question.getByRole('button', { name: 'Generate Response' }).click();
  await question.getByText('BELLBIRD_AI_URL').waitFor();
  expect(await question.getByLabel('Question').inputValue()).toBe('What moved?');
  const catalog = page.locator('#admin-catalog');
  await catalog.getByText('Sydney').waitFor();
  expect(Number(await catalog.locator('dd').first().textContent())).toBeGreaterThan(10);
  // The browser itself notes the refusal.
  expect(errors.filter((error) => !error.includes('/api/admin/askai'))).toEqual([]);
});
