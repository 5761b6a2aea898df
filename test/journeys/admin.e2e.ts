import { afterAll, expect, test } from 'bun:test';
import { axe } from '../support/browser.ts';
import { openFixture, seedSession } from '../support/fixture.ts';

const fixture = await openFixture({ BELLBIRD_SIM_START: '11:00' });
const { page, errors } = await fixture.visit('/admin', { as: 'admin' });
afterAll(() => fixture.close());

test('a call waiting for review is shown first, rejected, and then marked normal', async () => {
  await page.getByRole('link', { name: 'Admin 1 thing waits' }).waitFor();
  const queue = page.getByRole('region', { name: 'Calls Awaiting Admin Review', exact: true });
  const row = queue.getByRole('row').filter({ has: page.getByRole('button', { name: /^Reject/ }) });
  await row.getByText(/A gain was pocketed|would need a position of/).waitFor();
  await row.getByRole('button', { name: /^Reject/ }).click();
  await row.getByText('Rejected').waitFor();
  await row.getByRole('button', { name: /^Reject/, disabled: true }).waitFor();
  await row.getByRole('button', { name: /^Mark normal/ }).click();
  await queue.getByText('No calls require admin review.').waitFor();
  await page.getByRole('link', { name: 'Admin', exact: true }).waitFor();
});

test('a user is found and made premium, and the audit shows it', async () => {
  const { accessToken } = await seedSession(fixture.url, 'story-olive');
  await page.getByRole('link', { name: 'All Users' }).click();
  const users = page.getByRole('region', { name: 'All Users', exact: true });
  await users.getByLabel('Search users').fill('STORY-OL');
  await users.getByText('1 user', { exact: true }).waitFor();
  await users.getByRole('button', { name: 'Edit story-olive' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit user story-olive' });
  await dialog.getByLabel('Current plan').selectOption('Premium');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const settings = await fetch(`${fixture.url}/api/settings`, { headers: { authorization: accessToken } });
  expect(await settings.json()).toMatchObject({ subscriptionType: 'premium' });
  const audit = users.getByRole('table', { name: 'Audit' }).getByRole('row');
  await audit.filter({ hasText: 'subscription type: free → premium' }).first().waitFor();
  await audit.filter({ hasText: 'Moderate call' }).first().waitFor();
  expect(await axe(page)).toEqual([]);
  expect(errors).toEqual([]);
});
