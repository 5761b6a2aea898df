import { isComputable } from '#market/indicators/formulas/index.ts';
import { type DemandItem, indicatorKey } from '#market/indicators/rules/indicatorKey.ts';
import { builtInCatalog } from '#market/indicators/rules/metainfo.ts';
import type { Timeframe } from '#market/indicators/rules/types.ts';
import type { Row } from './row.ts';
import { composeForBench } from './support/composition.ts';
import { BENCH_NOW, createBenchMarket } from './support/market.ts';
import { openReader } from './support/reader.ts';
import { createBenchSource } from './support/source.ts';

export type LoopWatch = {
  longest(): number;
  reset(): void;
  stop(): void;
};

/**
 * Measures the processor time of the thread between two turns of the event loop. The system may count in
 * steps of 4 ms, so it is limited by the clock.
 */
export function watchLoop(): LoopWatch {
  let longest = 0;
  let isStopped = false;
  const sample = () => ({ cpu: process.threadCpuUsage(), at: performance.now() });
  let before = sample();
  function turn(): void {
    const now = sample();
    const cpu = (now.cpu.user + now.cpu.system - before.cpu.user - before.cpu.system) / 1000;
    longest = Math.max(longest, Math.min(cpu, now.at - before.at));
    before = now;
    if (!isStopped) setImmediate(turn);
  }
  setImmediate(turn);
  return {
    longest: () => longest,
    reset() {
      longest = 0;
      before = sample();
    },
    stop() {
      isStopped = true;
    },
  };
}

const STOCKS = 2000;
const COLUMNS = 100;
const TIMEFRAMES: readonly Timeframe[] = ['1', '5', '15', '60', 'D'];
const LIMIT_MS = 16;

function columns(count: number): DemandItem[] {
  const families = Object.entries(builtInCatalog().indicators).filter(([, family]) => isComputable(family));
  const items: DemandItem[] = [];
  for (const [family, { ...about }] of families) {
    for (const tf of TIMEFRAMES) {
      if (items.length === count) return items;
      const choice = { family, params: {}, tf, delay: 0 };
      items.push({ kind: 'indicator', choice, key: indicatorKey(about, {}) });
    }
  }
  throw new Error(`The catalog has only ${items.length} columns.`);
}

/**
 * Measures how long the event loop is blocked, in processor time of its thread, while a user's columns change. Nothing
 * trades, and one client reads the stream.
 */
export async function run(): Promise<Row[]> {
  const wall = { now: () => Date.now(), monotonic: () => performance.now() };
  const source = createBenchSource(wall, { now: () => BENCH_NOW, speed: 1 });
  const composition = composeForBench({ source, clock: wall });
  const { market, values, indicators, tick } = composition.parts;
  await values.start();
  market.service.apply(createBenchMarket(STOCKS).listings);
  market.service.flush();
  const reader = await openReader(composition);
  await reader.take();
  tick.service.run();
  const { demand } = indicators.service;
  const all = columns(COLUMNS);
  const watch = watchLoop();
  const rows: Row[] = [];

  async function change(what: string, items: readonly DemandItem[]): Promise<void> {
    watch.reset();
    const started = performance.now();
    demand.set('user:1', items);
    for (let quiet = 0; quiet < 3; ) {
      await Bun.sleep(250);
      const changes = tick.service.run();
      quiet = changes === null && values.inspect().summary.waiting === 0 ? quiet + 1 : 0;
      await reader.take();
    }
    const longest = watch.longest();
    rows.push({
      what: `Longest block of the event loop: ${what} (${STOCKS} stocks, four ticks per second)`,
      measured: `${longest.toFixed(1)} ms CPU time; done after ${((performance.now() - started) / 1000).toFixed(1)} s`,
      target: `≤ ${LIMIT_MS} ms`,
      ok: longest <= LIMIT_MS,
    });
  }

  await change('no change', []);
  await change(`a user adds ${COLUMNS} columns`, all);
  await change(`the user removes ${COLUMNS / 2} of them`, all.slice(0, COLUMNS / 2));
  await change('the user removes the others', []);
  watch.stop();
  await reader.stop();
  values.stop();
  return rows;
}
