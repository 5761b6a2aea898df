import { type HaltSpan, type Schedule, slotFrom } from './phases.ts';
import type { Listing } from './listings.ts';
import { mix, unit } from './random.ts';
import type { DayRecord } from './record.ts';

/** A price, in price steps, at the end of a slot. */
type Waypoint = { slot: number; step: number };

type HaltedSlots = { from: number; until: number };

export function haltedSlots(schedule: Schedule, span: HaltSpan | null): HaltedSlots {
  if (!span || span.until <= schedule.open) return { from: 0, until: 0 };
  return { from: slotFrom(schedule, span.from), until: slotFrom(schedule, span.until) };
}

const lastTradingSlot = (schedule: Schedule, halted: HaltedSlots): number =>
  halted.from < halted.until && halted.until >= schedule.slots ? halted.from - 1 : schedule.slots - 1;

const between = (low: number, high: number, at: number): number =>
  low + Math.floor(Math.max(0, high - low) * at);

/** Slots for the day's high and low: on both sides of the news if there is a jump. */
function extremes(record: DayRecord, jumpSlot: number, last: number, seed: number): Waypoint[] {
  const { highStep, lowStep, jump } = record;
  const a = unit(seed, 1);
  const b = unit(seed, 2);
  const inOrder = (rising: boolean, early: number, late: number): Waypoint[] => [
    { slot: early, step: rising ? lowStep : highStep },
    { slot: late, step: rising ? highStep : lowStep },
  ];
  if (jump && jump.after !== jump.before)
    return inOrder(jump.after > jump.before, between(1, jumpSlot, a), between(jumpSlot + 1, last, b));
  const rising = unit(seed, 3) < (record.closeStep >= record.openStep ? 0.72 : 0.28);
  return inOrder(rising, between(1, last, Math.min(a, b)), between(1, last, Math.max(a, b)));
}

/** The slot nearest to the preferred one in which the listing trades and that has no waypoint. */
function freeSlot(
  preferred: number,
  last: number,
  halted: HaltedSlots,
  used: ReadonlyMap<number, number>,
): number {
  const free = (slot: number): boolean =>
    slot >= 0 && slot <= last && !used.has(slot) && (slot < halted.from || slot >= halted.until);
  for (let away = 0; away <= last; away += 1) {
    if (free(preferred - away)) return preferred - away;
    if (free(preferred + away)) return preferred + away;
  }
  throw new Error('The trading day is too short to be simulated.');
}

/**
 * Prices that must trade, at most one per slot, in order: first and last price, before and after the news,
 * high and low.
 * @param seed of the day's path
 */
function waypointsOf(schedule: Schedule, record: DayRecord, halted: HaltedSlots, seed: number): Waypoint[] {
  const last = lastTradingSlot(schedule, halted);
  const used = new Map<number, number>([[0, record.openStep]]);
  const put = (preferred: number, step: number): number => {
    const slot = freeSlot(preferred, last, halted, used);
    used.set(slot, step);
    return slot;
  };
  put(last, record.endStep);
  let jumpSlot = 0;
  if (record.jump) {
    const paused = halted.from < halted.until && halted.until < schedule.slots;
    const news = paused ? halted.until : slotFrom(schedule, record.jump.second);
    jumpSlot = put(Math.min(last - 2, Math.max(5, news)), record.jump.after);
    put(paused ? halted.from - 1 : jumpSlot - 1, record.jump.before);
  }
  for (const point of extremes(record, jumpSlot, last, seed)) put(point.slot, point.step);
  return [...used].map(([slot, step]) => ({ slot, step })).sort((a, b) => a.slot - b.slot);
}

export const MAX_SLOTS = 361;

/**
 * For every slot its last price, in price steps, and its traded shares. Each listing's part begins at an
 * offset. `weights` is reused for each listing.
 */
export type PlanBuffers = { steps: Int32Array; volumes: Uint32Array; weights: Float64Array };

export const newBuffers = (listings: number): PlanBuffers => ({
  steps: new Int32Array(listings * MAX_SLOTS),
  volumes: new Uint32Array(listings * MAX_SLOTS),
  weights: new Float64Array(MAX_SLOTS),
});

/** Noise of a minute, in steps: the day's range over the root of its minutes. */
const wanderOf = (record: DayRecord): number =>
  Math.max(0.5, ((record.highStep - record.lowStep) / Math.sqrt(360)) * 2.2);

/** A walk from waypoint to waypoint within the day's range, in whole steps. */
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

function weightOf(seed: number, slot: number, expected: number, jumped: number): number {
  const trades = mix(seed, slot + 2000) / 4294967296 < 1 - Math.exp(-expected * 1.6);
  if (!trades) return 0;
  const size = mix(seed, slot + 3000) / 4294967296;
  return (0.35 + size * size * 2) * jumped;
}

/** Distributes the continuous volume by the weights; slots that must trade get at least one share. */
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

/** A slot without a trade has the price of the previous one. */
function holdPrices(buffers: PlanBuffers, offset: number, slots: number, first: number): void {
  let price = first;
  for (let slot = 0; slot < slots; slot += 1) {
    if ((buffers.volumes[offset + slot] ?? 0) > 0) price = buffers.steps[offset + slot] ?? price;
    buffers.steps[offset + slot] = price;
  }
}

/**
 * Writes the continuous trading of a listing's day: a price path through the waypoints, and busy and quiet
 * hours. The volumes add up to the day's volume without auctions and post close.
 * @param seed of the day's path
 * @param offset of the listing in the buffers
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

/** Trades of a slot: at least one, at most one per share and about five per second. */
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
