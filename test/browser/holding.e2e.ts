import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { feed } from '../support/fedMarket.ts';
import { codeOfMover, mover, movers } from '../support/fedMovers.ts';
import { grid, openFedStage, openStory, shownRows, until } from '../support/stage.ts';

/**
 * What a table's heading counts, and how many rows the table has, without those that lie open below others, at one moment;
 * null while it loads or is not there.
 */
const counts = (page: Page, title: string): Promise<{ heading: number; rows: number } | null> =>
  page.evaluate((name) => {
    const panel = document.querySelector(`section[aria-label="${name}"]`);
    const table = panel?.querySelector('[role=grid]');
    const heading = /^([\d,]+) stock/.exec(panel?.querySelector('.scanner-count')?.textContent ?? '');
    if (!table || !heading || table.getAttribute('aria-busy') === 'true') return null;
    const open = table.querySelectorAll('[aria-expanded=true]').length;
    const rows = Number(table.getAttribute('aria-rowcount')) - 1 - open;
    return { heading: Number(heading[1]?.replaceAll(',', '')), rows };
  }, title);

let at = 0;
/** Moves the pointer a little among the rows at that height, to another place than the last one. */
async function move(page: Page, y: number): Promise<void> {
  at += 1;
  await page.mouse.move(500 + (at % 40), y);
}

const TITLE = 'Top Movers under $1';
/** More than the first part of a market brings. */
const MANY = 220;
/** Where the pointer is among the rows. */
const Y = 480;

const { stage, page } = await openStory(openFedStage(movers(MANY)), '/calls');

const codesOf = async (page: Page): Promise<string[]> =>
  (await shownRows(grid(page, TITLE))).map(({ id }) => id);

let order = 0;
/** Feeds another order of the ten first rows. @returns the code of the stock that is first then */
async function turn(): Promise<string> {
  order += 1;
  const codes = Array.from({ length: 10 }, (_, index) => codeOfMover((index + order) % 10));
  await feed(stage.url, ...codes.map((code, place) => mover(code, (MANY + 20 - place) * 3 + order)));
  return codes[0] ?? '';
}

const isOnTop = (page: Page, code: string): Promise<void> =>
  until(`${code} is the first row`, async () => (await codesOf(page))[0] === code);

describe('a table under a pointer', () => {
  test('that moves while it loads shows all its rows, and its heading never counts others', async () => {
    await move(page, Y);
    await page.goto(`${stage.url}/#/intra-day-small`);
    await page.reload({ waitUntil: 'commit' });
    await until('the whole table', async () => {
      await move(page, Y);
      const seen = await counts(page, TITLE).catch(() => null);
      if (seen) expect(seen.heading).toBe(seen.rows);
      return seen?.rows === MANY;
    });
  });
});

describe('a table with an open row', () => {
  test('keeps it under the eye, and orders the others', async () => {
    const code = (await codesOf(page))[9] ?? '';
    const row = grid(page, TITLE).locator(`tr[data-id="${code}"]`);
    await row.locator('.expander').click();
    await row.locator('.expander[aria-expanded=true]').waitFor();
    await page.mouse.move(500, 5);
    const place = await row.boundingBox();
    for (const _ of [1, 2]) {
      const first = await turn();
      if (first !== code) await isOnTop(page, first);
      await until('it is where it was', async () => Bun.deepEquals(await row.boundingBox(), place));
    }
    expect(await row.locator('.expander').getAttribute('aria-expanded')).toBe('true');
    await row.locator('.expander').click();
  });
});
