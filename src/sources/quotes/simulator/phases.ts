import { phasesOf, type SessionPhase } from '#market/rules/sessionClock.ts';
import { fromSydney } from '#market/rules/sydneyTime.ts';
import { DRAW, unit } from './random.ts';
import type { Listing } from './listings.ts';

/**
 * One trading day in seconds after Sydney's midnight. Continuous trading is cut into slots: slot 0 is the moment
 * between the opening auction and 10:00, each other slot is a minute.
 */
export type Schedule = {
  date: string;
  /** Epoch ms of midnight. */
  midnight: number;
  preOpen: number;
  ospa: number;
  open: number;
  /** End of continuous trading. */
  end: number;
  /** When the closing auction is held. */
  closing: number;
  postClose: number;
  adjust: number;
  closed: number;
  slots: number;
  /** How busy each slot is; a usual minute is 1. Busy at both ends of the day. */
  activity: Float64Array;
  /** Share of a usual session's volume, auctions apart, that has traded when a slot begins. */
  passed: Float64Array;
};

const TEN = 36_000;
/** The exchange holds the closing auction at a random moment of the first 30 seconds; here it is this one. */
const CLOSING_DELAY = 20;

const activityOf = (slots: number): Float64Array =>
  Float64Array.from({ length: slots }, (_, slot) => {
    const x = slot / (slots - 1);
    const busy = 0.66 + 1.5 * Math.exp(-x / 0.07) + 1.1 * Math.exp((x - 1) / 0.09) + 0.25 * (2 * x - 1) ** 2;
    return slot === 0 ? busy / 4 : busy;
  });

/** The share of the session's activity before each slot; one entry more than there are slots. */
function passedOf(activity: Float64Array): Float64Array {
  const total = activity.reduce((sum, busy) => sum + busy, 0);
  const passed = new Float64Array(activity.length + 1);
  for (let slot = 0; slot < activity.length; slot += 1)
    passed[slot + 1] = (passed[slot] ?? 0) + (activity[slot] ?? 0) / total;
  return passed;
}

/**
 * The schedule of a trading day, early closes included.
 * @param date YYYY-MM-DD; a RangeError when the market does not trade then
 */
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

/** A week of minutes and what hourly bars reach back further are fewer days. */
const KEPT_SCHEDULES = 40;

/** `scheduleOf` that keeps what it made last: the days of the past are asked for again with every listing. */
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

/** The phase of a second of a trading day. */
export function phaseOf(schedule: Schedule, second: number): SessionPhase {
  if (second < schedule.preOpen || second >= schedule.closed) return 'closed';
  if (second < schedule.ospa) return 'pre-open';
  if (second < schedule.open) return 'ospa';
  if (second < schedule.end) return 'open';
  if (second < schedule.closing - CLOSING_DELAY) return 'pre-cspa';
  if (second < schedule.postClose) return 'cspa';
  return second < schedule.adjust ? 'post-close' : 'adjust';
}

/** The slot that a second of continuous trading lies in. */
export const slotAt = (second: number): number => (second < TEN ? 0 : 1 + Math.floor((second - TEN) / 60));

/** Second at which a slot begins; the slot after the last begins when trading ends. */
export const slotStart = (schedule: Schedule, slot: number): number =>
  slot === 0 ? schedule.open : TEN + 60 * (slot - 1);

/** Seconds that are more than what is rounded when a moment is reckoned from what has passed by then. */
export const ROUNDING_S = 0.001;

/** The first slot that begins at or after a second, kept within the session. */
export const slotFrom = (schedule: Schedule, second: number): number =>
  Math.min(schedule.slots, Math.max(0, second <= schedule.open ? 0 : 1 + Math.ceil((second - TEN) / 60)));

/**
 * The trading halt of a day: 'day' begins before the open and lasts all day, 'evening' begins during trading and lasts
 * for the rest of the day, 'pause' begins and ends during trading. After 'day' and 'evening' trading resumes with the
 * next day's open.
 */
export type HaltKind = 'none' | 'day' | 'evening' | 'pause';

/** Seconds of the day, `until` exclusive; an end after the day is Infinity. */
export type HaltSpan = { from: number; until: number };

const HALTS_PER_DAY = 0.0045;
const OPEN = 10 * 3600;

/** The halt that begins on a day; for a listing that was not halted the evening before. */
export function haltKind(listing: Listing, seed: number): HaltKind {
  if (listing.kind === 'fund' || listing.suspended || unit(seed, DRAW.halt) >= HALTS_PER_DAY) return 'none';
  const at = unit(seed, DRAW.haltKind);
  return at < 0.5 ? 'day' : at < 0.75 ? 'evening' : 'pause';
}

/**
 * When a listing is halted on a day; null when it is not.
 * @param resuming true when it was halted the evening before: it stays halted until shortly before the open then
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
  // Whole minutes, so that every slot of the day's plan is either halted or not. None begins in the last 160, or before 10:20.
  const from = OPEN + 60 * Math.floor(20 + at * Math.max(0, (sessionEnd - OPEN) / 60 - 180));
  if (kind === 'evening') return { from, until: Number.POSITIVE_INFINITY };
  return { from, until: from + 60 * Math.floor(25 + unit(seed, DRAW.haltLength) * 80) };
}
