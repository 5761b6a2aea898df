import { sydneyDate } from '../../src/market/rules/sydneyTime.ts';
import { createMarket } from '../../src/market/market.ts';
import { FileWriter, createRecordingFile } from '../../src/market/recording/fileWriter.ts';
import { utcOffsetOf, VERSION } from '../../src/market/recording/head.ts';
import { Recorder, recorded } from '../../src/market/recording/recorder.ts';
import type { Release } from '../../src/sources/announcements/source.ts';
import { Exchange } from '../../src/sources/quotes/simulator/exchange.ts';
import { createListings } from '../../src/sources/quotes/simulator/listings.ts';

export type RecordedFileOptions = {
  path: string;
  /** Epoch ms. */
  from: number;
  until: number;
  stepMs: number;
  /** The stocks; all two thousand when absent. */
  codes?: ReadonlySet<string>;
  /** Announcements by their times. */
  releases?: readonly Release[];
};

/** Records a stretch of a simulated day into a file, as fast as it goes. */
export async function recordFile(options: RecordedFileOptions): Promise<void> {
  const { path, from, until, stepMs, codes, releases = [] } = options;
  const isWanted = ({ code }: { code: string }): boolean => codes?.has(code) ?? true;
  const exchange = new Exchange({ seed: 1, listings: createListings().filter(isWanted) });
  let now = from;
  const market = createMarket({ clock: { now: () => now }, days: 'independent' });
  while (!exchange.ready(now)) market.apply(exchange.load(now, 200));
  market.flush();
  const seen = (code: string) => {
    const stock = market.get(code);
    return stock ? [recorded(stock, market.statedQuoteTime(code), market.quoteTime(code))] : [];
  };
  const file = new FileWriter(await createRecordingFile(path), {
    version: VERSION,
    source: { name: 'simulator', label: 'Simulated', days: 'independent', delayMinutes: 0 },
    date: sydneyDate(from),
    utcOffsetMinutes: utcOffsetOf(sydneyDate(from)),
    startedAt: from,
  });
  const told = (): Release[] => releases.filter(({ time }) => time <= now);
  const recorder: Recorder = new Recorder(
    {
      file,
      stopwatch: { monotonic: () => now },
      stocks: () => [...market.all().keys()].flatMap(seen),
      releases: told,
      events: () => [],
    },
    from,
  );
  for (now = from + stepMs; now <= until; now += stepMs) {
    market.apply(exchange.advanceTo(now));
    const changes = market.flush();
    if (changes) recorder.stocks(now, Object.keys(changes.upsert).flatMap(seen), changes.delete);
    const fresh = releases.filter(({ time }) => time > now - stepMs && time <= now);
    if (fresh.length > 0) recorder.other(now, { kind: 'announcements', releases: fresh });
    // What waits for the disk is written.
    if (now % 60_000 < stepMs) await Bun.sleep(0);
  }
  await recorder.end();
  const failure = recorder.failure();
  if (failure !== null) throw new Error(failure);
}
