import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { rm } from 'node:fs/promises';
import { launchBrowser } from '#support/browser.ts';
import { startCounter } from '#support/byteCounter.ts';
import { startBellbird, temporaryFolder } from '#support/executable.ts';
import { seedSession, type Session, USUAL_WINDOW } from '#support/fixture.ts';
import { percentile, type Row } from './row.ts';
import { waitForMarket } from './support/waitForMarket.ts';

const LIMITS = { requests: 25, seconds: 2.7, shift: 0.02, firstRow: 180 };
const SLOWDOWN = 4;
const LOADS = 3;
const QUIET_MS = 1000;

const DESK: BrowserContextOptions = {};
const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
};

const ROW = 'main tr[data-id]';

/** What shows that a screen's main content is there. */
const SCREENS: Readonly<Record<string, string>> = {
  '/pre-market': ROW,
  '/intra-day-small': ROW,
  '/intra-day-mid-large': ROW,
  '/intra-day-large-cap': ROW,
  '/custom-scanner': ROW,
  '/fx-news': 'main tbody tr',
  '/calls': 'main tbody tr',
  '/watchlist': ROW,
  '/watchlist/alerts': 'main tbody tr',
  '/watchlist/triggers': 'main table',
  '/market': '.sector-tile, .sector-table',
  '/announcements': 'main tbody tr',
  '/chart?symbol=BHP': '.price-chart-canvas[data-drawn] canvas',
  '/settings': 'main section h2',
  '/admin': 'main section h2',
  '/login': 'main input',
};
const SCANNERS = Object.keys(SCREENS).slice(0, 5);

type Visit = { requests: number; bytes: number; shownMs: number; shift: number; firstRow: number };

type Seen = { shownMs: number; shift: number };

/** Notes in the page when the content is first painted, and how far the layout has shifted. */
function watch(content: string): void {
  const seen: Seen = { shownMs: 0, shift: 0 };
  Object.assign(window, { seen });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput } = entry as PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      };
      if (!hadRecentInput) seen.shift += value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
  const look = (): void => {
    if (document.querySelector(content) === null) requestAnimationFrame(look);
    else requestAnimationFrame(() => (seen.shownMs = performance.now()));
  };
  requestAnimationFrame(look);
}

const seenIn = (page: Page): Promise<Seen> => page.evaluate(() => (window as unknown as { seen: Seen }).seen);

type Place = { port: number; session: Session };

async function visit(
  browser: Browser,
  { port, session }: Place,
  route: string,
  window: BrowserContextOptions,
  slowdown = 1,
): Promise<Visit> {
  const counter = startCounter(port);
  const context = await browser.newContext({ ...USUAL_WINDOW, ...window });
  try {
    if (route !== '/login') {
      await context.addInitScript((stored) => Object.assign(localStorage, stored), session);
    }
    const content = SCREENS[route] ?? '';
    await context.addInitScript(watch, content);
    const page = await context.newPage();
    if (slowdown > 1) {
      const devtools = await context.newCDPSession(page);
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    }
    await page.goto(`http://127.0.0.1:${counter.port}/#${route}`, { waitUntil: 'commit' });
    await page.locator(content).first().waitFor();
    let requests = -1;
    while (requests !== counter.requests()) {
      requests = counter.requests();
      await Bun.sleep(QUIET_MS);
    }
    const box = await page.locator(content).first().boundingBox();
    return { ...(await seenIn(page)), requests, bytes: counter.received(), firstRow: box?.y ?? Infinity };
  } finally {
    await context.close();
    counter.stop();
  }
}

export async function run(loads = LOADS): Promise<Row[]> {
  const dataDir = await temporaryFolder();
  const env = { BELLBIRD_SIM_START: '11:00', BELLBIRD_TEST: '1' };
  const bellbird = await startBellbird({ dataDir, env });
  const browser = await launchBrowser();
  try {
    await waitForMarket(bellbird.url);
    const place = { port: bellbird.port, session: await seedSession(bellbird.url, 'admin-bench') };
    await visit(browser, place, '/admin', DESK);
    const rows: Row[] = [];
    for (const route of Object.keys(SCREENS)) {
      const desk = await visit(browser, place, route, DESK);
      const phone = await visit(browser, place, route, PHONE);
      const slow: number[] = [];
      for (let load = 0; load < loads; load += 1) {
        slow.push((await visit(browser, place, route, DESK, SLOWDOWN)).shownMs);
      }
      rows.push(rowOf(route, desk, phone, slow));
    }
    return rows;
  } finally {
    await browser.close();
    await bellbird.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function rowOf(route: string, desk: Visit, phone: Visit, slow: readonly number[]): Row {
  const seconds = percentile(slow, 0.5) / 1000;
  const shift = Math.max(desk.shift, phone.shift);
  const isScanner = SCANNERS.includes(route);
  const ok =
    desk.requests <= LIMITS.requests &&
    seconds <= LIMITS.seconds &&
    shift <= LIMITS.shift &&
    (!isScanner || phone.firstRow <= LIMITS.firstRow);
  const row = (y: number): string => (isScanner ? `, first row on a phone at ${y.toFixed(0)} px` : '');
  const { requests, bytes } = desk;
  return {
    what: `${route} with an empty cache`,
    measured: `${requests} requests, ${(bytes / 1024).toFixed(0)} KB, shown after ${seconds.toFixed(1)} s on a processor slowed ${SLOWDOWN} times (median of ${slow.length}), layout shift ${desk.shift.toFixed(3)}, on a phone ${phone.shift.toFixed(3)}${row(phone.firstRow)}`,
    target: `≤ ${LIMITS.requests} requests, ≤ ${LIMITS.seconds} s, shift ≤ ${LIMITS.shift}${row(LIMITS.firstRow).replace('at', '≤')}`,
    ok,
  };
}
