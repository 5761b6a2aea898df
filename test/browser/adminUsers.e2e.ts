import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { axe, axeOf } from '../support/browser.ts';
import { hasFocus } from '../support/focus.ts';
import { expectQuiet, openStage, type Stage, seedSession, until, type Visitor } from '../support/stage.ts';
import { savedText } from '../support/savedText.ts';

let stage: Stage;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  stage = await openStage({ BELLBIRD_SIM_START: '11:00' });
  visitor = await stage.visit('/admin', { as: 'admin-story' });
  ({ page } = visitor);
});
afterAll(() => stage?.close());

const section = (name: string) => page.getByRole('region', { name, exact: true });
const auditOf = (text: string) =>
  section('All Users')
    .getByRole('table', { name: 'Audit' })
    .getByRole('row')
    .filter({ hasText: text })
    .first();

test('a call that waits for review is rejected, and then marked normal', async () => {
  const queue = section('Calls Awaiting Admin Review');
  const row = queue.getByRole('row').filter({ has: page.getByRole('button', { name: /^Reject/ }) });
  await row.getByText(/A gain was pocketed|would need a position of/).waitFor();
  await row.getByRole('button', { name: /^Reject/ }).click();
  await row.getByText('Rejected').waitFor();
  await row.getByRole('button', { name: /^Reject/, disabled: true }).waitFor();
  await hasFocus('Mark normal', row.getByRole('button', { name: /^Mark normal/ }));
  await page.keyboard.press('Enter');
  await queue.getByText('No calls require admin review.').waitFor();
});

test('a user is found, made premium and given a chat, and the audit says so', async () => {
  const { accessToken } = await seedSession(stage.url, 'story-olive');
  const users = section('All Users');
  await users.getByLabel('Search users').fill('STORY-OL');
  await users.getByText('1 user', { exact: true }).waitFor();
  await users.getByRole('button', { name: 'Edit story-olive' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit user story-olive' });
  await dialog.getByLabel('Telegram ID').fill('@olive');
  await page.keyboard.press('Enter');
  await dialog.getByText(/^A Telegram ID is a whole number/).waitFor();
  await dialog.getByLabel('Telegram ID').fill('4711');
  await dialog.getByLabel('Current plan').selectOption('Premium');
  expect(await axeOf(page, 'dialog')).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await users
    .getByRole('row')
    .filter({ hasText: 'story-olive' })
    .getByRole('cell', { name: 'Premium', exact: true })
    .waitFor();
  const settings = await fetch(`${stage.url}/api/settings`, { headers: { authorization: accessToken } });
  expect(await settings.json()).toMatchObject({ subscriptionType: 'premium' });
  const entry = auditOf('subscription type: free → premium').filter({ hasText: 'Edit user' });
  await entry.filter({ hasText: 'admin-story' }).waitFor();
  await auditOf('Moderate call').waitFor();
});

test('the log is followed, saved and cleared', async () => {
  const logs = section('Logs');
  const lines = logs.getByRole('region', { name: 'Lines of bellbird.log' });
  await lines.getByText('INFO').first().waitFor();
  await logs.getByRole('switch', { name: 'Follow' }).check();
  await fetch(`${stage.url}/api/<b>a-marked-path</b>`);
  await until('the new line is shown', async () =>
    ((await lines.textContent()) ?? '').includes('a-marked-path'),
  );
  expect(await lines.locator('b').count()).toBe(0);

  const saving = page.waitForEvent('download');
  await logs.getByRole('button', { name: 'Download bellbird.log' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('bellbird.log');
  const text = await savedText(saved);
  expect(text).toContain('INFO main: Starting');
  expect(text).toContain('a-marked-path');
  const token = await page.evaluate(() => localStorage.getItem('accessToken') ?? '-');
  expect(text).not.toContain(token);

  await logs.getByRole('button', { name: 'Clear bellbird.log' }).click();
  const question = page.getByRole('dialog', { name: 'Clear log' });
  await question.getByText('Clear all contents of bellbird.log?').waitFor();
  await question.getByRole('button', { name: 'Clear', exact: true }).click();
  await until('what was there is gone, and what happens since is shown', async () => {
    const shown = (await lines.textContent().catch(() => '')) ?? '';
    return !shown.includes('a-marked-path') && shown.includes('A log file was cleared');
  });
  expect(await axe(page)).toEqual([]);
  expectQuiet(stage, visitor);
});
