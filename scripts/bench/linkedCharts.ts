import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { openStage, type Stage } from '#support/stage.ts';
import { percentile, type Row } from './row.ts';
import type { TraceEvent } from './support/mainThread.ts';

const WINDOWS = 20;
const SECONDS = 30;
const FRAME_LIMIT_MS = 50;
const TASK = 'ThreadControllerImpl::RunTask';
/** Until the charts are drawn and what they ask for has been answered. */
const SETTLE_MS = 8000;

/** The busiest stocks, which change with nearly every tick. */
async function busiest(stage: Stage): Promise<string[]> {
  const { page, context } = await stage.visit('/intra-day-large-cap');
  await page.locator('tr[data-id]').nth(WINDOWS).waitFor();
  const codes = await page
    .locator('tr[data-id]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-id') ?? ''));
  await context.close();
  return codes.slice(0, WINDOWS);
}

/** Opens a chart window for each stock as the product does: from a window of the product, so that all share a process. */
async function openCharts(context: BrowserContext, page: Page, codes: readonly string[]): Promise<Page[]> {
  const charts: Page[] = [];
  for (const code of codes) {
    const opening = context.waitForEvent('page');
    await page.evaluate((symbol) => {
      window.open(
        `${location.pathname}#/chart?symbol=${symbol}`,
        `chart ${symbol}`,
        'popup=yes,width=1000,height=640',
      );
    }, code);
    const chart = await opening;
    await chart.locator('.price-chart-canvas[data-drawn]').waitFor();
    charts.push(chart);
  }
  return charts;
}

/** Every task of the pages' main threads while charts go on, ms by the clock and of processor time. */
async function traceTasks(session: CDPSession, ms: number): Promise<{ wall: number[]; cpu: number[] }> {
  const events: TraceEvent[] = [];
  const mainThreads = new Set<string>();
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value as unknown as (TraceEvent & { args?: { name?: string } })[]) {
      if (event.name === 'thread_name' && event.args?.name === 'CrRendererMain') {
        mainThreads.add(`${event.pid} ${event.tid}`);
      } else if (event.name === TASK && event.ph === 'X') events.push(event);
    }
  });
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.start', { transferMode: 'ReportEvents', categories: 'toplevel,__metadata' });
  await Bun.sleep(ms);
  await session.send('Tracing.end');
  await complete;
  const tasks = events.filter(({ pid, tid }) => mainThreads.has(`${pid} ${tid}`));
  return {
    wall: tasks.map(({ dur = 0 }) => dur / 1000),
    cpu: tasks.map(({ tdur = 0 }) => tdur / 1000),
  };
}

/** What twenty charts in windows of their own cost the browser, live on the simulated market at a tick a second. */
export async function run(): Promise<Row[]> {
  const stage = await openStage({ BELLBIRD_SIM_START: '11:00' });
  try {
    const codes = await busiest(stage);
    const { page, context } = await stage.visit('/calls');
    const charts = await openCharts(context, page, codes);
    await Bun.sleep(SETTLE_MS);
    const session = await stage.browser.newBrowserCDPSession();
    const { wall, cpu } = await traceTasks(session, SECONDS * 1000);
    const titles = new Set(await Promise.all(charts.map((chart) => chart.title())));
    if (titles.size !== WINDOWS) throw new Error(`Only ${titles.size} of ${WINDOWS} charts show a stock.`);
    const over = wall.filter((ms) => ms > FRAME_LIMIT_MS).length;
    const longest = Math.max(...cpu);
    const perSecond = cpu.reduce((sum, ms) => sum + ms, 0) / SECONDS;
    return [
      {
        what: `${WINDOWS} linked chart windows in one browser, live at a tick a second for ${SECONDS} s: the longest task of the main thread`,
        measured: `${longest.toFixed(1)} ms of processor time, ${Math.max(...wall).toFixed(1)} ms by the clock (p99.9 ${percentile(wall, 0.999).toFixed(1)} ms; ${over} of ${wall.length} over ${FRAME_LIMIT_MS} ms); ${perSecond.toFixed(0)} ms of processor time a second in all`,
        target: `≤ ${FRAME_LIMIT_MS} ms`,
        ok: longest <= FRAME_LIMIT_MS,
      },
    ];
  } finally {
    await stage.close();
  }
}
