import type { Listing } from './listings.ts';
import type { Schedule } from './phases.ts';
import { mix, unit } from './random.ts';
import type { DayRecord } from './record.ts';
import { type HaltedSlots, lastTradingSlot, waypointsOf } from './waypoints.ts';

/** More than any day has slots. */
export const MAX_SLOTS = 361;

/**
 * For every slot of a day its last price, in price steps, and the shares traded in it. Each listing has its part of the
 * buffers, which begins at an offset. `weights` is used while a plan is made, for one listing after the other.
 */
export type PlanBuffers = { steps: Int32Array; volumes: Uint32Array; weights: Float64Array };

/** Room for the plans of this many listings. */
export const newBuffers = (listings: number): PlanBuffers => ({
  steps: new Int32Array(listings * MAX_SLOTS),
  volumes: new Uint32Array(listings * MAX_SLOTS),
  weights: new Float64Array(MAX_SLOTS),
});

/** Width of the uniform noise that a minute adds to a price, in steps: the day's range over the root of its minutes. */
const wanderOf = (record: DayRecord): number =>
  Math.max(0.5, ((record.highStep - record.lowStep) / Math.sqrt(360)) * 2.2);

/** A walk from waypoint to waypoint inside the day's range, in whole steps. */
function fillSteps(
  buffers: PlanBuffers,
  offset: number,
  record: DayRecord,
  points: readonly { slot: number; step: number }[],
  seed: number,
): void {
  const { steps } = buffers;
  const { lowStep, highStep } = record;
  const wander = wanderOf(record);
  let from = points[0];
  if (!from) return;
  steps[offset + from.slot] = from.step;
  for (const to of points.slice(1)) {
    let price = from.step;
    for (let slot = from.slot + 1; slot < to.slot; slot += 1) {
      const left = to.slot - slot + 1;
      const noise = (mix(seed, slot) / 4294967296 - 0.5) * wander;
      price += (to.step - price) / left + noise * Math.sqrt((left - 1) / left);
      const bounce = ((mix(seed, slot + 1000) & 1023) / 1023 - 0.5) * 1.1;
      steps[offset + slot] = Math.min(highStep, Math.max(lowStep, Math.round(price + bounce)));
    }
    steps[offset + to.slot] = to.step;
    from = to;
  }
}

/** The relative volume of a slot; 0 when nothing trades in it. */
function weightOf(seed: number, slot: number, expected: number, jumped: number): number {
  const trades = mix(seed, slot + 2000) / 4294967296 < 1 - Math.exp(-expected * 1.6);
  if (!trades) return 0;
  const size = mix(seed, slot + 3000) / 4294967296;
  return (0.35 + size * size * 2) * jumped;
}

/** Distributes the day's continuous volume to its slots by their weights; slots that must trade get a share at least. */
function fillVolumes(
  { volumes, weights }: PlanBuffers,
  offset: number,
  slots: number,
  amount: number,
  must: ReadonlySet<number>,
): void {
  let total = 0;
  for (let slot = 0; slot < slots; slot += 1) total += weights[slot] ?? 0;
  const spare = Math.max(0, amount - must.size);
  let distributed = 0;
  let biggest = 0;
  for (let slot = 0; slot < slots; slot += 1) {
    const share = total > 0 ? Math.floor((spare * (weights[slot] ?? 0)) / total) : 0;
    const volume = share + (must.has(slot) ? 1 : 0);
    volumes[offset + slot] = volume;
    distributed += volume;
    if (volume > (volumes[offset + biggest] ?? 0)) biggest = slot;
  }
  volumes[offset + biggest] = (volumes[offset + biggest] ?? 0) + amount - distributed;
}

/** A slot without a trade keeps the price of the one before. */
function holdPrices(buffers: PlanBuffers, offset: number, slots: number, first: number): void {
  let price = first;
  for (let slot = 0; slot < slots; slot += 1) {
    if ((buffers.volumes[offset + slot] ?? 0) > 0) price = buffers.steps[offset + slot] ?? price;
    buffers.steps[offset + slot] = price;
  }
}

/**
 * Writes the continuous trading of one listing's day: a price path through the record's waypoints, and a volume that
 * follows the day's busy and quiet hours. The volumes add up to the record's volume without auctions and post close.
 * @param seed of the day's path; @param offset where the listing's slots begin in the buffers
 */
export function fillPlan(
  buffers: PlanBuffers,
  offset: number,
  listing: Listing,
  record: DayRecord,
  schedule: Schedule,
  halted: HaltedSlots,
  seed: number,
): void {
  buffers.volumes.fill(0, offset, offset + schedule.slots);
  buffers.steps.fill(record.openStep, offset, offset + schedule.slots);
  if (record.volume === 0) return;
  const points = waypointsOf(schedule, record, halted, mix(seed, 1));
  fillSteps(buffers, offset, record, points, mix(seed, 2));
  const must = new Set(points.map((point) => point.slot));
  if (record.openVolume > 0) must.delete(0);
  const last = lastTradingSlot(schedule, halted);
  const { weights } = buffers;
  weights.fill(0);
  const volumeSeed = mix(seed, 3);
  const jumpSlot = record.jump ? (points.find((point) => point.step === record.jump?.after)?.slot ?? -1) : -1;
  for (let slot = 0; slot <= last; slot += 1) {
    if (slot >= halted.from && slot < halted.until) continue;
    const busy = schedule.activity[slot] ?? 0;
    const rush = jumpSlot >= 0 && slot >= jumpSlot && slot < jumpSlot + 15 ? 4 : 1;
    const weight = weightOf(volumeSeed, slot, listing.tradesPerMinute * busy, rush);
    weights[slot] = busy * (must.has(slot) ? Math.max(0.5, weight) : weight);
  }
  const continuous = record.volume - record.openVolume - record.closeVolume - record.postVolume;
  fillVolumes(buffers, offset, schedule.slots, continuous, must);
  holdPrices(buffers, offset, schedule.slots, record.openStep);
}

/** The number of trades that make up a slot's volume: at least one, at most one per share and about five a second. */
export function tradesIn(
  listing: Listing,
  schedule: Schedule,
  slot: number,
  volume: number,
  seed: number,
): number {
  if (volume <= 0) return 0;
  const usual =
    listing.tradesPerMinute * (schedule.activity[slot] ?? 1) * (0.6 + 0.8 * unit(seed, slot + 4000));
  return Math.max(1, Math.min(volume, 300, Math.round(usual)));
}
