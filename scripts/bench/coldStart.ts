import { rm } from 'node:fs/promises';
import { startBellbird, temporaryFolder } from '#support/executable.ts';
import { percentile, type Row } from './row.ts';

const RUNS = 10;
const LIMIT_MS = 60;

/** Measures the time from the start of `dist/bellbird` with a database to its first good answer on `/healthz`. */
export async function run(): Promise<Row[]> {
  const dataDir = await temporaryFolder();
  try {
    await (await startBellbird({ dataDir })).stop();
    const times: number[] = [];
    for (let attempt = 0; attempt < RUNS; attempt++) {
      const started = performance.now();
      const bellbird = await startBellbird({ dataDir, pollMs: 1 });
      times.push(performance.now() - started);
      await bellbird.stop();
    }
    const p95 = percentile(times, 0.95);
    return [
      {
        what: `Cold start with an existing database until /healthz answers 200 (${RUNS} starts)`,
        measured: `median ${percentile(times, 0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`,
        target: `≤ ${LIMIT_MS} ms`,
        ok: p95 <= LIMIT_MS,
      },
    ];
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
