import { rm } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '#support/browser.ts';
import { startCounter } from '#support/byteCounter.ts';
import { startBellbird, temporaryFolder } from '#support/executable.ts';
import { seedSession, type Session } from '#support/fixture.ts';
import type { Row } from './row.ts';
import { waitForMarket } from './support/waitForMarket.ts';

const LIMIT_KB = 150;
const LOADS = 3;

type Load = { total: number; assets: number; admin: string[]; milliseconds: number };

export async function run(): Promise<Row[]> {
  const dataDir = await temporaryFolder();
  const env = { BELLBIRD_SIM_START: '11:00', BELLBIRD_TEST: '1' };
  const bellbird = await startBellbird({ dataDir, env });
  const browser = await launchBrowser();
  try {
    const session = await seedSession(bellbird.url, 'bench');
    await waitForMarket(bellbird.url);
    const loads: Load[] = [];
    for (let count = 0; count < LOADS; count += 1) loads.push(await load(browser, bellbird.port, session));
    return rowsOf(loads);
  } finally {
    await browser.close();
    await bellbird.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function load(browser: Browser, port: number, session: Session): Promise<Load> {
  const counter = startCounter(port);
  const context = await browser.newContext();
  try {
    await context.addInitScript((stored) => Object.assign(localStorage, stored), session);
    const page = await context.newPage();
    const started = performance.now();
    await page.goto(`http://127.0.0.1:${counter.port}/#/intra-day-small`);
    await page.locator('tr[data-id]').first().waitFor();
    const total = counter.received();
    const milliseconds = performance.now() - started;
    const files = await page.evaluate(() =>
      [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .map((entry) => entry as PerformanceResourceTiming)
        .map(({ name, transferSize }) => ({ name, transferSize })),
    );
    const assets = files
      .filter(({ name }) => !name.includes('/api/'))
      .reduce((sum, { transferSize }) => sum + transferSize, 0);
    const admin = files.map(({ name }) => name).filter((name) => /admin/i.test(name));
    return { total, assets, admin, milliseconds };
  } finally {
    await context.close();
    counter.stop();
  }
}

function rowsOf(loads: readonly Load[]): Row[] {
  const least = loads.reduce((best, one) => (one.total < best.total ? one : best));
  const { total, assets } = least;
  const admin = new Set(loads.flatMap((one) => one.admin));
  return [
    {
      what: `Bytes transferred until the first live row (lowest of ${loads.length})`,
      measured: `${kb(total)} KB (pages and code ${kb(assets)} KB, calls and stream ${kb(total - assets)} KB)`,
      target: `≤ ${LIMIT_KB} KB`,
      ok: total <= LIMIT_KB * 1024,
    },
    {
      what: 'Admin code transferred until then',
      measured: admin.size === 0 ? 'none' : [...admin].join(', '),
      target: 'none',
      ok: admin.size === 0,
    },
    {
      what: 'Time until the first live row',
      measured: `${Math.min(...loads.map(({ milliseconds }) => milliseconds)).toFixed(0)} ms`,
      target: '',
      ok: null,
    },
  ];
}

const kb = (bytes: number): string => (bytes / 1024).toFixed(1);
