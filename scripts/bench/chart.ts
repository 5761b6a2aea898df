import type { Page } from 'playwright-core';
import { createLog } from '#lib/log.ts';
import { MAX_BARS } from '#market/bars/rules/bars.ts';
import type { BarsAnswer } from '#market/bars/rules/barsAnswer.ts';
import { createSimulator } from '#sources/quotes/simulator/index.ts';
import { openFixture } from '#support/fixture.ts';
import { percentile, type Row } from './row.ts';
import { composeForBench } from './support/composition.ts';

const OPENS = 30;
const TARGET_MS = 150;

/**
 * Opens a row and waits until its chart is painted; returns ms from the click. Measured in the page, to exclude the
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
    await frame();
    const took = performance.now() - from;
    button.click();
    while (document.querySelector('.price-chart-canvas')) await frame();
    return took;
  }, row);

export async function measureChartOpen(): Promise<Row[]> {
  const fixture = await openFixture({ BELLBIRD_SIM_START: '15:30' });
  try {
    const { page } = await fixture.visit('/intra-day-large-cap');
    await page.locator('tr[data-id] .expander').nth(9).waitFor();
    await openOnce(page, 0);
    const times: number[] = [];
    for (let open = 0; open < OPENS; open += 1) times.push(await openOnce(page, 1 + (open % 9)));
    const [median, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
    return [
      {
        what: 'From a click on a row to the first paint of its minute chart, p95',
        measured: `${p95.toFixed(0)} ms (median ${median.toFixed(0)} ms)`,
        target: `≤ ${TARGET_MS} ms`,
        ok: p95 <= TARGET_MS,
      },
    ];
  } finally {
    await fixture.close();
  }
}

const BARS_LIMIT_MS = 5;
/** Number of stocks, below the limit of requests per address and minute. */
const STOCKS = 50;
const ROUNDS = 10;
const SETTLE_MS = 4000;

export async function run(): Promise<Row[]> {
  return [...(await barsRoute()), ...(await measureChartOpen())];
}

/**
 * Measures requests of 2,000 minutes of 50 stocks of the simulated market, packed. First answers, which build the past
 * days, and later ones are measured separately.
 */
async function barsRoute(): Promise<Row[]> {
  const wall = { now: () => Date.now(), monotonic: () => performance.now() };
  const source = createSimulator({ seed: 1, start: '14:00', speed: 1, wall, log: createLog(() => {}) });
  const { api, parts } = composeForBench({ source, clock: wall });
  await parts.feed.start();
  try {
    await Bun.sleep(SETTLE_MS);
    await parts.feed.stop();
    const codes = [...parts.market.service.all().keys()].slice(0, STOCKS);
    const trade = (code: string, count: number): void => {
      const { last = null, volume = null } = parts.market.service.get(code) ?? {};
      const moved = (last ?? 1) + (count % 2 === 0 ? 0.01 : -0.01);
      parts.market.service.apply([{ code, last: Math.max(0.01, moved), volume: (volume ?? 0) + 100 }]);
    };
    const first: number[] = [];
    const next: number[] = [];
    const traded: number[] = [];
    let bytes = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [place, code] of codes.entries()) {
        // In every second round each stock has traded since the last request.
        if (round % 2 === 1) trade(code, round + place);
        // The processor time is that of the answer, because nothing else runs in this process.
        const before = process.cpuUsage();
        const answer = await api.handle(requestFor(code));
        bytes = (await answer.arrayBuffer()).byteLength;
        const { user, system } = process.cpuUsage(before);
        (round === 0 ? first : round % 2 === 1 ? traded : next).push((user + system) / 1000);
        if (answer.status !== 200) throw new Error(`Bars of ${code} were answered ${answer.status}.`);
      }
    }
    const shown = await barsIn(await api.handle(requestFor(codes[0] ?? '', 'identity')));
    return [
      timeRow(`first request for each of ${STOCKS} stocks`, first, bytes, shown, null),
      timeRow('after a new trade', traded, bytes, shown, BARS_LIMIT_MS),
      timeRow('unchanged', next, bytes, shown, BARS_LIMIT_MS),
    ];
  } finally {
    await parts.feed.stop();
  }
}

const requestFor = (code: string, encoding = 'gzip'): Request =>
  new Request(`http://localhost/api/data/bars?symbol=${code}&tf=1&limit=${MAX_BARS}`, {
    headers: { 'accept-encoding': encoding },
  });

const barsIn = async (answer: Response): Promise<number> =>
  ((await answer.json()) as BarsAnswer).bars.time.length;

function timeRow(
  when: string,
  times: readonly number[],
  bytes: number,
  bars: number,
  limit: number | null,
): Row {
  const p95 = percentile(times, 0.95);
  return {
    what: `GET /api/data/bars, ${bars} minutes, ${when}, p95`,
    measured: `${p95.toFixed(2)} ms CPU time (median ${percentile(times, 0.5).toFixed(2)} ms, ${(bytes / 1024).toFixed(0)} kB gzip)`,
    target: limit === null ? '' : `≤ ${limit} ms`,
    ok: limit === null ? null : p95 <= limit,
  };
}
