import { readFile, rm } from 'node:fs/promises';
import { startBellbird, temporaryFolder } from '#support/executable.ts';
import type { Row } from './row.ts';
import { drain } from './support/drain.ts';
import { addLevelAlerts } from './support/levelAlerts.ts';

/**
 * Bytes written by a process, as counted by the system.
 * - `storage`: pages that it changed in files of a disk, 4 KiB each however few bytes changed, and what it synced. This
 * reaches an SD card. File systems in memory are not counted.
 * - `calls`: bytes passed to write calls, also to pipes.
 */
export type DiskWrites = { storage: number; calls: number };

/** @throws if the system has no such counters */
export async function diskWrites(pid: number): Promise<DiskWrites> {
  const text = await readFile(`/proc/${pid}/io`, 'utf8');
  const read = (name: string): number => {
    const value = new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1];
    if (value === undefined) throw new Error(`The system reports no ${name} for process ${pid}.`);
    return Number(value);
  };
  return { storage: read('write_bytes') - read('cancelled_write_bytes'), calls: read('wchar') };
}

const ALERTS = 50;
const LIMIT_MB = 1;
/** After this time (ms) the writes of the start are over: demo account, alerts, first checkpoint. */
const SETTLE_MS = 90_000;
const SAMPLE_MS = 60_000;

type Run = { what: string; start: string; speed: number; minutes: number };

/**
 * Measures the bytes that the executable writes per hour with the simulated market of 2,000 stocks, 50 alerts and one
 * reader, by the system's counters. The target is for speed 1. A trading day at speed 30 shows the additions by
 * pre-open, open and close; it has no target.
 * @param minutes of each measurement; the result is extrapolated to an hour
 */
export async function run(minutes = 12): Promise<Row[]> {
  const runs: Run[] = [
    { what: 'at speed 1 from 10:15', start: '10:15', speed: 1, minutes },
    { what: 'at speed 30 from 09:00', start: '09:00', speed: 30, minutes },
  ];
  // They run in parallel, because neither keeps a core busy, which does not affect the number of bytes.
  return Promise.all(runs.map(measure));
}

async function measure({ what, start, speed, minutes }: Run): Promise<Row> {
  const folder = await temporaryFolder();
  const bellbird = await startBellbird({
    dataDir: folder,
    env: { BELLBIRD_TEST: '1', BELLBIRD_SIM_START: start, BELLBIRD_SIM_SPEED: String(speed) },
  });
  const reading = new AbortController();
  const drained = drain(`${bellbird.url}/api/data/stream`, reading.signal);
  try {
    await addLevelAlerts(bellbird, ALERTS);
    await Bun.sleep(SETTLE_MS);
    const before = await diskWrites(bellbird.pid);
    const { most, last } = await sampled(bellbird.pid, minutes, before);
    const hourly = (count: (writes: DiskWrites) => number): number =>
      ((count(last) - count(before)) / minutes) * 60;
    const storage = hourly(({ storage: bytes }) => bytes) / 1e6;
    return {
      what: `Written per hour ${what} (simulated market, ${ALERTS} alerts, one reader, ${minutes} minutes)`,
      measured: `${storage.toFixed(2)} MB to disk in 4 KiB pages (at most ${(most / 1e3).toFixed(0)} kB per minute); ${(hourly(({ calls }) => calls) / 1e6).toFixed(2)} MB in write calls`,
      target: speed === 1 ? `≤ ${LIMIT_MB} MB` : '',
      ok: speed === 1 ? storage <= LIMIT_MB : null,
    };
  } finally {
    reading.abort();
    await drained;
    await bellbird.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function sampled(
  pid: number,
  minutes: number,
  before: DiskWrites,
): Promise<{ most: number; last: DiskWrites }> {
  let last = before;
  let most = 0;
  for (let minute = 0; minute < minutes; minute += 1) {
    await Bun.sleep(SAMPLE_MS);
    const now = await diskWrites(pid);
    most = Math.max(most, now.storage - last.storage);
    last = now;
  }
  return { most, last };
}
