import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { expectQuiet, grid, openStage, picture, shownRows, type Stage, until } from '../support/stage.ts';

let stage: Stage;
beforeAll(async () => {
  // A fast day, so that places change often enough to be waited for also on a busy machine.
  stage = await openStage({ BELLBIRD_SIM_START: '10:40', BELLBIRD_SIM_SPEED: '4' });
});
afterAll(() => stage?.close());

const TITLE = 'Top Movers under $1';
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

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

const codesOf = async (page: Page, title = TITLE): Promise<string[]> =>
  (await shownRows(grid(page, title))).map(({ id }) => id);

const chip = (page: Page) => page.getByRole('button', { name: /^Paused/ });

/** Moves the pointer among the rows, again and again, until it is told to stop. */
function keepMoving(page: Page, y = 480): () => void {
  let isMoving = true;
  const move = async () => {
    for (let step = 0; isMoving; step += 1) {
      await page.mouse.move(500 + (step % 40), y);
      await Bun.sleep(100);
    }
  };
  void move().catch(() => {});
  return () => {
    isMoving = false;
  };
}

async function expectReordering(page: Page): Promise<void> {
  const before = (await codesOf(page)).join();
  await until('the rows are ordered anew', async () => (await codesOf(page)).join() !== before);
}

describe('a table under a pointer', () => {
  test('that is parked there is ordered anew as if there were none', async () => {
    const visitor = await stage.visit('/intra-day-small');
    const { page } = visitor;
    await grid(page, TITLE).locator('tr[data-id]').nth(3).waitFor();
    await page.mouse.move(500, 480);
    await Bun.sleep(3500);
    for (const _ of [1, 2, 3]) await expectReordering(page);
    expect(await chip(page).count()).toBe(0);
    await visitor.context.close();
    expectQuiet(stage, visitor);
  });

  test('that moves while it loads shows all its rows, and its heading never counts others', async () => {
    const visitor = await stage.visit('/calls');
    const { page } = visitor;
    await page.mouse.move(500, 480);
    await page.goto(`${stage.url}/#/intra-day-small`);
    await page.reload({ waitUntil: 'commit' });
    const stop = keepMoving(page);
    let whole = 0;
    await until('the whole table', async () => {
      const seen = await counts(page, TITLE).catch(() => null);
      if (seen) expect(seen.heading).toBe(seen.rows);
      whole = seen?.rows ?? 0;
      return whole > 300;
    });
    stop();
    await visitor.context.close();
    expectQuiet(stage, visitor);
  });

  test('that moves keeps its places, says what it keeps back beside the cells, and goes on with a key', async () => {
    const visitor = await stage.visit('/intra-day-small');
    const { page } = visitor;
    await until('the whole table', async () => ((await counts(page, TITLE))?.rows ?? 0) > 300);
    await Bun.sleep(3500);
    const stop = keepMoving(page);
    await chip(page).waitFor();
    const held = await codesOf(page);
    await Bun.sleep(2500);
    expect((await codesOf(page)).slice(0, 5)).toEqual(held.slice(0, 5));
    await picture(page, 'paused');
    const [button, frame] = await Promise.all([
      chip(page).boundingBox(),
      page.locator('.table-frame').first().boundingBox(),
    ]);
    if (!button || !frame) throw new Error('There is no chip, or no table.');
    expect(button.y + button.height).toBeLessThanOrEqual(frame.y);
    stop();
    await page.keyboard.press('.');
    await chip(page).waitFor({ state: 'detached' });
    // What was kept back may belong further down than the rows that are drawn; these follow with the next change.
    await until('the rows are ordered anew', async () => (await codesOf(page)).join() !== held.join());
    await visitor.context.close();
    expectQuiet(stage, visitor);
  });
});

describe('a table with an open row', () => {
  test('keeps it under the eye, and orders the others', async () => {
    const visitor = await stage.visit('/intra-day-small');
    const { page } = visitor;
    await until('the whole table', async () => ((await counts(page, TITLE))?.rows ?? 0) > 300);
    const rows = grid(page, TITLE).locator('tr[data-id]');
    await rows.nth(9).locator('.expander').click();
    // Whichever it is: places may have changed on the way to the click.
    const opened = grid(page, TITLE).locator('tr[data-id]:has(.expander[aria-expanded=true])');
    const code = await opened.getAttribute('data-id');
    const row = grid(page, TITLE).locator(`tr[data-id="${code}"]`);
    await page.mouse.move(500, 5);
    const place = await row.boundingBox();
    const isAlwaysThere = async () => {
      const { x, y } = (await row.boundingBox()) ?? { x: -1, y: -1 };
      expect({ x, y }).toEqual({ x: place?.x ?? 0, y: place?.y ?? 0 });
    };
    for (const _ of [1, 2, 3]) {
      await expectReordering(page);
      await isAlwaysThere();
    }
    expect(await row.locator('.expander').getAttribute('aria-expanded')).toBe('true');
    await picture(page, 'paused-near-open-row');
    await visitor.context.close();
    expectQuiet(stage, visitor);
  });
});

describe('through the open', () => {
  test('the pre-open rows go though the pointer never rests, and the heading says so', async () => {
    // Twenty seconds and more before it opens: the page must be there first, on a busy machine too.
    const open = await openStage({ BELLBIRD_SIM_START: '09:52', BELLBIRD_SIM_SPEED: '20' });
    try {
      const visitor = await open.visit('/pre-market');
      const { page } = visitor;
      await grid(page, 'Live Pre-Open').locator('tr[data-id]').first().waitFor();
      // Over the first rows, where the live table stays when the other comes below it.
      const stop = keepMoving(page, 215);
      await grid(page, 'Pre-Open Snapshot').locator('tr[data-id]').first().waitFor();
      await until('no pre-open row is left', async () => {
        const seen = await counts(page, 'Live Pre-Open');
        if (seen) expect(seen.heading).toBe(seen.rows);
        return seen === null;
      });
      await page.getByText(/^The market opened at 09:5\d|^The market opened at 10:0\d/).waitFor();
      expect(await page.getByText('No results yet').count()).toBe(1);
      stop();
      await visitor.context.close();
      expectQuiet(open, visitor);
    } finally {
      await open.close();
    }
  });
});

describe('on a phone', () => {
  test('the chip stands in the heading line and can be touched', async () => {
    const visitor = await stage.visit('/intra-day-small', { browser: PHONE });
    const { page } = visitor;
    await until('the whole table', async () => ((await counts(page, TITLE))?.rows ?? 0) > 300);
    await Bun.sleep(3500);
    await until('the chip is there while somebody goes on touching', async () => {
      if ((await chip(page).count()) === 1) return true;
      await page.touchscreen.tap(300, 500);
      await Bun.sleep(300);
      return false;
    });
    const box = await chip(page).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 400)).toBeLessThanOrEqual(390);
    await picture(page, 'paused-phone');
    await chip(page).tap();
    await chip(page).waitFor({ state: 'detached' });
    await visitor.context.close();
    expectQuiet(stage, visitor);
  });
});
