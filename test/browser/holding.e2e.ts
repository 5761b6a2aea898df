import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { feed } from '../support/fedMarket.ts';
import { codeOfMover, mover, movers } from '../support/fedMovers.ts';
import { grid, openFedFixture, openVisit, shownRows, until } from '../support/fixture.ts';

const TITLE = 'Top Movers under $1';
/** More than the first part of a market contains. */
const MANY = 220;
const { fixture, page } = await openVisit(openFedFixture(movers(MANY)), '/intra-day-small');

const codesOf = async (page: Page): Promise<string[]> =>
  (await shownRows(grid(page, TITLE))).map(({ id }) => id);

let order = 0;
/** Feeds another order of the ten first rows. @returns the code of the stock that is first then */
async function turn(): Promise<string> {
  order += 1;
  const codes = Array.from({ length: 10 }, (_, index) => codeOfMover((index + order) % 10));
  await feed(fixture.url, ...codes.map((code, place) => mover(code, (MANY + 20 - place) * 3 + order)));
  return codes[0] ?? '';
}

const isOnTop = (page: Page, code: string): Promise<void> =>
  until(`${code} is the first row`, async () => (await codesOf(page))[0] === code);

test('a table keeps an open row in its place on the screen, and sorts the others', async () => {
  await grid(page, TITLE).locator('tr[data-id]').nth(9).waitFor();
  const code = (await codesOf(page))[9] ?? '';
  const row = grid(page, TITLE).locator(`tr[data-id="${code}"]`);
  await row.locator('.expander').click();
  await row.locator('.expander[aria-expanded=true]').waitFor();
  // The pane takes its place first.
  await page.getByRole('complementary', { name: 'Selected stock' }).getByRole('article').waitFor();
  await page.mouse.move(500, 5);
  const place = await row.boundingBox();
  for (const _ of [1, 2]) {
    const first = await turn();
    if (first !== code) await isOnTop(page, first);
    await until('it is in its old place', async () => Bun.deepEquals(await row.boundingBox(), place));
  }
  expect(await row.locator('.expander').getAttribute('aria-expanded')).toBe('true');
  await row.locator('.expander').click();
});
