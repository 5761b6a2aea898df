import { rm } from 'node:fs/promises';
import { launchBrowser } from '../../test/support/browser.ts';
import { startCounter } from '../../test/support/byteCounter.ts';
import { runBellbird, startBellbird, temporaryFolder } from '../../test/support/executable.ts';
import type { Row } from './row.ts';

const LIMIT_KB = 180;
const ACCOUNT = { username: 'bench', password: 'first-load-bench' };

/**
 * Bytes that the server sends to a browser with an empty cache, headers and live stream included, until the
 * first row of a scanner shows. Counted on the wire, as a shared worker's traffic is not the page's.
 */
export async function run(): Promise<Row[]> {
  const dataDir = await temporaryFolder();
  const env = { BELLBIRD_DATA: dataDir, BELLBIRD_SIM_START: '11:00' };
  const added = await runBellbird(['user', 'add', ACCOUNT.username], {
    env,
    stdin: `${ACCOUNT.password}\n`,
  });
  if (added.code !== 0) throw new Error(`The bench's account could not be made: ${added.all}`);
  const bellbird = await startBellbird({ dataDir, env });
  const browser = await launchBrowser();
  const counter = startCounter(bellbird.port);
  try {
    const session = await signIn(bellbird.url);
    await waitForMarket(bellbird.url);
    const context = await browser.newContext();
    await context.addInitScript(
      ([token, level]) => {
        localStorage.setItem('accessToken', String(token));
        localStorage.setItem('accessLevel', String(level));
      },
      [session.accessToken, session.accessLevel] as const,
    );
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

/** A load before the whole market is there would look too cheap. */
async function waitForMarket(url: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const response = await fetch(`${url}/api/data/stream`);
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (/^data: .*\n\n/m.test(text)) break;
    }
    if (Number(/"stockCount":(\d+)/.exec(text)?.[1] ?? 0) >= 1500) return;
    await Bun.sleep(100);
  }
  throw new Error('The market did not fill up.');
}

const kb = (bytes: number): string => (bytes / 1024).toFixed(1);

async function signIn(url: string): Promise<{ accessToken: string; accessLevel: number }> {
  const response = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identifier: ACCOUNT.username, password: ACCOUNT.password }),
  });
  if (!response.ok) throw new Error(`The bench could not sign in: ${await response.text()}`);
  return (await response.json()) as { accessToken: string; accessLevel: number };
}
