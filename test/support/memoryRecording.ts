import type { MinuteBar } from '#market/bars/rules/bars.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { createLog } from '#lib/log.ts';
import type { Market } from '#market/types.ts';
import { createMarket } from '#market/market.ts';
import type { RecordedBase, RecordedEvent, RecordingHead } from '#market/recording/types.ts';
import type { Recording } from '#market/recording/dayBook.ts';
import { Exchange } from '#sources/quotes/simulator/exchange.ts';
import { createListings } from '#sources/quotes/simulator/listings.ts';

const MINUTE_MS = 60_000;
const BASE_EVERY_MS = 5 * MINUTE_MS;

export type RecordedParts = {
  bases: readonly RecordedBase[];
  events: readonly RecordedEvent[];
  minutes?: ReadonlyMap<string, readonly MinuteBar[]>;
  head?: Partial<RecordingHead>;
  from?: number;
  until?: number;
  isCutOff?: boolean;
};

/** A recording in memory. */
export function memoryRecording(parts: RecordedParts): Recording {
  const { bases, events, minutes = new Map<string, readonly MinuteBar[]>() } = parts;
  const from = parts.from ?? bases[0]?.time ?? 0;
  const source = { name: 'hand', label: 'By hand', days: 'consecutive', delayMinutes: 0 } as const;
  const fixed = { version: 1, source, utcOffsetMinutes: 660, startedAt: from };
  return {
    head: { ...fixed, date: sydneyDate(from), ...parts.head },
    from,
    until: parts.until ?? events.at(-1)?.time ?? from,
    isCutOff: parts.isCutOff ?? false,
    baseAt(time) {
      const base = bases.findLast((one) => one.time <= time) ?? bases[0];
      if (!base) throw new Error('There is no base.');
      return base;
    },
    events: (after, until) => events.filter(({ time }) => time > after && time <= until),
    minutes: (code, before) => (minutes.get(code) ?? []).filter((minute) => minute.time < before),
    close: () => {},
  };
}

/** The current state of a market, as a recorder stores it. */
export function baseOf(market: Pick<Market, 'all' | 'facts'>, time: number): RecordedBase {
  const stocks = [...market.all().values()].map((stock) => structuredClone(stock));
  const facts = Object.fromEntries(
    stocks.flatMap(({ code }) => {
      const known = market.facts(code);
      return known ? [[code, known] as const] : [];
    }),
  );
  return { time, stocks, facts, releases: [], events: [] };
}

/** Minute bars of the last prices in events. */
function minutesOf(events: readonly RecordedEvent[]): Map<string, MinuteBar[]> {
  const minutes = new Map<string, MinuteBar[]>();
  for (const event of events) {
    if (event.kind !== 'stocks') continue;
    const time = Math.floor(event.time / MINUTE_MS) * MINUTE_MS;
    for (const { code, last: price } of event.updates) {
      if (typeof price !== 'number') continue;
      const rows = minutes.get(code) ?? [];
      minutes.set(code, rows);
      const running = rows.at(-1);
      if (running?.time !== time)
        rows.push({ time, open: price, high: price, low: price, close: price, volume: 1 });
      else
        Object.assign(running, {
          high: Math.max(running.high, price),
          low: Math.min(running.low, price),
          close: price,
        });
    }
  }
  return minutes;
}

/**
 * A part of a simulated day: the market’s input at each step, and its state every five minutes.
 * @param options.from epoch ms
 * @param options.stepMs between two batches
 * @param options.codes the stocks; all if omitted
 */
export function recordSimulated(options: {
  from: number;
  until: number;
  stepMs: number;
  codes?: ReadonlySet<string>;
}): Recording {
  const { from, until, stepMs, codes } = options;
  const isWanted = ({ code }: { code: string }): boolean => codes?.has(code) ?? true;
  const exchange = new Exchange({ seed: 1, listings: createListings().filter(isWanted) });
  let now = from;
  const market = createMarket({ clock: { now: () => now }, days: 'independent' });
  const events: RecordedEvent[] = [];
  const bases: RecordedBase[] = [];
  while (!exchange.ready(now)) market.apply(exchange.load(now, 200));
  for (; now <= until; now += stepMs) {
    const updates = exchange.advanceTo(now).map((update) => structuredClone(update));
    market.apply(updates);
    if (now > from && updates.length > 0) events.push({ time: now, kind: 'stocks', updates });
    const last = bases.at(-1);
    if (!last || now - last.time >= BASE_EVERY_MS) bases.push(baseOf(market, now));
  }
  const source = { name: 'simulator', label: 'Simulated', days: 'independent', delayMinutes: 0 } as const;
  return memoryRecording({ bases, events, minutes: minutesOf(events), head: { source }, until });
}

export const silentLog = createLog(() => undefined);
