import { createLog } from '#lib/log.ts';
import { openRecording } from '#market/recording/open.ts';
import { createReplay } from '#sources/quotes/replay/index.ts';
import type { MarketSource } from '#sources/quotes/source.ts';
import { percentile, type Row } from './row.ts';
import { composeForBench } from './support/composition.ts';

const JUMPS = 40;
const JUMP_LIMIT_MS = 500;
const SPEED = 60;
const PLAYED_S = 30;
const SETTLE_MS = 10_000;
/** The opening is the busiest time of a day, so playing starts just before it. */
const BEFORE_OPENING_MS = 3 * 3_600_000 - 5 * 60_000;

const processorMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};

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
        what: `A jump to a moment of that day with the tick that follows, ${JUMPS} of them, p95`,
        measured: `${p95.toFixed(0)} ms (median ${percentile(walls, 0.5).toFixed(0)} ms; processor time p95 ${percentile(spent, 0.95).toFixed(0)} ms)`,
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
  // Steps are 250 ms; up to two of them behind counts as in time.
  const limit = 2 * 250 * SPEED;
  const last = lates.slice(-5);
  const worst = Math.max(...last);
  return {
    what: `Played at speed ${SPEED} from 09:55, ${PLAYED_S} s: how far it was behind in the last five seconds, of market time`,
    measured: `${(worst / 1000).toFixed(1)} s at most (${(Math.max(...lates) / 1000).toFixed(1)} s at the opening), ${(share * 100).toFixed(0)} % of a core; it came ${((clock.now() - from) / 60_000).toFixed(0)} minutes far`,
    target: `≤ ${limit / 1000} s`,
    ok: worst <= limit,
  };
}
