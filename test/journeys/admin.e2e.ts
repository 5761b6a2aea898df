import { afterAll, expect, test } from 'bun:test';
import { axe } from '../support/browser.ts';
import { DISCORD_ID, TELEGRAM_ID } from '../support/channelsApp.ts';
import { openStage, seedSession, until } from '../support/stage.ts';
import { startFakeDiscord } from '../support/fakeDiscord.ts';
import { startFakeTelegram } from '../support/fakeTelegram.ts';

const [telegram, discord] = [startFakeTelegram(), startFakeDiscord()];
const stage = await openStage({
  BELLBIRD_SIM_START: '11:00',
  BELLBIRD_TELEGRAM_URL: telegram.url,
  BELLBIRD_TELEGRAM_TOKEN: telegram.token,
  BELLBIRD_DISCORD_URL: discord.url,
  BELLBIRD_DISCORD_TOKEN: discord.token,
});
const { page, errors } = await stage.visit('/admin', { as: 'admin' });
afterAll(async () => {
  await stage.close();
  await Promise.all([telegram.stop(), discord.stop()]);
});

const ANNA = { id: '5', username: 'anna', global_name: 'Anna' };

test('an administrator adds channels, writes to them, sees who got it, reads one and deletes it', async () => {
  discord.post(DISCORD_ID, {
    id: '1',
    content: '<img src=x> hello',
    author: ANNA,
    timestamp: '2026-11-18T00:00:00.000Z',
    attachments: [
      { id: '9', filename: 'chart.png', content_type: 'image/png', url: 'https://cdn.test/chart.png' },
    ],
  });
  const section = page.locator('#admin-channels');
  const add = async (name: string, id: string, platform: string): Promise<void> => {
    await section.getByLabel('Name', { exact: true }).fill(name);
    await section.getByLabel('Chat ID').fill(id);
    await section.getByLabel('Platform').selectOption(platform);
    await section.getByRole('button', { name: 'Add Channel' }).click();
    await section.getByRole('row', { name }).waitFor();
  };
  await section.getByText('No channels yet.', { exact: true }).waitFor();
  await add('News', DISCORD_ID, 'discord');
  await add('Group', TELEGRAM_ID, 'telegram');

  // One gets it and one does not, and what is typed outlives a refusal.
  telegram.setFault('sendMessage', { kind: 'status', code: 403, description: 'Forbidden: bot was kicked' });
  await section.getByText('Compose Message').click();
  const box = section.getByLabel('Message', { exact: true });
  await box.fill('The market is open\nfor trading');
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

test('a call that waits for review is rejected, and then marked normal', async () => {
  const queue = page.getByRole('region', { name: 'Calls Awaiting Admin Review', exact: true });
  const row = queue.getByRole('row').filter({ has: page.getByRole('button', { name: /^Reject/ }) });
  await row.getByText(/A gain was pocketed|would need a position of/).waitFor();
  await row.getByRole('button', { name: /^Reject/ }).click();
  await row.getByText('Rejected').waitFor();
  await row.getByRole('button', { name: /^Reject/, disabled: true }).waitFor();
  await row.getByRole('button', { name: /^Mark normal/ }).click();
  await queue.getByText('No calls require admin review.').waitFor();
});

test('a user is found and made premium, and the audit says so', async () => {
  const { accessToken } = await seedSession(stage.url, 'story-olive');
  const users = page.getByRole('region', { name: 'All Users', exact: true });
  await users.getByLabel('Search users').fill('STORY-OL');
  await users.getByText('1 user', { exact: true }).waitFor();
  await users.getByRole('button', { name: 'Edit story-olive' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit user story-olive' });
  await dialog.getByLabel('Current plan').selectOption('Premium');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const settings = await fetch(`${stage.url}/api/settings`, { headers: { authorization: accessToken } });
  expect(await settings.json()).toMatchObject({ subscriptionType: 'premium' });
  const audit = users.getByRole('table', { name: 'Audit' }).getByRole('row');
  await audit.filter({ hasText: 'subscription type: free → premium' }).first().waitFor();
  await audit.filter({ hasText: 'Moderate call' }).first().waitFor();
  expect(await axe(page)).toEqual([]);
  expect(errors).toEqual([]);
});
