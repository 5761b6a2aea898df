import { readFile } from 'node:fs/promises';
import { startBellbird } from '../../test/support/executable.ts';
import type { Row } from './row.ts';

const LIMIT_MB = 180;

/**
 * Resident memory of the executable with the simulated market and one reader of the stream.
 * @param minutes how long it runs before the reading that counts; 10 is what the limit is for.
 */
export async function run(minutes = 10): Promise<Row[]> {
  const bellbird = await startBellbird();
  const reading = new AbortController();
  const drained = drain(`${bellbird.url}/api/data/stream`, reading.signal);
  try {
    const readings: number[] = [];
    const end = Date.now() + minutes * 60_000;
    while (Date.now() < end) {
      await Bun.sleep(Math.min(5000, Math.max(0, end - Date.now())));
      readings.push(await residentMb(bellbird.pid));
    }
    const last = readings.at(-1) ?? (await residentMb(bellbird.pid));
    return [
      {
        what: `Resident memory after ${minutes} minutes, one reader`,
        measured: `${last.toFixed(0)} MB (highest ${Math.max(last, ...readings).toFixed(0)} MB)`,
        target: minutes >= 10 ? `≤ ${LIMIT_MB} MB` : `≤ ${LIMIT_MB} MB after 10 minutes`,
        ok: last <= LIMIT_MB,
      },
    ];
  } finally {
    reading.abort();
    await drained;
    await bellbird.stop();
  }
}

async function drain(url: string, signal: AbortSignal): Promise<void> {
  try {
    const response = await fetch(url, { signal });
    for await (const _ of response.body ?? []) continue;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kilobytes === undefined) throw new Error(`The system tells no resident memory of process ${pid}.`);
  return Number(kilobytes) / 1024;
}
