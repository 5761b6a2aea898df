import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { FED, feed } from '../support/fedMarket.ts';
import { codeOfMover, movers } from '../support/fedMovers.ts';
import { hasFocus, nextRow } from '../support/focus.ts';
import { endQuietly, openStage, type Stage, until, type Visitor } from '../support/stage.ts';

const COUNT = 220;

let stage: Stage;
let visitor: Visitor;
let page: Page;
beforeAll(async () => {
  stage = await openStage(FED);
  await feed(stage.url, ...movers(COUNT));
  visitor = await stage.visit('/intra-day-small');
  page = visitor.page;
  await until('the market is there', async () => (await drawn(page)).count === COUNT);
});
afterAll(() => endQuietly(stage, visitor));

const ROW = 28;
const HEADER = 30;

/** The places of the rows that are drawn, counted from 1 below the header, which of them is in sight, and how long the table is. */
const drawn = (page: Page) =>
  page.evaluate((header) => {
    const scroller = document.querySelector('.table-scroll');
    const frame = scroller?.getBoundingClientRect() ?? new DOMRect();
    const rows = [...document.querySelectorAll<HTMLElement>('.table-body > tr[data-id]')].map((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      const isInSight = bottom > frame.top + header && top < frame.top + (scroller?.clientHeight ?? 0);
      return { place: Number(row.ariaRowIndex) - 1, top: top - frame.top - header, isInSight };
    });
    const count = Number(document.querySelector('[role=grid]')?.getAttribute('aria-rowcount')) - 1;
    return { rows: rows.sort((a, b) => a.place - b.place), count };
  }, HEADER);

const scrollTo = (page: Page, top: number): Promise<void> =>
  page.locator('.table-scroll').evaluate((scroller, to) => {
    scroller.scrollTop = to;
  }, top);

/** The place of the row at the top of what is in sight. */
const topPlace = async (page: Page): Promise<number | undefined> =>
  (await drawn(page)).rows.find(({ isInSight }) => isInSight)?.place;

const untilTopIs = (page: Page, place: number): Promise<void> =>
  until(`row ${place} is at the top`, async () => (await topPlace(page)) === place);

test('a long table draws what is in sight, wherever it is scrolled to', async () => {
  await scrollTo(page, 50 * ROW);
  await untilTopIs(page, 51);
  const { rows } = await drawn(page);
  expect(rows.length).toBeLessThan(60);
  const inSight = rows.filter(({ isInSight }) => isInSight);
  expect(inSight[0]?.top).toBe(0);
  expect(inSight.map(({ place }) => place)).toEqual(inSight.map((_, index) => 51 + index));

  // The keyboard brings the last row into sight, and the first again.
  await scrollTo(page, 0);
  await untilTopIs(page, 1);
  await nextRow(page, 'j');
  await page.keyboard.press('End');
  await until('the last row is in sight', async () => {
    const now = await drawn(page);
    return now.rows.findLast(({ isInSight }) => isInSight)?.place === COUNT;
  });
  await hasFocus('the last row', page.locator(`tr[data-id="${codeOfMover(COUNT - 1)}"]`));
  await page.keyboard.press('Home');
  await untilTopIs(page, 1);
});

test('what is in sight stays there when a panel above it becomes taller', async () => {
  await page.locator('tr[data-id] .expander').first().click();
  // No minute of a stock that was fed once is known.
  await page.getByText('minute bars of M000 are not known').waitFor();
  const panel = page.locator('.table-detail');
  let height = 0;
  // Its row and the panel, which grows as its parts come in, are above what is in sight, and are still drawn.
  await until('row 4 is at the top', async () => {
    height = await panel.evaluate((element) => element.clientHeight);
    await scrollTo(page, ROW + height + 1 + ROW);
    return (await topPlace(page)) === 4;
  });
  const topOf = async (place: number) => (await drawn(page)).rows.find((row) => row.place === place)?.top;
  const before = await topOf(6);
  await panel.locator('.table-detail-content').evaluate((content) => {
    content.style.paddingBottom = '200px';
  });
  const scrolled = () => page.locator('.table-scroll').evaluate((scroller) => scroller.scrollTop);
  await until('the table was scrolled along', async () => (await scrolled()) > ROW + height + ROW + 150);
  await until('row 6 is where it was', async () => (await topOf(6)) === before);
});
