import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { fromSydney } from '../../src/market/rules/sydneyTime.ts';
import { post, temporaryFolder } from '../support/executable.ts';
import { createListings } from '../../src/sources/quotes/simulator/listings.ts';
import { FED, feed } from '../support/fedMarket.ts';
import { codeOfMover, mover, movers } from '../support/fedMovers.ts';
import { recordFile } from '../support/recordedFile.ts';
import {
  expectQuiet,
  grid,
  openStage,
  picture,
  shownNumber,
  shownRows,
  type Stage,
  until,
  type Visitor,
} from '../support/stage.ts';

const TITLE = 'Top Movers under $1';
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
/** More than the first part of a market brings. */
const MANY = 220;

let stage: Stage;
let desk: Visitor;
let phone: Visitor;
beforeAll(async () => {
  stage = await openStage(FED);
  await feed(stage.url, ...movers(MANY));
  // Nothing is held for the first seconds of a table: they pass while the desk's stories are told.
  phone = await stage.visit('/intra-day-small', { browser: PHONE });
  desk = await stage.visit('/calls');
});
afterAll(() => stage?.close());

/** What a table's heading counts, and how many rows the table has, at one moment; null while it loads. */
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

const codesOf = async (page: Page): Promise<string[]> =>
  (await shownRows(grid(page, TITLE))).map(({ id }) => id);
const chip = (page: Page) => page.getByRole('button', { name: /^Paused/ });

let at = 0;
/** Moves the pointer a little among the rows. */
async function move(page: Page, y = 480): Promise<void> {
  at += 1;
  await page.mouse.move(500 + (at % 40), y);
}

type Moving = Window & { moving?: ReturnType<typeof setInterval> };
/** Moves the pointer among the rows without a rest, however long the story takes between its steps. */
const keepMoving = (page: Page): Promise<void> =>
  page.evaluate(() => {
    let step = 0;
    const move = () => {
      step += 1;
      const [clientX, clientY] = [500 + (step % 40), 480];
      const moved = new PointerEvent('pointermove', {
        clientX,
        clientY,
        bubbles: true,
        pointerType: 'mouse',
      });
      document.elementFromPoint(clientX, clientY)?.dispatchEvent(moved);
    };
    const here = window as Moving;
    clearInterval(here.moving);
    here.moving = setInterval(move, 100);
  });
const stopMoving = (page: Page): Promise<void> =>
  page.evaluate(() => clearInterval((window as Moving).moving));

let isDown = false;
/** A finger goes up or down the rows. At once, as one that stays in a place for long asks for a menu. */
async function swipe(page: Page): Promise<void> {
  isDown = !isDown;
  const touch = await page.context().newCDPSession(page);
  const at = (step: number) => ({ x: 300, y: 500 + (isDown ? -20 : 20) * step });
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints });
  await Promise.all([
    send('touchStart', at(0)),
    ...[1, 2, 3].map((step) => send('touchMove', at(step))),
    send('touchEnd'),
  ]);
  await touch.detach();
}

/** Where it is at this moment; null when it is not there. */
const boxOf = async (one: Locator) => {
  const [box] = await one.evaluateAll((elements) =>
    elements.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x, y, width, height };
    }),
  );
  return box ?? null;
};

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
    const { page } = desk;
    await move(page);
    await page.goto(`${stage.url}/#/intra-day-small`);
    await page.reload({ waitUntil: 'commit' });
    await until('the whole table', async () => {
      await move(page);
      const seen = await counts(page, TITLE).catch(() => null);
      if (seen) expect(seen.heading).toBe(seen.rows);
      return seen?.rows === MANY;
    });
  });

  test('that is parked there is ordered anew as if there were none', async () => {
    const { page } = desk;
    for (const _ of [1, 2]) await isOnTop(page, await turn());
    await chip(page).waitFor({ state: 'detached' });
  });
});

describe('a table with an open row', () => {
  test('keeps it under the eye, and orders the others', async () => {
    const { page } = desk;
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
    await picture(page, 'paused-near-open-row');
    await row.locator('.expander').click();
  });
});

describe('a table that is used', () => {
  test('keeps its places, says what it keeps back beside the cells, and goes on with a key', async () => {
    const { page } = desk;
    await keepMoving(page);
    await until('it says that it keeps something back', async () => {
      await turn();
      return (await chip(page).count()) === 1;
    });
    const held = await codesOf(page);
    const [button, frame] = await Promise.all([
      chip(page).boundingBox(),
      page.locator('.table-frame').first().boundingBox(),
    ]);
    if (!button || !frame) throw new Error('There is no chip, or no table.');
    expect(button.y + button.height).toBeLessThanOrEqual(frame.y);
    const texts = () => grid(page, TITLE).locator('tr[data-id]').allTextContents();
    const before = (await texts()).join();
    const next = await turn();
    await until('their numbers go on', async () => (await texts()).join() !== before);
    expect((await codesOf(page)).slice(0, 10)).toEqual(held.slice(0, 10));
    await picture(page, 'paused');
    await stopMoving(page);
    await page.keyboard.press('.');
    await chip(page).waitFor({ state: 'detached' });
    await isOnTop(page, next);
    await desk.context.close();
    expectQuiet(stage, desk);
  });

  test('by a finger, has the chip in the heading line of a phone, where it can be touched', async () => {
    const { page } = phone;
    await until('a touch of the chip ends the pause', async () => {
      await swipe(page);
      await turn();
      const box = await boxOf(chip(page));
      if (box === null) return false;
      expect(box.x + box.width).toBeLessThanOrEqual(390);
      await picture(page, 'paused-phone');
      await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
      return (await chip(page).count()) === 0;
    });
    await phone.context.close();
    expectQuiet(stage, phone);
  });
});

describe('through the open', () => {
  const DATE = '2026-01-19';
  let folder: string;
  let open: Stage;
  beforeAll(async () => {
    folder = await temporaryFolder();
    const path = join(folder, 'open.bellbird');
    const [from, end] = [fromSydney(DATE, 9, 59), fromSydney(DATE, 10, 1)];
    const codes = new Set(Array.from(createListings().slice(0, 120), ({ code }) => code));
    await recordFile({ path, from, until: end, stepMs: 2000, codes });
    // It all but stands until the page is there.
    const env = { BELLBIRD_FEED: 'replay', BELLBIRD_REPLAY_FILE: path, BELLBIRD_REPLAY_SPEED: '0.01' };
    open = await openStage(env);
  });
  afterAll(async () => {
    await open?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('the pre-open rows go though the pointer never rests, and the heading says so', async () => {
    const visitor = await open.visit('/pre-market');
    const { page } = visitor;
    await grid(page, 'Live Pre-Open').locator('tr[data-id]').first().waitFor();
    expect((await post(`${open.url}/api/replay/speed`, { speed: 60 })).status).toBe(200);
    await until('no pre-open row is left', async () => {
      // Over the first rows, where the live table stays when the other comes below it.
      await move(page, 215);
      const seen = await counts(page, 'Live Pre-Open');
      if (seen) expect(seen.heading).toBe(seen.rows);
      return seen === null;
    });
    const snapshot = grid(page, 'Pre-Open Snapshot');
    await snapshot.locator('tr[data-id]').first().waitFor();
    const [first] = await shownRows(snapshot);
    expect(shownNumber(first?.cells['Gap %'])).toBeGreaterThan(0);
    await page.getByText(/^The market opened at 09:59:[45]\d$/).waitFor();
    await page.getByText('No results yet').waitFor();
    await grid(page, 'Live Pre-Open').waitFor({ state: 'detached' });
    // Exactly: from 10:00 on the offer at the top, whose words hold these, is there too.
    await page.getByRole('link', { name: 'Go to Intraday', exact: true }).click();
    await grid(page, TITLE).locator('tr[data-id]').first().waitFor();
    await visitor.context.close();
    expectQuiet(open, visitor);
  });
});
