import { createMarket } from '../../src/market/market.ts';
import { pack } from '../../src/stream/compressor.ts';
import { eventText, toBytes } from '../../src/stream/encoder.ts';
import { packParts, packWhole } from '../../src/stream/snapshot.ts';
import { percentile, type Row } from './row.ts';
import { BENCH_NOW, createBenchMarket } from './support/market.ts';

const STOCKS = 2000;
const CHANGING = 600;
const WARM_UP = 100;
const TICKS = 500;
const LIMIT_MS = 5;
const LIMIT_SHARE = 0.25;

const kb = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

/** What one tick costs the server whatever the number of clients, and what it and a snapshot weigh. */
export async function run(): Promise<Row[]> {
  const bench = createBenchMarket(STOCKS);
  const market = createMarket({ clock: { now: () => BENCH_NOW } });
  market.apply(bench.listings);
  market.flush();
  const times: number[] = [];
  let plain = 0;
  let wire = 0;
  for (let index = 0; index < WARM_UP + TICKS; index += 1) {
    const updates = bench.trades(CHANGING);
    const started = performance.now();
    market.apply(updates);
    const changes = market.flush();
    const bytes = toBytes(
      eventText('delta_update', `bench-${index}`, {
        stocks: { upsert: changes?.upsert ?? {}, delete: [] },
        meta: { stockCount: STOCKS, marketTime: BENCH_NOW },
        fx: { upsert: {}, delete: [], lastUpdated: null },
      }),
    );
    const packed = pack(bytes);
    const took = performance.now() - started;
    if (index < WARM_UP) continue;
    times.push(took);
    plain += bytes.byteLength;
    wire += packed.byteLength;
  }
  const p95 = percentile(times, 0.95);
  return [
    {
      what: `Tick applied, change set built, serialised and compressed (${CHANGING} of ${STOCKS} stocks, ${TICKS} ticks)`,
      measured: `p50 ${percentile(times, 0.5).toFixed(2)} ms, p95 ${p95.toFixed(2)} ms`,
      target: `p95 ≤ ${LIMIT_MS} ms`,
      ok: p95 <= LIMIT_MS,
    },
    {
      what: 'Wire bytes per tick and client, against the plain text',
      measured: `${kb(wire / TICKS)} of ${kb(plain / TICKS)}: ${((wire / plain) * 100).toFixed(1)} %`,
      target: `≤ ${LIMIT_SHARE * 100} %`,
      ok: wire / plain <= LIMIT_SHARE,
    },
    snapshots(market),
  ];
}

function snapshots(market: ReturnType<typeof createMarket>): Row {
  const state = {
    stocks: [...market.flushed()],
    meta: {
      stockCount: STOCKS,
      dateToday: '2026-11-19',
      flags: { ignoreStatus: false },
      feed: { name: 'bench', label: 'Live', delayMinutes: 0, lastUpdate: null, healthy: true, problem: null },
      marketTime: BENCH_NOW,
      clockOffsetMs: 0,
      clockSpeed: 1,
    },
    fx: { data: {}, lastUpdated: null },
  };
  const started = performance.now();
  const whole = packWhole(state, 'bench-0');
  const took = performance.now() - started;
  const bytes = whole.reduce((sum, block) => sum + block.byteLength, 0);
  return {
    what: `Snapshot of ${STOCKS} stocks, built once per version`,
    measured: `${kb(bytes)} compressed in ${took.toFixed(0)} ms; its first part ${kb(packParts(state, 'bench-0')[0]?.byteLength ?? 0)}`,
    target: '',
    ok: null,
  };
}
