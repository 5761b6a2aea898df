import { join } from 'node:path';
import { builtInCatalog } from '#market/indicators/rules/metainfo.ts';
import { type DemandItem, indicatorKey } from '#market/indicators/rules/indicatorKey.ts';
import type { Timeframe } from '#market/indicators/rules/types.ts';
import { createMarket } from '#market/market.ts';
import type { Market } from '#market/types.ts';
import { percentile, type Row } from './row.ts';
import { composeForBench } from './support/composition.ts';
import { BENCH_NOW, createBenchMarket } from './support/market.ts';
import { createBenchSource } from './support/source.ts';

const STOCKS = 2000;
const CHANGING = 600;
const WARM_UP = 60;
const TICKS = 300;
const LIMIT_MS = 15;
const LIMIT_MB = 120;
const FAMILIES = ['rsi', 'ema', 'macd-hist', 'bb-upper', 'adx'];
const TIMEFRAMES: readonly Timeframe[] = ['5', '15', '60', 'D'];

const { indicators } = builtInCatalog();

const items = (): DemandItem[] =>
  TIMEFRAMES.flatMap((tf) =>
    FAMILIES.map((slug): DemandItem => {
      const family = indicators[slug];
      if (!family) throw new Error(`The catalog has no ${slug}.`);
      const choice = { family: slug, params: {}, tf, delay: 0 };
      return { kind: 'indicator', choice, key: indicatorKey(family, {}) };
    }),
  );

function measure(market: Market, bench: ReturnType<typeof createBenchMarket>, clock: { time: number }) {
  const times: number[] = [];
  for (let index = 0; index < WARM_UP + TICKS; index += 1) {
    const updates = bench.trades(CHANGING);
    clock.time += 1000;
    const started = performance.now();
    market.apply(updates);
    market.flush();
    if (index >= WARM_UP) times.push(performance.now() - started);
  }
  return times;
}

function bare(): number[] {
  const clock = { time: BENCH_NOW };
  const bench = createBenchMarket(STOCKS);
  const market = createMarket({ clock: { now: () => clock.time } });
  market.apply(bench.listings);
  market.flush();
  return measure(market, bench, clock);
}

async function computed(): Promise<{ times: number[]; loadMs: number; longestMs: number }> {
  const clock = { time: BENCH_NOW };
  let longestMs = 0;
  const later = (run: () => void): void => {
    setImmediate(() => {
      const started = performance.now();
      run();
      longestMs = Math.max(longestMs, performance.now() - started);
    });
  };
  const wall = { now: () => performance.now(), monotonic: () => performance.now() };
  const { parts } = composeForBench({
    source: createBenchSource(wall, { now: () => clock.time, speed: 1 }),
    clock: wall,
    runtime: { later },
  });
  const market = parts.market.service;
  const bench = createBenchMarket(STOCKS);
  await parts.values.start();
  market.apply(bench.listings);
  market.flush();
  const started = performance.now();
  parts.indicators.service.demand.set('bench', items());
  // Values follow half a second after the last change, a limited number per tick.
  while (parts.values.inspect().summary.values === 0) await Bun.sleep(20);
  while (parts.values.inspect().summary.waiting > 0) await Bun.sleep(20);
  const loadMs = performance.now() - started;
  for (let quiet = 0; quiet < 3; ) quiet = market.flush() === null ? quiet + 1 : 0;
  const times = measure(market, bench, clock);
  const { indicators: values = {} } = market.get(bench.listings[0]?.code ?? '') ?? {};
  const count = Object.values(values).reduce((sum, byKey) => sum + Object.keys(byKey).length, 0);
  if (count !== FAMILIES.length * TIMEFRAMES.length)
    throw new Error(`Only ${count} of 20 values were computed.`);
  parts.values.stop();
  return { times, loadMs, longestMs };
}

type Memory = { grown: number; days: number; minutes: number; bytes: number };

async function memory(): Promise<Row> {
  const file = join(import.meta.dir, 'support', 'barMemory.ts');
  const child = Bun.spawn([process.execPath, file], { stdout: 'pipe', stderr: 'inherit' });
  const { grown, days, minutes, bytes } = (await new Response(child.stdout).json()) as Memory;
  return {
    what: `Memory of 12 months of daily bars and 5 days of minute bars, ${STOCKS} stocks, trades in 95 % of minutes`,
    measured: `${grown.toFixed(0)} MB for ${(days / 1e3).toFixed(0)} thousand daily and ${(minutes / 1e6).toFixed(2)} million minute bars (${(bytes / 1e6).toFixed(0)} MB of rows)`,
    target: `≤ ${LIMIT_MB} MB`,
    ok: grown <= LIMIT_MB,
  };
}

export async function run(): Promise<Row[]> {
  const without = bare();
  const { times, loadMs, longestMs } = await computed();
  const p95 = percentile(times, 0.95);
  return [
    {
      what: `Apply a tick and build its change set, 20 indicator columns in 4 timeframes (${CHANGING} of ${STOCKS} stocks, ${TICKS} ticks)`,
      measured: `median ${percentile(times, 0.5).toFixed(2)} ms, p95 ${p95.toFixed(2)} ms; without indicators p95 ${percentile(without, 0.95).toFixed(2)} ms`,
      target: `p95 ≤ ${LIMIT_MS} ms`,
      ok: p95 <= LIMIT_MS,
    },
    {
      what: `Time to fill 20 new columns for ${STOCKS} stocks`,
      measured: `${(loadMs / 1000).toFixed(1)} s, longest slice ${longestMs.toFixed(1)} ms`,
      target: '',
      ok: null,
    },
    await memory(),
  ];
}
