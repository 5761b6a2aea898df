import { join } from 'node:path';
import { launchBrowser } from '#support/browser.ts';
import { percentile, type Row } from './row.ts';
import type { ConditionsInput, ConditionsResult } from './support/conditionsPage.ts';

const INPUT: ConditionsInput = { stocks: 2000, changed: 600, ticks: 300 };
const LIMIT_MS = 2;

/** What a custom scan of five conditions, one of them a crossing, costs in Chromium with each delta. */
export async function run(): Promise<Row[]> {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, 'support', 'conditionsPage.ts')],
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
    const { times, matched } = (await page.evaluate(
      `measureConditions(${JSON.stringify(INPUT)})`,
    )) as ConditionsResult;
    if (matched === 0) throw new Error('The scan matched nothing: it measured the wrong thing.');
    const p95 = percentile(times, 0.95);
    const first = times[0] ?? Number.NaN;
    return [
      {
        what: `Custom scan of 5 conditions over ${INPUT.stocks} stocks, ${INPUT.changed} changed each time (${times.length} times)`,
        measured: `median ${percentile(times, 0.5).toFixed(2)} ms, p95 ${p95.toFixed(2)} ms; the very first ${first.toFixed(1)} ms`,
        target: `p95 ≤ ${LIMIT_MS} ms`,
        ok: p95 <= LIMIT_MS,
      },
    ];
  } finally {
    await browser.close();
  }
}
