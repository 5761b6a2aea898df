import { createLog } from '#lib/log.ts';
import { createSimulator } from '#sources/quotes/simulator/index.ts';
import { percentile, type Row } from './row.ts';
import { composeForBench } from './support/composition.ts';
import { openReader } from './support/reader.ts';

const SECONDS = 20;
const LIMIT_SHARE = 0.25;
const SETTLE_MS = 4000;
/** A client's first ticks have no earlier ticks to compare with. */
const WARM_UP = 4;

export async function run(): Promise<Row[]> {
  const wall = { now: () => Date.now(), monotonic: () => performance.now() };
  const source = createSimulator({ seed: 1, start: '11:00', speed: 1, wall, log: createLog(() => {}) });
  const composition = composeForBench({ source, clock: wall });
  const { feed, market, tick } = composition.parts;
  await feed.start();
  try {
    // The first seconds contain the whole day before the start.
    await Bun.sleep(SETTLE_MS);
    tick.service.run();
    const reader = await openReader(composition);
    const times: number[] = [];
    let changed = 0;
    let plain = 0;
    let wire = 0;
    for (let second = -WARM_UP; second < SECONDS; second += 1) {
      await Bun.sleep(1000);
      const started = performance.now();
      const changes = tick.service.run();
      const took = performance.now() - started;
      const weight = await reader.take();
      if (second < 0) continue;
      times.push(took);
      changed += Object.keys(changes?.upsert ?? {}).length;
      plain += weight.plain;
      wire += weight.wire;
    }
    await reader.stop();
    const kb = (bytes: number): string => `${(bytes / SECONDS / 1000).toFixed(1)} kB`;
    return [
      {
        what: `One second of the simulated market at 11:00 (${market.service.all().size} stocks)`,
        measured: `${(changed / SECONDS).toFixed(0)} changed; ${kb(wire)} of ${kb(plain)} plain (${((wire / plain) * 100).toFixed(1)} %); change set, text and compression p95 ${percentile(times, 0.95).toFixed(2)} ms`,
        target: `≤ ${LIMIT_SHARE * 100} % of the text`,
        ok: wire / plain <= LIMIT_SHARE,
      },
    ];
  } finally {
    await feed.stop();
  }
}
