import { phasesOf, type SessionPhase } from '#market/rules/sessionClock.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { DRAW, unit } from './random.ts';
import type { Listing } from './listings.ts';

/**
 * A trading day in seconds after Sydney's midnight. Continuous trading has slots: slot 0 is between the
 * opening auction and 10:00, each other slot is a minute.
 */
export type Schedule = {
  date: string;
  midnight: number;
  preOpen: number;
  ospa: number;
  open: number;
  end: number;
  closing: number;
  postClose: number;
  adjust: number;
  closed: number;
  slots: number;
  /** Activity of each slot; 1 is a usual minute. Higher at both ends of the day. */
  activity: Float64Array;
  /** Share of a usual session's volume, without auctions, traded before each slot. */
  passed: Float64Array;
};

const TEN = 36_000;
/** The real auction is at a random moment of the first 30 seconds; here it is fixed. */
const CLOSING_DELAY = 20;

const activityOf = (slots: number): Float64Array =>
  Float64Array.from({ length: slots }, (_, slot) => {
    const x = slot / (slots - 1);
    const busy = 0.66 + 1.5 * Math.exp(-x / 0.07) + 1.1 * Math.exp((x - 1) / 0.09) + 0.25 * (2 * x - 1) ** 2;
    return slot === 0 ? busy / 4 : busy;
  });

function passedOf(activity: Float64Array): Float64Array {
  const total = activity.reduce((sum, busy) => sum + busy, 0);
  const passed = new Float64Array(activity.length + 1);
  for (let slot = 0; slot < activity.length; slot += 1)
    passed[slot + 1] = (passed[slot] ?? 0) + (activity[slot] ?? 0) / total;
  return passed;
}

export function scheduleOf(date: string): Schedule {
  const midnight = fromSydney(date, 0, 0);
  const spans = phasesOf(date);
  const second = (phase: SessionPhase): number => {
    const span = spans.find((one) => one.phase === phase);
    if (!span) throw new RangeError(`The market does not trade on ${date}.`);
    return (span.since - midnight) / 1000;
  };
  const end = second('pre-cspa');
  const slots = 1 + (end - TEN) / 60;
  const activity = activityOf(slots);
  return {
    date,
    midnight,
    preOpen: second('pre-open'),
    ospa: second('ospa'),
    open: second('open'),
    end,
    closing: second('cspa') + CLOSING_DELAY,
    postClose: second('post-close'),
    adjust: second('adjust'),
    closed: ((spans.at(-1)?.until ?? midnight) - midnight) / 1000,
    slots,
    activity,
    passed: passedOf(activity),
  };
}

/** More days than a week of minutes or the range of hourly bars needs. */
const KEPT_SCHEDULES = 40;

/** Caches `scheduleOf`, because past days are requested for every listing. */
export function createSchedules(): (date: string) => Schedule {
  const schedules = new Map<string, Schedule>();
  return (date) => {
    const existing = schedules.get(date);
    if (existing) return existing;
    if (schedules.size >= KEPT_SCHEDULES) schedules.clear();
    const added = scheduleOf(date);
    schedules.set(date, added);
    return added;
  };
}

export function phaseOf(schedule: Schedule, second: number): SessionPhase {
  if (second < schedule.preOpen || second >= schedule.closed) return 'closed';
  if (second < schedule.ospa) return 'pre-open';
  if (second < schedule.open) return 'ospa';
  if (second < schedule.end) return 'open';
  if (second < schedule.closing - CLOSING_DELAY) return 'pre-cspa';
  if (second < schedule.postClose) return 'cspa';
  return second < schedule.adjust ? 'post-close' : 'adjust';
}

export const slotAt = (second: number): number => (second < TEN ? 0 : 1 + Math.floor((second - TEN) / 60));

export const slotStart = (schedule: Schedule, slot: number): number =>
  slot === 0 ? schedule.open : TEN + 60 * (slot - 1);

/** Above the rounding error of a computed moment, in seconds. */
export const ROUNDING_S = 0.001;

export const slotFrom = (schedule: Schedule, second: number): number =>
  Math.min(schedule.slots, Math.max(0, second <= schedule.open ? 0 : 1 + Math.ceil((second - TEN) / 60)));

/**
 * 'day' begins before the open and lasts all day; 'evening' begins during trading and lasts for the rest of
 * the day; 'pause' is within trading. After 'day' and 'evening' trading resumes at the next open.
 */
export type HaltKind = 'none' | 'day' | 'evening' | 'pause';

export type HaltSpan = { from: number; until: number };

const HALTS_PER_DAY = 0.0045;
const OPEN = 10 * 3600;

export function haltKind(listing: Listing, seed: number): HaltKind {
  if (listing.kind === 'fund' || listing.suspended || unit(seed, DRAW.halt) >= HALTS_PER_DAY) return 'none';
  const at = unit(seed, DRAW.haltKind);
  return at < 0.5 ? 'day' : at < 0.75 ? 'evening' : 'pause';
}

/**
 * Null if it is not halted.
 * @param resuming halted the evening before; it stays halted until shortly before the open
 * @param sessionEnd second at which continuous trading ends
 */
export function haltSpan(
  kind: HaltKind,
  resuming: boolean,
  seed: number,
  sessionEnd: number,
): HaltSpan | null {
  if (resuming) return { from: 0, until: 8.75 * 3600 + Math.floor(unit(seed, DRAW.resume) * 3600) };
  if (kind === 'none') return null;
  const at = unit(seed, DRAW.haltTime);
  if (kind === 'day') return { from: Math.floor((8.3 + 1.55 * at) * 3600), until: Number.POSITIVE_INFINITY };
  // Whole minutes, so that a slot is either halted or not. Halts begin from 10:20 to 160 min before the end.
  const from = OPEN + 60 * Math.floor(20 + at * Math.max(0, (sessionEnd - OPEN) / 60 - 180));
  if (kind === 'evening') return { from, until: Number.POSITIVE_INFINITY };
  return { from, until: from + 60 * Math.floor(25 + unit(seed, DRAW.haltLength) * 80) };
}
