import type { Log } from '#lib/log.ts';
import type { Market } from '../types.ts';
import type { FrameLoader } from './loadFrames.ts';
import { writeFrame } from './frame.ts';
import { ValueChanges } from './valueChanges.ts';

/** Puts the changes collected for a stock into the Market. @returns how many values changed */
export function putChanges(market: Market, code: string, changes: ValueChanges): number {
  const values = changes.result();
  if (values) market.setValues(code, values, values.patch);
  return changes.count();
}

/**
 * How many values of changed stocks a tick computes; those of the stocks beyond it follow in the next ticks. A batch may
 * change all stocks at once, and a thousand of them with 200 columns would hold the loop for a tenth of a second. All
 * stocks with ten columns fit, and computed they cost about 10 ms.
 */
export const MAX_VALUES_A_TICK = 20_000;

/**
 * How many values a tick may bring or take away because columns were chosen or given up; the others follow in the next
 * ticks. Computed, compared, encoded and compressed they cost about 5 ms.
 */
export const MAX_NEW_VALUES_A_TICK = 3000;

/** The stocks whose values are to be written into the Market. */
export class WriteQueue {
  private readonly changes = new ValueChanges();
  private readonly changed = new Set<string>();
  /** In the order in which they were loaded. */
  private readonly loaded = new Set<string>();

  /** @param loader gives the frames whose values are written */
  constructor(
    private readonly market: Market,
    private readonly loader: Pick<FrameLoader, 'framesOf' | 'giveUp' | 'plan'>,
    private readonly log: Log,
  ) {}

  /** A trade may have changed the stock's values. */
  addChanged(code: string): void {
    this.changed.add(code);
  }

  /** The stock has frames whose values were never written. */
  addLoaded(code: string): void {
    this.loaded.add(code);
  }

  drop(code: string): void {
    this.changed.delete(code);
    this.loaded.delete(code);
  }

  clear(): void {
    this.changed.clear();
    this.loaded.clear();
  }

  /** Writes as much as fits into a tick. @returns how many new values still fit into it */
  work(): number {
    this.writeChanged();
    let left = MAX_NEW_VALUES_A_TICK;
    for (const code of this.loaded) {
      if (left <= 0) return 0;
      this.loaded.delete(code);
      left -= Math.max(1, this.write(code));
    }
    return Math.max(0, left);
  }

  /** The values of a trade ride with it, but for those of stocks that wait for their first turn. */
  private writeChanged(): void {
    const ofStock = Math.max(1, this.loader.plan().places.size);
    let left = MAX_VALUES_A_TICK;
    for (const code of this.changed) {
      if (left <= 0) return;
      this.changed.delete(code);
      if (this.loaded.has(code)) continue;
      this.write(code);
      left -= ofStock;
    }
  }

  /** @returns how many values changed */
  private write(code: string): number {
    const stock = this.market.get(code);
    if (!stock) return 0;
    const { places } = this.loader.plan();
    let isComputed = true;
    this.changes.begin(stock);
    try {
      for (const frame of this.loader.framesOf(code) ?? []) writeFrame(frame, places, this.changes);
    } catch (error) {
      this.log.error('Indicators of a stock could not be computed; the others go on', { code, error });
      isComputed = false;
    }
    const values = putChanges(this.market, code, this.changes);
    if (!isComputed) this.loader.giveUp(code);
    return values;
  }
}
