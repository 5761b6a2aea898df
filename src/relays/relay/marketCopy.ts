import type { Stopwatch } from '#lib/clock.ts';
import { parseJson } from '#lib/json.ts';
import { applyEventPatch, type CalendarEvent, wireEvent } from '#market/calendar/rules/calendarEvent.ts';
import { applyDelta, type Delta, readStocks, type Snapshot, type StreamMeta } from '#market/rules/stream.ts';
import type { Stock } from '#market/rules/stock.ts';
import type { State } from '#market/stream/snapshots.ts';
import { EVENT_END, eventHead } from '#platform/sse/message.ts';

type MarketEvent =
  | { name: 'snapshot'; data: Snapshot }
  | { name: 'delta_update'; data: Delta }
  | { name: 'ping'; data: { time: number } };

const NAMES: readonly MarketEvent['name'][] = ['delta_update', 'ping', 'snapshot'];

/**
 * Reads an event of the primary. Its seal proves its form.
 * @param id the expected id
 * @returns null if the id differs or the name is unknown
 */
export function readMarketEvent(text: Uint8Array, id: string): MarketEvent | null {
  const read = new TextDecoder().decode(text);
  const name = NAMES.find((one) => read.startsWith(eventHead(one, id)));
  if (name === undefined || !read.endsWith(EVENT_END)) return null;
  const parsed = parseJson(read.slice(eventHead(name, id).length, -EVENT_END.length));
  return parsed.ok ? ({ name, data: parsed.value } as MarketEvent) : null;
}

/** A time of the primary's wall clock, epoch ms, and the stopwatch reading at which it arrived. */
type ClockReading = { wall: number; at: number };

/** The state of the market's stream. The primary's times continue by this machine's stopwatch. */
export class MarketCopy {
  #stocks: ReadonlyMap<string, Stock> = new Map();
  #meta: StreamMeta;
  #events = new Map<string, CalendarEvent>();
  #fx: Snapshot['fx'] | null = null;
  #lastUpdated: number | null = null;
  #lastReading: ClockReading;

  constructor(
    snapshot: Snapshot,
    private readonly clock: Stopwatch,
  ) {
    this.#meta = snapshot.meta;
    this.#lastReading = this.#clockReading();
    this.#replace(snapshot);
  }

  apply({ name, data }: MarketEvent): void {
    if (name === 'snapshot') this.#replace(data);
    else if (name === 'delta_update') this.#change(data);
    else this.#goOnTo({ wall: data.time, at: this.clock.monotonic() });
  }

  now(): number {
    return this.#lastReading.wall + this.clock.monotonic() - this.#lastReading.at;
  }

  /** The state with the current clock; its records never change. */
  state(): State {
    return {
      stocks: this.#stocks.values(),
      meta: { ...this.#meta, ...this.#clocksAt(this.now()) },
      fx: (this.#fx ??= {
        data: Object.fromEntries([...this.#events].map(([id, event]) => [id, wireEvent(event)])),
        lastUpdated: this.#lastUpdated,
      }),
    };
  }

  #replace({ stocks, meta, fx }: Snapshot): void {
    this.#stocks = readStocks(stocks);
    this.#meta = meta;
    this.#lastReading = this.#clockReading();
    this.#events = new Map(
      Object.entries(fx.data).map(([id, patch]) => [id, applyEventPatch(id, undefined, patch)]),
    );
    this.#lastUpdated = fx.lastUpdated;
    this.#fx = null;
  }

  #change(delta: Delta): void {
    this.#stocks = applyDelta(this.#stocks, delta);
    // Clock fields that are not repeated continue from their last value.
    this.#meta = { ...this.#meta, ...this.#clocksAt(this.now()), ...delta.meta };
    this.#lastReading = this.#clockReading();
    this.#changeEvents(delta.fx);
  }

  /** If the changes have no time, they are partial and must not count as complete. */
  #changeEvents({ upsert, delete: gone, lastUpdated }: Delta['fx']): void {
    const changed = Object.entries(upsert);
    if (changed.length === 0 && gone.length === 0 && lastUpdated === null) return;
    for (const id of gone) this.#events.delete(id);
    for (const [id, patch] of changed) this.#events.set(id, applyEventPatch(id, this.#events.get(id), patch));
    this.#lastUpdated = lastUpdated;
    this.#fx = null;
  }

  #goOnTo(reading: ClockReading): void {
    this.#meta = { ...this.#meta, ...this.#clocksAt(reading.wall) };
    this.#lastReading = reading;
  }

  #clockReading(): ClockReading {
    const { marketTime, clockOffsetMs } = this.#meta;
    return { wall: marketTime - clockOffsetMs, at: this.clock.monotonic() };
  }

  #clocksAt(wall: number): Pick<StreamMeta, 'marketTime' | 'clockOffsetMs'> {
    const { marketTime, clockOffsetMs, clockSpeed } = this.#meta;
    const then = marketTime - clockOffsetMs;
    const time = Math.round(marketTime + (wall - then) * clockSpeed);
    return { marketTime: time, clockOffsetMs: Math.round(time - wall) };
  }
}
