import type { Page } from 'playwright-core';
import { openStage } from '#support/stage.ts';
import { percentile, type Row } from './row.ts';

const OPENS = 30;
const TARGET_MS = 150;

/**
 * Opens a row and waits until its chart is painted; ms from the click. Measured in the page, to exclude the
 * connection to the browser.
 */
const openOnce = (page: Page, row: number): Promise<number> =>
  page.evaluate(async (place) => {
    const button = document.querySelectorAll<HTMLElement>('tr[data-id] .expander')[place];
    if (!button) throw new Error('There is no such row.');
    const frame = () => new Promise<number>((done) => requestAnimationFrame(done));
    await frame();
    const from = performance.now();
    button.click();
    while (!document.querySelector('.price-chart-canvas[data-drawn] canvas')) await frame();
    // Drawn in this frame, painted at its end.
    await frame();
    const took = performance.now() - from;
    button.click();
    while (document.querySelector('.price-chart-canvas')) await frame();
    return took;
  }, row);

export async function measureChartOpen(): Promise<Row[]> {
  const stage = await openStage({ BELLBIRD_SIM_START: '15:30' });
  try {
    const { page } = await stage.visit('/intra-day-large-cap');
    await page.locator('tr[data-id] .expander').nth(9).waitFor();
    await openOnce(page, 0);
    const times: number[] = [];
    for (let open = 0; open < OPENS; open += 1) times.push(await openOnce(page, 1 + (open % 9)));
    const [median, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
    return [
      {
        what: 'A row’s chart of a day of minutes, from the click to its first paint, p95',
        measured: `${p95.toFixed(0)} ms (median ${median.toFixed(0)} ms)`,
        target: `at most ${TARGET_MS} ms`,
        ok: p95 <= TARGET_MS,
      },
    ];
  } finally {
    await stage.close();
  }
}
