import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { codeOfMover, movers } from '../support/fedMovers.ts';
import { hasFocus, nextRow } from '../support/focus.ts';
import { openFedFixture, openVisit, until } from '../support/fixture.ts';

const COUNT = 220;

const { fixture, page } = await openVisit(openFedFixture(movers(COUNT)), '/intra-day-small');

const ROW = 28;
const HEADER = 30;

/** The numbers of the rendered rows, counted from 1 below the header, which of them are in sight, and the length of the table. */
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

/** The number of the first row in sight. */
const topPlace = async (page: Page): Promise<number | undefined> =>
  (await drawn(page)).rows.find(({ isInSight }) => isInSight)?.place;

const untilTopIs = (page: Page, place: number): Promise<void> =>
  until(`row ${place} is at the top`, async () => (await topPlace(page)) === place);

test('a long table renders what is in sight, wherever it is scrolled', async () => {
  await until('the market has loaded', async () => (await drawn(page)).count === COUNT);
  await scrollTo(page, 50 * ROW);
  await untilTopIs(page, 51);
  const { rows } = await drawn(page);
  expect(rows.length).toBeLessThan(60);
  const inSight = rows.filter(({ isInSight }) => isInSight);
  expect(inSight[0]?.top).toBe(0);
  expect(inSight.map(({ place }) => place)).toEqual(inSight.map((_, index) => 51 + index));

  // The keyboard scrolls the last row into sight, and the first again.
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

test('the visible rows stay in place when a panel above them grows', async () => {
  await page.locator('tr[data-id] .expander').first().click();
  // A stock that was fed once has no minute bars.
  await page.getByText('no minute bars of M000').waitFor();
  const panel = page.locator('.table-detail');
  let height = 0;
  // Its row and the panel, which grows as its parts load, are above the visible area but still rendered.
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
  await until('the table has scrolled', async () => (await scrolled()) > ROW + height + ROW + 150);
  await until('row 6 is in its old place', async () => (await topOf(6)) === before);
});

/** Whether a row, and its panel if there is one, are in sight, and their distance from the edges, in px. */
const placeOf = (page: Page, code: string) =>
  page.evaluate((id) => {
    const row = document.querySelector(`tr[data-id="${id}"]`)?.getBoundingClientRect();
    const panel = document.querySelector(`tr[data-detail="${id}"]`)?.getBoundingClientRect();
    const head = document.querySelector('.table-head')?.getBoundingClientRect();
    const scroller = document.querySelector('.table-scroll');
    if (!row || !head || !scroller) return null;
    const bottom = scroller.getBoundingClientRect().top + scroller.clientHeight;
    const nav = document.querySelector('nav')?.getBoundingClientRect();
    const end = nav && nav.top > window.innerHeight / 2 ? Math.min(bottom, nav.top) : bottom;
    const last = panel ?? row;
    return {
      above: row.top - head.bottom,
      below: end - last.bottom,
      panel: panel?.height ?? 0,
      room: end - head.bottom,
    };
  }, code);

async function jumpTo(page: Page, code: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Symbol, screen or action' }).fill(code);
  await page
    .getByRole('option', { name: new RegExp(`^${code}`) })
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
  await hasFocus(`the row of ${code}`, page.locator(`tr[data-id="${code}"]`));
}

const frames = (page: Page, count: number): Promise<void> =>
  page.evaluate(async (left) => {
    for (let frame = 0; frame < left; frame += 1) await new Promise(requestAnimationFrame);
  }, count);

const NARROW = { viewport: { width: 900, height: 844 } };

test('on a narrow screen a row scrolls into sight with its panel, however it was opened', async () => {
  const visitor = await fixture.visit('/intra-day-small', { browser: NARROW });
  const { page } = visitor;
  await until('the market has loaded', async () => (await drawn(page)).count === COUNT);
  const code = codeOfMover(150);
  await jumpTo(page, code);
  const panel = page.locator(`tr[data-detail="${code}"]`);
  await panel.getByText('minute bars of').waitFor();
  await until('its panel is in sight', async () => {
    const place = await placeOf(page, code);
    if (place === null || place.panel === 0) return false;
    const fits = place.panel + 50 < place.room;
    return place.above >= -1 && (fits ? place.below >= -1 : place.above < 60);
  });

  // Already open, and far away.
  await scrollTo(page, 0);
  await jumpTo(page, code);
  await until('row and panel are in sight again', async () => {
    const place = await placeOf(page, code);
    return (
      place !== null && place.panel > 100 && place.above >= -1 && (place.below >= -1 || place.above < 60)
    );
  });

  // A user who scrolls on is not moved, although the panel grows.
  await page.mouse.move(200, 500);
  await page.mouse.wheel(0, -150);
  const scrolled = () => page.locator('.table-scroll').evaluate((scroller) => scroller.scrollTop);
  let before = -1;
  await until('scrolling has stopped', async () => {
    const last = before;
    await frames(page, 10);
    before = await scrolled();
    return before === last;
  });
  await panel.locator('.table-detail-content').evaluate((content) => {
    content.style.paddingBottom = '150px';
  });
  await frames(page, 30);
  expect(await scrolled()).toBe(before);
  await visitor.leave();
});
