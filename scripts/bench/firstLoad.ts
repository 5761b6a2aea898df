import { rm } from 'node:fs/promises';
import { launchBrowser } from '../../test/support/browser.ts';
import { startCounter } from '../../test/support/byteCounter.ts';
import { startBellbird, temporaryFolder } from '../../test/support/executable.ts';
import type { Row } from './row.ts';
import { seedSession, waitForMarket } from './support/benchSession.ts';

const LIMIT_KB = 150;

/**
 * Bytes that the server sends to a browser with an empty cache, headers and live stream included, until the
 * first row of a scanner shows. Counted on the wire, as a shared worker's traffic is not the page's.
 */
export async function run(): Promise<Row[]> {
  const dataDir = await temporaryFolder();
  const env = { BELLBIRD_SIM_START: '11:00', BELLBIRD_TEST: '1' };
  const bellbird = await startBellbird({ dataDir, env });
  const browser = await launchBrowser();
  const counter = startCounter(bellbird.port);
  try {
    const session = await seedSession(bellbird.url);
    await waitForMarket(bellbird.url);
    const context = await browser.newContext();
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
    const admin = files.filter(({ name }) => /admin/i.test(name));
    return [
      {
        what: 'First load on the wire before the first live row',
        measured: `${kb(total)} KB (pages and code ${kb(assets)} KB, calls and stream ${kb(total - assets)} KB)`,
        target: `≤ ${LIMIT_KB} KB`,
        ok: total <= LIMIT_KB * 1024,
      },
      {
        what: 'Admin code in the first load',
        measured: admin.length === 0 ? 'none' : admin.map(({ name }) => name).join(', '),
        target: 'none',
        ok: admin.length === 0,
      },
      {
        what: 'First live row after opening the page',
        measured: `${milliseconds.toFixed(0)} ms`,
        target: '',
        ok: null,
      },
    ];
  } finally {
    await browser.close();
    counter.stop();
    await bellbird.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const kb = (bytes: number): string => (bytes / 1024).toFixed(1);
