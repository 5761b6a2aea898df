import { sydneyDate } from '#lib/sydneyTime.ts';
import { utcOffsetOf, VERSION } from '#market/recording/blocks.ts';
import { Exchange } from '#sources/quotes/simulator/exchange.ts';
import { createListings } from '#sources/quotes/simulator/listings.ts';
import { recordedMarket } from './recordedMarket.ts';

/** Records a part of a simulated day of these stocks to a file, as fast as possible. @param options.from epoch ms */
export async function recordFile(options: {
  path: string;
  from: number;
  until: number;
  stepMs: number;
  codes: ReadonlySet<string>;
}): Promise<void> {
  const { path, from, until, stepMs, codes } = options;
  const exchange = new Exchange({
    seed: 1,
    listings: createListings().filter(({ code }) => codes.has(code)),
  });
  const source = { name: 'simulator', label: 'Simulated', days: 'independent', delayMinutes: 0 } as const;
  const date = sydneyDate(from);
  const { tick, recorder } = await recordedMarket({
    path,
    from,
    head: { version: VERSION, source, date, utcOffsetMinutes: utcOffsetOf(date) },
    before(market) {
      while (!exchange.ready(from)) market.apply(exchange.load(from, 200));
      market.flush();
    },
  });
  for (let now = from + stepMs; now <= until; now += stepMs) {
    tick(stepMs, exchange.advanceTo(now));
    // Pending data is written.
    if (now % 60_000 < stepMs) await Bun.sleep(0);
  }
  await recorder.end();
  const failure = recorder.failure();
  if (failure !== null) throw new Error(failure);
}
