import { expect, test } from 'bun:test';
import { axeInBothThemes } from '../support/browser.ts';
import { openFixture, openVisit, picture } from '../support/fixture.ts';

/** A picture shows the sessions of a new demo. */
const SESSIONS = process.env.SCREENSHOTS === '1' ? '60' : '12';

const { page } = await openVisit(
  openFixture({ BELLBIRD_SIM_START: '11:00', BELLBIRD_HISTORY_SESSIONS: SESSIONS }),
  '/intra-day-small',
);

test('a user opens the odds of a scanner, tightens it, saves the odds, and opens the chart of an entry', async () => {
  await page.locator('main tr[data-id]').first().waitFor();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Does it work?' }).click();
  await page.getByRole('heading', { level: 1, name: 'Odds of Top Movers under $1' }).waitFor();
  // The simulated sessions are made after the start.
  await page.getByText(/ per trade after costs\. [\d,]+ entries on \d\d days\.$/).waitFor();
  expect(await axeInBothThemes(page)).toEqual([]);
  const making = page.getByText('Bellbird is making missing sessions');
  await picture(
    page,
    'odds',
    async () => (await making.count()) === 0 && (await page.locator('[aria-busy=true]').count()) === 0,
  );

  await page.getByLabel('Up at least (%)').fill('10');
  await page.getByText(/2 variants/).waitFor();
  await page.getByRole('button', { name: 'Save these odds' }).click();
  await page.getByText('Saved. New entries are collected from now on.').waitFor();
  await page.getByRole('region', { name: 'Since you saved it' }).getByRole('row').nth(1).waitFor();

  const opened = page.context().waitForEvent('page');
  await page
    .getByRole('region', { name: /^Entries/ })
    .locator('tbody tr')
    .first()
    .press('Enter');
  const chart = await opened;
  await chart.locator('canvas').first().waitFor();
  expect(chart.url()).toContain('/chart');
});
