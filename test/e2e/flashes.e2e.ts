import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { expectQuiet, grid, type Stage } from '../support/stage.ts';
import { openTradingStage } from '../support/tradingStage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openTradingStage();
});
afterAll(() => stage?.close());

const TITLE = 'Top Movers under $1';
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** Totals and ratios, which do not flash. */
const STILL = ['$ Traded', 'Rel Vol'];

/** A cell of a column that flashes, whose number went up or down at the tick that began a flash, and how it is tinted: in the middle of its area. */
type Flashed = { code: string; place: number; moved: 'up' | 'down'; tint: 'up' | 'down' | null };
type Frozen = { opacity: number; cells: Flashed[] };

/**
 * Waits for a tick that changes numbers, stops its flash so many ms after its beginning and looks at the cells whose
 * text changed, their row staying where it was; again after scrolling down so many px. A tick that moved every row tells
 * nothing: then it waits for the next.
 */
async function freezeFlash(page: Page, at: number, scrollBy = 0): Promise<Frozen> {
  for (;;) {
    const frozen = await freezeNext(page, at, scrollBy);
    if (frozen.cells.length > 0) return frozen;
  }
}

const freezeNext = (page: Page, at: number, scrollBy: number): Promise<Frozen> =>
  page.evaluate(
    async ([time, distance, still]) => {
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      const svg = document.querySelector<SVGSVGElement>('.table-tints');
      if (!svg) throw new Error('There is no place for tints.');
      const headings = [...document.querySelectorAll('[role=columnheader]')];
      const flashes = (cell: Element) => {
        const place = [...(cell.parentElement?.children ?? [])].indexOf(cell);
        return !still.some((label) => headings[place]?.textContent?.includes(label));
      };
      const running = () => svg.getAnimations().find(({ playState }) => playState === 'running');
      const numbers = () =>
        new Map(
          [...document.querySelectorAll<HTMLElement>('tr[data-id]')].flatMap((row) =>
            [...row.querySelectorAll('.is-number')].filter(flashes).map((cell) => {
              const value = Number((cell.textContent ?? '').replaceAll('−', '-').replaceAll(/[^\d.-]/g, ''));
              return [cell, { code: row.dataset.id ?? '', value }] as const;
            }),
          ),
        );
      while (running()) await frame();
      let before = numbers();
      while (!running()) {
        before = numbers();
        await frame();
      }
      const now = numbers();
      // A pinned cell has its tint itself, and loses it by a timer that stands still for nobody.
      const ownTints = new Map([...now.keys()].map((cell) => [cell, cell.getAttribute('data-flash')]));
      const flash = running();
      flash?.pause();
      if (flash) flash.currentTime = time;
      const scroller = document.querySelector('.table-scroll');
      if (distance !== 0) scroller?.scrollBy(0, distance);
      await frame();
      await frame();
      const tintOf = (cell: Element) => {
        const { left, top, width, height } = cell.getBoundingClientRect();
        const point = new DOMPoint(left + width / 2, top + height / 2).matrixTransform(
          svg.getScreenCTM()?.inverse(),
        );
        return (['up', 'down'] as const).find((change) =>
          svg.querySelector<SVGPathElement>(`.table-tints-${change}`)?.isPointInFill(point),
        );
      };
      const cells = [...now].flatMap(([cell, { code, value }]) => {
        const old = before.get(cell);
        if (!old || old.code !== code || old.value === value || !cell.isConnected) return [];
        if (cell.closest('tr')?.dataset.id !== code) return [];
        const place = [...(cell.parentElement?.children ?? [])].indexOf(cell);
        const own = ownTints.get(cell);
        const moved: 'up' | 'down' = value > old.value ? 'up' : 'down';
        const tint = own === 'up' || own === 'down' ? own : (tintOf(cell) ?? null);
        return [{ code, place, moved, tint }];
      });
      const opacity = Number(getComputedStyle(svg).opacity);
      flash?.finish();
      return { opacity, cells };
    },
    [at, scrollBy, STILL] as const,
  );

/** More stocks than the first part of the market brings to the table. */
const WHOLE = 300;
const WHOLE_LARGE_CAP = 100;

/** Until the whole market is there: what comes after its first part changes numbers without a flash. */
async function wholeMarket(page: Page, title: string, count: number): Promise<void> {
  await grid(page, title).locator('tr[data-id]').nth(3).waitFor();
  await page.waitForFunction(
    (least) => Number(/(\d+) stocks/.exec(document.body.innerText)?.[1]) > least,
    count,
  );
}

/** Rows stay where they are while the pointer moves over them, from the time when the whole market is there. */
async function holdOrder(page: Page): Promise<void> {
  await wholeMarket(page, TITLE, WHOLE);
  let isEven = false;
  const moving = setInterval(() => {
    isEven = !isEven;
    page.mouse.move(500, isEven ? 500 : 501).catch(() => {});
  }, 1000);
  page.once('close', () => clearInterval(moving));
}

const directions = (cells: readonly Flashed[]) => cells.map(({ moved }) => moved);
const tints = (cells: readonly Flashed[]) => cells.map(({ tint }) => tint);

describe('a changed number', () => {
  test('is tinted in its direction, and the tint fades in four steps', async () => {
    const visitor = await stage.visit('/intra-day-small');
    await holdOrder(visitor.page);
    for (const [at, opacity] of [
      [0, 1],
      [149, 1],
      [151, 0.75],
      [301, 0.5],
      [451, 0.25],
    ] as const) {
      const frozen = await freezeFlash(visitor.page, at);
      expect(frozen.opacity).toBeCloseTo(opacity, 2);
      expect(tints(frozen.cells)).toEqual(directions(frozen.cells));
    }
    await visitor.context.close();
    expectQuiet(stage, visitor);
  });

  test('keeps its tint under it when the table is scrolled', async () => {
    const visitor = await stage.visit('/intra-day-small');
    await holdOrder(visitor.page);
    const { cells } = await freezeFlash(visitor.page, 10, 37);
    expect(tints(cells)).toEqual(directions(cells));
    await visitor.context.close();
    expectQuiet(stage, visitor);
  });

  test('keeps its full tint for its time where less motion is asked for', async () => {
    const visitor = await stage.visit('/intra-day-small', { browser: { reducedMotion: 'reduce' } });
    await holdOrder(visitor.page);
    for (const at of [10, 590]) {
      const { opacity, cells } = await freezeFlash(visitor.page, at);
      expect(opacity).toBe(1);
      expect(tints(cells)).toEqual(directions(cells));
    }
    await visitor.context.close();
    expectQuiet(stage, visitor);
  });

  test('has no tint in high contrast, where the texts say all', async () => {
    const visitor = await stage.visit('/intra-day-small', { browser: { forcedColors: 'active' } });
    await holdOrder(visitor.page);
    expect(await visitor.page.locator('.table-tints').isVisible()).toBe(false);
    await visitor.context.close();
    expectQuiet(stage, visitor);
  });

  test('is tinted also in a pinned column, which hides what slides below it', async () => {
    // Of the largest companies one or another trades in every second.
    const visitor = await stage.visit('/intra-day-large-cap', { browser: PHONE });
    const { page } = visitor;
    await wholeMarket(page, 'Top Movers Large Cap', WHOLE_LARGE_CAP);
    await page.locator('.table-scroll').evaluate((scroller) => scroller.scrollTo(140, 0));
    const grounds = await page.locator('tr[data-id] > .is-pinned').evaluateAll((cells) =>
      cells.map((cell) => {
        const { backgroundColor, opacity, position } = getComputedStyle(cell);
        return `${position} ${opacity} ${/\/|rgba|transparent/.test(backgroundColor)}`;
      }),
    );
    expect(new Set(grounds)).toEqual(new Set(['sticky 1 false']));
    const flashes: Flashed[] = [];
    const METRIC = 2;
    for (let tick = 0; tick < 20 && !flashes.some(({ place }) => place === METRIC); tick += 1) {
      // Rows stay where they are while keys are used among them.
      await page.keyboard.press(tick % 2 === 0 ? 'j' : 'k');
      flashes.push(...(await freezeFlash(page, 10)).cells);
    }
    const pinned = flashes.filter(({ place }) => place === METRIC);
    expect(pinned.length).toBeGreaterThan(0);
    expect(tints(pinned)).toEqual(directions(pinned));
    await visitor.context.close();
    expectQuiet(stage, visitor);
  });
});

describe('the texts of a table', () => {
  test('are copied as they stand, cell by cell', async () => {
    const visitor = await stage.visit('/intra-day-small');
    const { page } = visitor;
    await holdOrder(page);
    const { selected, plain } = await page.evaluate(() => {
      const [first, second] = document.querySelectorAll('tr[data-id]');
      if (!first || !second) throw new Error('There are no rows.');
      const read = (from: Element, to: Element) => {
        getSelection()?.setBaseAndExtent(from, 0, to, to.childNodes.length);
        return getSelection()?.toString();
      };
      const selected = read(first, second);
      // The same cells as any page would write them.
      const body = first.parentElement as Element;
      const copy = body.cloneNode(false) as Element;
      for (const row of [first, second]) {
        const line = copy.appendChild(row.cloneNode(true)) as Element;
        for (const cell of line.querySelectorAll('.is-number')) cell.innerHTML = cell.textContent ?? '';
      }
      body.after(copy);
      const plain = read(copy.firstElementChild as Element, copy.lastElementChild as Element);
      copy.remove();
      return { selected, plain };
    });
    expect(selected).toMatch(/\d\.\d{3}\D/);
    expect(selected).toBe(plain);
    await visitor.context.close();
    expectQuiet(stage, visitor);
  });

  test('are what a screen reader finds, and it finds nothing else', async () => {
    const visitor = await stage.visit('/intra-day-small');
    const { page } = visitor;
    await holdOrder(page);
    const tree = await page.locator('.table-scroll').ariaSnapshot();
    const row = grid(page, TITLE).locator('tr[data-id]').nth(1);
    const close = await row.locator('.is-number').nth(4).textContent();
    expect(close).toMatch(/^\d+\.\d{3}$/);
    expect(tree.split('\n')[0]).toContain(`grid "${TITLE}"`);
    expect(tree).toContain(`gridcell "${close}"`);
    expect(tree).not.toContain('img:');
    expect(await page.locator('.table-tints').ariaSnapshot()).toBe('');
    await visitor.context.close();
    expectQuiet(stage, visitor);
  });
});
