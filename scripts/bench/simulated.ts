import { createLog } from '../../src/lib/log.ts';
import { createMarket } from '../../src/market/market.ts';
import { pack } from '../../src/stream/compressor.ts';
import { eventText, toBytes } from '../../src/stream/encoder.ts';
import { createSimulator } from '../../src/sources/quotes/simulator/index.ts';
import { percentile, type Row } from './row.ts';

const SECONDS = 20;
const SETTLE_MS = 4000;

/**
 * What the simulated market itself gives, a second a tick at speed 1 in the late morning: fewer stocks change
 * than in the other parts, and fewer members of each, so a tick is smaller and its digits weigh more.
 */
export async function run(): Promise<Row[]> {
  const wall = { now: () => Date.now() };
  const source = createSimulator({ seed: 1, start: '11:00', speed: 1, wall, log: createLog(() => {}) });
  const market = createMarket({ clock: source.clock });
  await source.start(market);
  try {
    // The first seconds bring what the whole day before the start left.
    await Bun.sleep(SETTLE_MS);
    market.flush();
    const times: number[] = [];
    let changed = 0;
    let plain = 0;
    let wire = 0;
    for (let second = 0; second < SECONDS; second += 1) {
      await Bun.sleep(1000);
      const started = performance.now();
      const changes = market.flush();
      const upsert = changes?.upsert ?? {};
      const fx = { upsert: {}, delete: [], lastUpdated: null };
      const meta = { stockCount: market.all().size, marketTime: source.clock.now() };
      const bytes = toBytes(
        eventText('delta_update', `bench-${second}`, { stocks: { upsert, delete: [] }, meta, fx }),
      );
      const packed = pack(bytes);
      times.push(performance.now() - started);
      changed += Object.keys(upsert).length;
      plain += bytes.byteLength;
      wire += packed.byteLength;
    }
    const kb = (bytes: number): string => `${(bytes / SECONDS / 1000).toFixed(1)} kB`;
    return [
      {
        what: `A second of the simulator at 11:00 (${market.all().size} stocks)`,
        measured: `${(changed / SECONDS).toFixed(0)} changed; ${kb(wire)} of ${kb(plain)} plain (${((wire / plain) * 100).toFixed(1)} %); change set, text and compression p95 ${percentile(times, 0.95).toFixed(2)} ms`,
        target: '',
        ok: null,
      },
    ];
  } finally {
    await source.stop();
  }
}
