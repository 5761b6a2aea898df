import { afterAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { expectMoving, grid, openStage, until } from '../support/stage.ts';

// Out of the market's hours no price is called old, so it is not the hour at which the story is told.
const stage = await openStage({ BELLBIRD_SIM_START: '10:40' });
afterAll(() => stage.close());

const strip = (page: Page) => page.locator('.strip');
const age = (page: Page) => page.locator('.state-age');
const isAmber = (page: Page) => page.locator('.strip.is-old').waitFor();
const colourOf = (page: Page) =>
  page
    .locator('tr[data-id] .trend')
    .first()
    .evaluate((cell) => getComputedStyle(cell).color);

type Noting = Window & { saidBack?: boolean };
/** Notes in the page when it says that the server is back, which it does for two seconds only. */
const noteBack = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const watch = new MutationObserver(() => {
      if (document.querySelector('.state-back')?.textContent === 'Back') (window as Noting).saidBack = true;
    });
    watch.observe(document.body, { subtree: true, childList: true, characterData: true });
  });

describe('a server that falls silent', () => {
  test('is seen within seconds in every window, its prices go grey, and it comes back', async () => {
    const { page, context, leave } = await stage.visit('/intra-day-small');
    const other = await context.newPage();
    await other.goto(`${stage.url}/#/intra-day-large-cap`);
    for (const one of [page, other]) {
      await one.locator('tr[data-id]').first().waitFor();
      await one.getByText('Live', { exact: true }).first().waitFor();
    }
    await page.bringToFront();
    const coloured = await colourOf(page);
    await age(page).waitFor({ state: 'detached' });

    process.kill(stage.bellbird.pid, 'SIGSTOP');
    await age(page).waitFor();
    expect(await strip(page).textContent()).toContain('Live');
    await isAmber(page);
    await isAmber(other);
    await until('its prices are grey', async () => (await colourOf(page)) !== coloured);

    await noteBack(page);
    process.kill(stage.bellbird.pid, 'SIGCONT');
    await page.waitForFunction(() => (window as Noting).saidBack);
    await page.locator('.strip:not(.is-old)').waitFor();
    await page.getByText('Back', { exact: true }).waitFor({ state: 'detached' });
    await until('its prices have their colour', async () => (await colourOf(page)) === coloured);
    await expectMoving(grid(page, 'Top Movers under $1'));
    await leave();
  });
});
