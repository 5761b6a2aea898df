import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '#support/browser.ts';
import { percentile, type Row } from './row.ts';
import { agGridFiles } from './support/agGridFiles.ts';
import { COMMITTED, startTrace, type TickCost, tickCosts } from './support/mainThread.ts';
import { BENCH_NOW } from './support/market.ts';
import {
  createScannerMarket,
  type ScannerMarket,
  type ScannerFixture,
  startScannerFixture,
} from './support/scannerFixture.ts';

const STOCKS = 2000;
const SHOWN = 700;
const CHANGED = 600;
const ROUNDS = 2;
const TICKS = 15;
const TICK_MS = 1000;
const FRAME_LIMIT_MS = 8;
const WARM_UP = 3;

/** Which stocks change: any in the market, or only those among the rows shown. */
const SPREADS = { spread: 'all', packed: 'shown' } as const;
type Spread = keyof typeof SPREADS;
const WHAT: Readonly<Record<Spread, string>> = {
  spread: `${CHANGED} of ${STOCKS} stocks change`,
  packed: `all ${CHANGED} changes in visible rows`,
};

/** Allowed shares of AG Grid's time. */
const SHARES: Readonly<Record<'tick' | 'second', Readonly<Record<Spread, number>>>> = {
  tick: { spread: 0.5, packed: 0.5 },
  second: { spread: 0.3, packed: 0.16 },
};

type TablePage = { name: string; path: string; body: string };
const BELLBIRD: TablePage = { name: 'Bellbird', path: '/#/intra-day-small', body: 'tbody' };
const AG_GRID: TablePage = { name: 'AG Grid', path: '/local/agGrid.html', body: '#grid' };

type Costs = Record<Spread, TickCost[]>;

/**
 * Measures the cost of a tick in Chromium: 700 rows under $1, 600 of 2,000 stocks changing each second, unthrottled.
 * Compares the product's page with a page of the same columns in AG Grid Community. The pages take turns, so that a
 * busy machine affects both.
 */
export async function run(): Promise<Row[]> {
  const fixture = await startScannerFixture(BENCH_NOW, await agGridFiles());
  const market = createScannerMarket(STOCKS, SHOWN);
  fixture.tick(market.listings);
  const browser = await launchBrowser();
  try {
    const ours: Costs = { spread: [], packed: [] };
    const theirs: Costs = { spread: [], packed: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      await measurePage(browser, fixture, market, BELLBIRD, ours);
      await measurePage(browser, fixture, market, AG_GRID, theirs);
    }
    const frames = await onPage(browser, fixture, BELLBIRD, (page) => measureScroll(page, fixture, market));
    return [
      frameRow('spread', ours),
      frameRow('packed', ours),
      ratioRow('tick', 'spread', ours, theirs),
      ratioRow('tick', 'packed', ours, theirs),
      ratioRow('second', 'spread', ours, theirs),
      ratioRow('second', 'packed', ours, theirs),
      {
        what: `Scrolling ${SHOWN} rows while ${CHANGED} stocks change each second`,
        measured: `${frames.perSecond.toFixed(0)} frames/s, frame p50 ${frames.p50.toFixed(1)} ms, p95 ${frames.p95.toFixed(1)} ms`,
        target: '60 frames/s',
        ok: frames.perSecond >= 58,
      },
    ];
  } finally {
    await browser.close();
    await fixture.stop();
  }
}

const share = (costs: readonly TickCost[], kind: keyof TickCost, of: number): number =>
  percentile(
    costs.map((cost) => cost[kind]),
    of,
  );

function frameRow(spread: Spread, costs: Costs): Row {
  const of = (kind: keyof TickCost, part: number): number => share(costs[spread], kind, part);
  const p95 = of('frame', 0.95);
  return {
    what: `Main-thread time per tick until the frame is done, ${SHOWN} rows, ${WHAT[spread]} (${costs[spread].length} ticks)`,
    measured: `median ${of('frame', 0.5).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms CPU time (wall time ${of('wall', 0.5).toFixed(1)} and ${of('wall', 0.95).toFixed(1)} ms)`,
    target: `p95 ≤ ${FRAME_LIMIT_MS} ms`,
    ok: p95 <= FRAME_LIMIT_MS,
  };
}

const PERIODS = {
  tick: 'from message to 100 ms after the change',
  second: 'per second, including fading flashes',
} as const;

function ratioRow(kind: 'tick' | 'second', spread: Spread, ours: Costs, theirs: Costs): Row {
  const own = share(ours[spread], kind, 0.5);
  const other = share(theirs[spread], kind, 0.5);
  const limit = SHARES[kind][spread];
  return {
    what: `Main-thread time ${PERIODS[kind]}, compared with AG Grid Community, ${WHAT[spread]}`,
    measured: `median ${own.toFixed(1)} ms CPU time, AG Grid ${other.toFixed(1)} ms: ${(own / other).toFixed(2)} ×`,
    target: `≤ ${limit} ×`,
    ok: own <= limit * other,
  };
}

async function onPage<T>(
  browser: Browser,
  fixture: ScannerFixture,
  { path }: TablePage,
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript((token) => {
    localStorage.setItem('accessToken', token);
    localStorage.setItem('accessLevel', '1');
  }, fixture.accessToken);
  const page = await context.newPage();
  await page.goto(`${fixture.url}${path}`);
  await page.waitForFunction(
    (text) => document.title === text || document.body.innerText.includes(text),
    `${SHOWN} stocks`,
  );
  try {
    return await work(page);
  } finally {
    await context.close();
  }
}

function measurePage(
  browser: Browser,
  fixture: ScannerFixture,
  market: ScannerMarket,
  table: TablePage,
  costs: Costs,
): Promise<void> {
  return onPage(browser, fixture, table, async (page) => {
    await markCommits(page, table.body);
    for (const spread of ['spread', 'packed'] as const) {
      const measured = await measureTicks(page, () => fixture.tick(market.trades(CHANGED, SPREADS[spread])));
      if (measured.length < TICKS * 0.8)
        throw new Error(`Only ${measured.length} of ${TICKS} ticks reached the page of ${table.name}.`);
      costs[spread].push(...measured);
    }
  });
}

const markCommits = (page: Page, selector: string): Promise<void> =>
  page.evaluate(
    ([name, where]) => {
      const body = document.querySelector(where);
      if (!body) throw new Error('The page shows no table.');
      // Flashes are attributes, so only text and rows count as a tick.
      new MutationObserver(() => performance.mark(name)).observe(body, {
        characterData: true,
        childList: true,
        subtree: true,
      });
    },
    [COMMITTED, selector] as const,
  );

async function measureTicks(page: Page, tick: () => void): Promise<TickCost[]> {
  const session = await page.context().newCDPSession(page);
  let next = performance.now();
  const onTime = async (): Promise<void> => {
    tick();
    next += TICK_MS;
    await Bun.sleep(Math.max(0, next - performance.now()));
  };
  for (let count = 0; count < WARM_UP; count += 1) await onTime();
  const trace = await startTrace(session);
  next = performance.now() + TICK_MS / 2;
  await Bun.sleep(TICK_MS / 2);
  for (let count = 0; count < TICKS; count += 1) await onTime();
  const costs = tickCosts(await trace.stop());
  await session.detach();
  return costs;
}

type Frames = { perSecond: number; p50: number; p95: number };

async function measureScroll(page: Page, fixture: ScannerFixture, market: ScannerMarket): Promise<Frames> {
  const ticking = setInterval(() => fixture.tick(market.trades(CHANGED, 'all')), TICK_MS);
  try {
    const session = await page.context().newCDPSession(page);
    await page.evaluate(() => {
      const times: number[] = [];
      const frame = (time: number) => {
        times.push(time);
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
      Object.assign(window, { frameTimes: times });
    });
    for (const yDistance of [-9000, 9000]) {
      await session.send('Input.synthesizeScrollGesture', { x: 700, y: 500, yDistance, speed: 3000 });
    }
    const times = await page.evaluate(() => (window as unknown as { frameTimes: number[] }).frameTimes);
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
    const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
    return {
      perSecond: (gaps.length / span) * 1000,
      p50: percentile(gaps, 0.5),
      p95: percentile(gaps, 0.95),
    };
  } finally {
    clearInterval(ticking);
  }
}
