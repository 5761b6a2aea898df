import type { MarketSource } from '#sources/quotes/source.ts';
import { standIn } from '#support/appOf.ts';
import type { Clock } from '#lib/clock.ts';
import { createMarket } from '#market/market.ts';
import { startRecording } from '#market/recording/live.ts';
import { Exchange } from '#sources/quotes/simulator/exchange.ts';

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
 * Records part of a simulated day into a new file, one second of market time per step, at full speed. The
 * recorder's stopwatch is the market's clock, so it writes as often as at speed 1.
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
    // Only compression and writes of a block run here, so all processor time is theirs.
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
