import { describe, expect, test } from 'bun:test';
import { feed } from '../support/fedMarket.ts';
import { codeOfMover, mover, movers } from '../support/fedMovers.ts';
import { grid, openFedFixture, openVisit } from '../support/fixture.ts';

const COUNT = 40;

const { fixture, page } = await openVisit(openFedFixture(movers(COUNT)), '/intra-day-small');
await grid(page, 'Top Movers under $1').locator('tr[data-id]').nth(9).waitFor();

/** A cell whose number went up or down at the tick that started a flash, with its tint at the centre of its area. */
type Flashed = { code: string; place: number; moved: 'up' | 'down'; tint: 'up' | 'down' | null };
type Frozen = { opacity: number; cells: Flashed[] };

let isOdd = false;
/** Moves the first ten stocks alternately up and down, which does not change the order. */
async function moveStocks(): Promise<void> {
  isOdd = !isOdd;
  const moved = Array.from({ length: 10 }, (_, index) =>
    mover(codeOfMover(index), (COUNT - index) * 3 + ((index % 2 === 0) === isOdd ? 1 : -1)),
  );
  await feed(fixture.url, ...moved);
}

/**
 * Changes numbers, stops their flash `at` ms after its start and checks the cells whose text changed, also after scrolling down by `scrollBy` px.
 */
async function freezeFlash(at: number, scrollBy = 0): Promise<Frozen> {
  await page.evaluate(watchForFlash, [at, scrollBy] as const);
  await moveStocks();
  const frozen = await page.evaluate(() => (window as Watching).frozen);
  if (!frozen || frozen.cells.length === 0) throw new Error('No number changed.');
  return frozen;
}

type Watching = Window & { frozen?: Promise<Frozen> };

/** Runs in the page and returns as soon as it observes; the result is promised in `window.frozen`. */
function watchForFlash([time, distance]: readonly [number, number]): void {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const svg = document.querySelector<SVGSVGElement>('.table-tints');
  if (!svg) throw new Error('There is no place for tints.');
  const numbers = () =>
    new Map(
      [...document.querySelectorAll<HTMLElement>('tr[data-id]')].flatMap((row) =>
        [...row.querySelectorAll('.is-number')].map((cell) => {
          const value = Number((cell.textContent ?? '').replaceAll('−', '-').replaceAll(/[^\d.-]/g, ''));
          return [cell, { code: row.dataset.id ?? '', value }] as const;
        }),
      ),
    );
  const tintOf = (cell: Element) => {
    const { left, top, width, height } = cell.getBoundingClientRect();
    const point = new DOMPoint(left + width / 2, top + height / 2).matrixTransform(
      svg.getScreenCTM()?.inverse(),
    );
    return (['up', 'down'] as const).find((change) =>
      svg.querySelector<SVGPathElement>(`.table-tints-${change}`)?.isPointInFill(point),
    );
  };
  const before = numbers();
  // In the moment in which a tick is drawn: on a busy page the next frame would be too late.
  const begun = new Promise<Animation>((found) => {
    const watch = new MutationObserver(() => {
      const flash = svg.getAnimations().find(({ playState }) => playState === 'running');
      if (!flash) return;
      watch.disconnect();
      found(flash);
    });
    watch.observe(svg, { attributes: true, subtree: true });
  });
  const check = async (): Promise<Frozen> => {
    const flash = await begun;
    flash.pause();
    flash.currentTime = time;
    const now = numbers();
    // A pinned cell has its own tint, which a timer removes even while the animation is stopped.
    const ownTints = new Map([...now.keys()].map((cell) => [cell, cell.getAttribute('data-flash')]));
    if (distance !== 0) document.querySelector('.table-scroll')?.scrollBy(0, distance);
    await frame();
    await frame();
    const cells = [...now].flatMap(([cell, { code, value }]) => {
      const old = before.get(cell);
      if (!old || old.code !== code || old.value === value) return [];
      const place = [...(cell.parentElement?.children ?? [])].indexOf(cell);
      const own = ownTints.get(cell);
      const moved: 'up' | 'down' = value > old.value ? 'up' : 'down';
      const tint = own === 'up' || own === 'down' ? own : (tintOf(cell) ?? null);
      return [{ code, place, moved, tint }];
    });
    const opacity = Number(getComputedStyle(svg).opacity);
    flash.finish();
    return { opacity, cells };
  };
  (window as Watching).frozen = check();
}

const directions = (cells: readonly Flashed[]) => cells.map(({ moved }) => moved);
const tints = (cells: readonly Flashed[]) => cells.map(({ tint }) => tint);

describe('a changed number', () => {
  test('is tinted in its direction, and the tint fades in four steps', async () => {
    for (const [at, opacity] of [
      [0, 1],
      [151, 0.75],
      [451, 0.25],
    ] as const) {
      const frozen = await freezeFlash(at);
      expect(frozen.opacity).toBeCloseTo(opacity, 2);
      // Change, Last and Pips of ten stocks, half of which went up.
      expect(frozen.cells).toHaveLength(30);
      expect(directions(frozen.cells).filter((moved) => moved === 'up')).toHaveLength(15);
      expect(tints(frozen.cells)).toEqual(directions(frozen.cells));
    }
  });

  test('keeps its tint behind it when the table is scrolled', async () => {
    const { cells } = await freezeFlash(10, 37);
    expect(tints(cells)).toEqual(directions(cells));
    await page.locator('.table-scroll').evaluate((scroller) => scroller.scrollTo(0, 0));
  });
});

test('a changed number on a phone is also tinted in a pinned column, which hides what slides under it', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator('tr[data-id] > .is-pinned.is-number').first().waitFor();
  await page.locator('.table-scroll').evaluate((scroller) => scroller.scrollTo(140, 0));
  const grounds = await page.locator('tr[data-id] > .is-pinned').evaluateAll((cells) =>
    cells.map((cell) => {
      const { backgroundColor, opacity, position } = getComputedStyle(cell);
      return `${position} ${opacity} ${/\/|rgba|transparent/.test(backgroundColor)}`;
    }),
  );
  expect(new Set(grounds)).toEqual(new Set(['sticky 1 false']));
  const METRIC = 2;
  const { cells } = await freezeFlash(10);
  const pinned = cells.filter(({ place }) => place === METRIC);
  expect(pinned.length).toBeGreaterThan(0);
  expect(tints(pinned)).toEqual(directions(pinned));
});
