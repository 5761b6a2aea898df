import { createMeta } from '#market/meta.ts';
import type { Market } from '#market/types.ts';
import { finish } from '#platform/http/readQueue.ts';
import { packParts, packWhole } from '#market/stream/snapshots.ts';
import { percentile, type Row } from './row.ts';
import { composeForBench } from './support/composition.ts';
import { BENCH_NOW, createBenchMarket } from './support/market.ts';
import { openReader } from './support/reader.ts';
import { createBenchSource } from './support/source.ts';
import { appOf, standIn } from '#support/appOf.ts';

const STOCKS = 2000;
const CHANGING = 600;
const WARM_UP = 100;
const TICKS = 500;
const LIMIT_MS = 5;
const LIMIT_SHARE = 0.25;

/** A clock that does not advance, so that a tick contains changed stocks but no change of the feed. */
const wall = { now: () => BENCH_NOW, monotonic: () => performance.now() };

const kb = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

/**
 * Measures the part of a tick's cost that does not depend on the number of clients, and the size of a tick and a
 * snapshot: applied, built, passed to every listener, serialised and compressed.
 */
export async function run(): Promise<Row[]> {
  const bench = createBenchMarket(STOCKS);
  const composition = composeForBench({ clock: wall });
  const market = composition.parts.market.service;
  const tick = composition.parts.tick.service;
  market.apply(bench.listings);
  tick.run();
  const reader = await openReader(composition);
  const times: number[] = [];
  let plain = 0;
  let wire = 0;
  for (let index = 0; index < WARM_UP + TICKS; index += 1) {
    const updates = bench.trades(CHANGING);
    const started = performance.now();
    market.apply(updates);
    tick.run();
    const took = performance.now() - started;
    const weight = await reader.take();
    if (index < WARM_UP) continue;
    times.push(took);
    plain += weight.plain;
    wire += weight.wire;
  }
  await reader.stop();
  const p95 = percentile(times, 0.95);
  return [
    {
      what: `Apply a tick, build, encode and compress its change set (${CHANGING} of ${STOCKS} stocks, ${TICKS} ticks)`,
      measured: `p50 ${percentile(times, 0.5).toFixed(2)} ms, p95 ${p95.toFixed(2)} ms`,
      target: `p95 ≤ ${LIMIT_MS} ms`,
      ok: p95 <= LIMIT_MS,
    },
    {
      what: 'Compressed bytes per tick and client',
      measured: `${kb(wire / TICKS)} of ${kb(plain / TICKS)}: ${((wire / plain) * 100).toFixed(1)} %`,
      target: `≤ ${LIMIT_SHARE * 100} %`,
      ok: wire / plain <= LIMIT_SHARE,
    },
    snapshots(market),
  ];
}

function snapshots(market: Market): Row {
  const meta = createMeta(appOf({ source: createBenchSource(wall), clock: wall, market: standIn(market) }));
  const state = { stocks: [...market.flushed()], meta: meta(), fx: { data: {}, lastUpdated: null } };
  const started = performance.now();
  const whole = finish(packWhole(state, 'bench-0'));
  const took = performance.now() - started;
  const bytes = whole.reduce((sum, { block }) => sum + block.byteLength, 0);
  const { first, ofScanner } = finish(packParts(state, 'bench-0'));
  return {
    what: `Snapshot of ${STOCKS} stocks`,
    measured: `${kb(bytes)} compressed in ${took.toFixed(0)} ms; its first part ${kb(first.block.byteLength)}, of one scanner ${kb(ofScanner('intraDaySmall')?.block.byteLength ?? 0)}`,
    target: '',
    ok: null,
  };
}
