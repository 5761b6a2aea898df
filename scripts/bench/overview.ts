import { join } from 'node:path';
import { launchBrowser } from '#support/browser.ts';
import { percentile, type Row } from './row.ts';
import type { OverviewInput, OverviewResult } from './support/overviewPage.ts';
import { startTrace, tasksWith } from './support/mainThread.ts';

const INPUT: OverviewInput = { stocks: 2000, changed: 600, ticks: 300 };
const LIMIT_MS = 1;

const times = (all: readonly number[]): string =>
  `CPU time median ${percentile(all, 0.5).toFixed(2)} ms, p95 ${percentile(all, 0.95).toFixed(2)} ms`;

/** Measures the cost of a tick in Chromium while the market overview is open: in its worker and in the window. */
export async function run(): Promise<Row[]> {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, 'support', 'overviewPage.ts')],
    target: 'browser',
    format: 'iife',
    minify: true,
  });
  const code = await built.outputs[0]?.text();
  if (!built.success || code === undefined) throw new Error('The page of the bench could not be built.');
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.evaluate(code);
    const trace = await startTrace(await page.context().newCDPSession(page));
    const { bytes, advancers } = (await page.evaluate(
      `measureOverview(${JSON.stringify(INPUT)})`,
    )) as OverviewResult;
    const events = await trace.stop();
    const [follows, reads] = [tasksWith('followed', events), tasksWith('read', events)];
    if (follows.length !== INPUT.ticks) throw new Error('Not every tick was measured.');
    if (advancers === 0) throw new Error('Nothing rose: it measured the wrong thing.');
    return [
      {
        what: `Overview updated in the worker, ${INPUT.changed} of ${INPUT.stocks} stocks changed (${follows.length} ticks)`,
        measured: times(follows),
        target: `p95 ≤ ${LIMIT_MS} ms`,
        ok: percentile(follows, 0.95) <= LIMIT_MS,
      },
      {
        what: 'Overview read by the page',
        measured: `${times(reads)}; ${(bytes / 1000).toFixed(1)} kB`,
        target: `p95 ≤ ${LIMIT_MS} ms`,
        ok: percentile(reads, 0.95) <= LIMIT_MS,
      },
    ];
  } finally {
    await browser.close();
  }
}
