import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { createMarket } from '#market/market.ts';
import { startRecording } from '#market/recording/live.ts';
import { openRecording } from '#market/recording/open.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { createReplay } from '#sources/quotes/replay/index.ts';
import { Exchange } from '#sources/quotes/simulator/exchange.ts';
import type { MarketSource } from '#market/sources/quotes.ts';
import { standIn } from '#support/appOf.ts';
import { percentile, type Row } from './row.ts';
import { composeForBench } from './support/composition.ts';

const TICK_MS = 1000;
const WAIT_MS = 1;

export type RecordedDay = {
  ticks: number;
  stocks: number;
  bytes: number;
  processorMs: number;
};

const processorMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};

/**
 * Records part of a simulated day into a new file, one second of market time per step, at full speed. The recorder's
 * stopwatch is the market's clock, so it writes as often as at speed 1.
 * @param from epoch ms
 * @param until epoch ms
 */
export async function recordDay(path: string, from: number, until: number): Promise<RecordedDay> {
  const exchange = new Exchange({ seed: 1 });
  let now = from;
  const clock: Clock = { now: () => now };
  const market = createMarket({ clock, days: 'independent' });
  while (!exchange.ready(now)) market.apply(exchange.load(now, 200));
  market.flush();
  const recording = await startRecording(path, {
    source: standIn<MarketSource>({
      name: 'simulator',
      label: () => 'Simulated',
      days: 'independent',
      delayMinutes: () => 0,
      clock: { ...clock, speed: 1 },
    }),
    market,
    stopwatch: { monotonic: () => now - from },
    releases: () => [],
    events: () => new Map(),
  });
  let ticks = 0;
  let spent = 0;
  for (now = from + TICK_MS; now <= until; now += TICK_MS) {
    market.apply(exchange.advanceTo(now));
    const changes = market.flush();
    const before = process.cpuUsage();
    recording.onChanges(changes);
    while (recording.waiting() > 0) await Bun.sleep(WAIT_MS);
    spent += processorMs(before);
    ticks += 1;
  }
  const before = process.cpuUsage();
  const failure = await recording.end();
  spent += processorMs(before);
  if (failure !== null) throw new Error(failure);
  return { ticks, stocks: market.all().size, bytes: recording.size(), processorMs: spent };
}

const JUMPS = 40;
const JUMP_LIMIT_MS = 500;
const SPEED = 60;
const PLAYED_S = 30;
const SETTLE_MS = 10_000;
/** The opening is the busiest time of a day, so the replay starts just before it. */
const BEFORE_OPENING_MS = 3 * 3_600_000 - 5 * 60_000;

export async function measureReplay(path: string): Promise<Row[]> {
  const wall = { now: () => Date.now(), monotonic: () => performance.now() };
  const recording = openRecording(path);
  const { from, until } = recording;
  const source = createReplay({ recording, speed: 1, wall, log: createLog(() => {}) });
  const { parts } = composeForBench({ source, clock: wall });
  const { replay } = source;
  if (!replay) throw new Error('The replay has no controls.');
  await parts.feed.start();
  try {
    await Bun.sleep(SETTLE_MS);
    const walls: number[] = [];
    const spent: number[] = [];
    for (let index = 0; index < JUMPS; index += 1) {
      const time = Math.round(from + ((index * 17) % JUMPS) * ((until - from) / JUMPS) + 90_000);
      const before = process.cpuUsage();
      const began = performance.now();
      replay.jump(Math.min(until, time));
      parts.tick.service.run();
      walls.push(performance.now() - began);
      spent.push(processorMs(before));
    }
    const late = await playFast(source, from + BEFORE_OPENING_MS, () => parts.tick.service.run());
    const p95 = percentile(walls, 0.95);
    return [
      {
        what: `Jump to another time of that day, including the next tick (${JUMPS} jumps), p95`,
        measured: `${p95.toFixed(0)} ms (median ${percentile(walls, 0.5).toFixed(0)} ms; CPU time p95 ${percentile(spent, 0.95).toFixed(0)} ms)`,
        target: `≤ ${JUMP_LIMIT_MS} ms`,
        ok: p95 <= JUMP_LIMIT_MS,
      },
      late,
    ];
  } finally {
    await parts.feed.stop();
  }
}

async function playFast(
  { replay, details, clock }: MarketSource,
  from: number,
  tick: () => unknown,
): Promise<Row> {
  const lateMs = (): number => Number((details?.() as Record<string, unknown> | undefined)?.['lateMs']);
  replay?.jump(from);
  replay?.setSpeed(SPEED);
  const before = process.cpuUsage();
  const began = performance.now();
  const lates: number[] = [];
  for (let second = 1; second <= PLAYED_S; second += 1) {
    await Bun.sleep(Math.max(0, began + second * 1000 - performance.now()));
    tick();
    lates.push(lateMs());
  }
  const share = processorMs(before) / (performance.now() - began);
  // Steps take 250 ms; a delay of up to two of them counts as in time.
  const limit = 2 * 250 * SPEED;
  const last = lates.slice(-5);
  const worst = Math.max(...last);
  return {
    what: `Replay at speed ${SPEED} from 09:55 for ${PLAYED_S} s: delay in the last five seconds, in market time`,
    measured: `${(worst / 1000).toFixed(1)} s at most (${(Math.max(...lates) / 1000).toFixed(1)} s at the opening), ${(share * 100).toFixed(0)} % of a core; ${((clock.now() - from) / 60_000).toFixed(0)} minutes played`,
    target: `≤ ${limit / 1000} s`,
    ok: worst <= limit,
  };
}

const DATE = '2026-01-19';
const LIMIT_SHARE = 0.03;
const LIMIT_BYTES = 60_000_000;

export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bellbird-bench-'));
  try {
    const path = join(folder, 'day.bellbird');
    const day = await recordDay(path, fromSydney(DATE, 7, 0), fromSydney(DATE, 16, 30));
    return [...recordingRows(day), ...(await measureReplay(path))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function recordingRows({ ticks, stocks, bytes, processorMs }: RecordedDay): Row[] {
  const share = processorMs / 1000 / ticks;
  return [
    {
      what: `Record ${stocks} stocks from 07:00 to 16:30, one tick per second, compressed`,
      measured: `${(share * 100).toFixed(2)} % of a core`,
      target: `≤ ${LIMIT_SHARE * 100} %`,
      ok: share <= LIMIT_SHARE,
    },
    {
      what: 'Size of that recording',
      measured: `${(bytes / 1e6).toFixed(1)} MB`,
      target: `≤ ${LIMIT_BYTES / 1e6} MB`,
      ok: bytes <= LIMIT_BYTES,
    },
  ];
}
