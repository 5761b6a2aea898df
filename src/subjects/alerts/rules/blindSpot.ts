import { isRecord } from '#lib/json.ts';
import type { BlindReason } from './blindSpotMessage.ts';

/** What is seen of the market at one look. */
export type Sight =
  | { kind: 'sees' }
  /** It can't be said yet: the server, or the market, has just begun. */
  | { kind: 'unsure' }
  /** @param since when the last prices came, epoch ms */
  | { kind: 'stopped'; since: number }
  | { kind: 'late' };

/** A stretch in which alerts could not see. Lengths are ms of the stopwatch, moments epoch ms. */
export type Blindness = {
  reason: BlindReason;
  since: number;
  /** How long it has lasted in market hours since this run noticed it. */
  blindMs: number;
  /** Owners were told that it began. */
  isTold: boolean;
  /** The server was not running for long enough that its end is told in any case. */
  wasDown: boolean;
  /** Since when prices come again, and for how long; null while they don't. */
  sight: { since: number; ms: number } | null;
  /** The newest trigger when it began, by its id. */
  afterTrigger: number;
};

/** What is kept over a restart. */
export type BlindSpotState = {
  /** The last moment in market hours in which the server was running; null before the first. */
  heartbeat: number | null;
  blindness: Blindness | null;
  /** When the last one that was told ended; null before the first. */
  endedAt: number | null;
};

export const FRESH: BlindSpotState = { heartbeat: null, blindness: null, endedAt: null };

/** One look at the feed. */
export type Observation = {
  /** Epoch ms. */
  now: number;
  /** Since the last look, by the stopwatch. */
  elapsedMs: number;
  /** Whether these are hours in which alerts must see. */
  isWatched: boolean;
  sight: Sight;
  /** The newest trigger, by its id. */
  newestTrigger(): number;
};

/** Who has active alerts is to be told this. */
export type BlindSpotNews = { kind: 'blind' | 'seesAgain'; blindness: Blindness };

const MINUTE_MS = 60_000;
export const TELL_AFTER_MS = 3 * MINUTE_MS;
/** So long prices must come before they are said to. */
const HOLD_MS = 2 * MINUTE_MS;
/** The same for a feed that comes and goes. */
const LONG_HOLD_MS = 10 * MINUTE_MS;
const LATELY_MS = 60 * MINUTE_MS;

/** How long prices must come: longer when the last blindness is not long over. */
function holdFor({ since }: Blindness, endedAt: number | null): number {
  const isLately = endedAt !== null && Math.abs(since - endedAt) < LATELY_MS;
  return isLately ? LONG_HOLD_MS : HOLD_MS;
}

function begun(
  sight: Extract<Sight, { kind: 'stopped' | 'late' }>,
  { now, newestTrigger }: Observation,
): Blindness {
  const since = sight.kind === 'stopped' ? Math.min(sight.since, now) : now;
  return {
    reason: sight.kind,
    since,
    blindMs: now - since,
    isTold: false,
    wasDown: false,
    sight: null,
    afterTrigger: newestTrigger(),
  };
}

type Step = { state: BlindSpotState; news: BlindSpotNews | null };

const quiet = (state: BlindSpotState): Step => ({ state, news: null });

function look(state: BlindSpotState, observation: Observation, blindness: Blindness): Step {
  const { now, elapsedMs } = observation;
  const ms = blindness.sight === null ? 0 : blindness.sight.ms + elapsedMs;
  const since = blindness.sight?.since ?? now;
  const next: Blindness = { ...blindness, sight: { since, ms } };
  // Nobody knows of it, so nobody has to hear that it is over.
  if (!blindness.isTold && !blindness.wasDown) return quiet({ ...state, blindness: null });
  if (ms < holdFor(blindness, state.endedAt)) return quiet({ ...state, blindness: next });
  return {
    state: { ...state, blindness: null, endedAt: now },
    news: { kind: 'seesAgain', blindness: next },
  };
}

function stayBlind(state: BlindSpotState, observation: Observation, blindness: Blindness): Step {
  const blindMs = blindness.blindMs + observation.elapsedMs;
  const next: Blindness = { ...blindness, blindMs, sight: null };
  if (blindness.isTold || blindMs < TELL_AFTER_MS) return quiet({ ...state, blindness: next });
  const told = { ...next, isTold: true };
  return { state: { ...state, blindness: told }, news: { kind: 'blind', blindness: told } };
}

/**
 * What follows from one look at the feed. Lengths are measured by the stopwatch, so setting the clock makes nobody blind.
 * Outside of market hours nobody becomes blind, but prices that come again are seen.
 */
export function observe(state: BlindSpotState, observation: Observation): Step {
  const { sight, isWatched } = observation;
  const { blindness } = state;
  if (sight.kind === 'unsure') return quiet(state);
  if (sight.kind === 'sees') return blindness === null ? quiet(state) : look(state, observation, blindness);
  if (!isWatched) {
    const isUntold = blindness !== null && !blindness.isTold && !blindness.wasDown;
    // A few seconds before the close are forgotten over night.
    return quiet({ ...state, blindness: blindness && !isUntold ? { ...blindness, sight: null } : null });
  }
  if (blindness === null) {
    return stayBlind(state, { ...observation, elapsedMs: 0 }, begun(sight, observation));
  }
  return stayBlind(state, observation, blindness);
}

/**
 * What follows from a start, or from a computer's sleep.
 * @param down the market hours since the server ran last; null when there were none
 */
export function restarted(
  state: BlindSpotState,
  down: { since: number; ms: number } | null,
  newestTrigger: number,
): BlindSpotState {
  const { blindness } = state;
  const wasDown = down !== null && down.ms >= TELL_AFTER_MS;
  if (blindness) {
    return { ...state, blindness: { ...blindness, sight: null, wasDown: blindness.wasDown || wasDown } };
  }
  if (!wasDown) return state;
  const fresh = { blindMs: 0, isTold: false, sight: null, afterTrigger: newestTrigger };
  return { ...state, blindness: { reason: 'down', since: down.since, wasDown: true, ...fresh } };
}

const isMoment = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isMomentOrNull = (value: unknown): value is number | null => value === null || isMoment(value);
const REASONS: readonly unknown[] = ['stopped', 'late', 'down'] satisfies BlindReason[];

function isBlindness(value: unknown): value is Blindness {
  if (!isRecord(value)) return false;
  const { reason, since, blindMs, isTold, wasDown, afterTrigger } = value;
  return (
    REASONS.includes(reason) &&
    [since, blindMs, afterTrigger].every(isMoment) &&
    typeof isTold === 'boolean' &&
    typeof wasDown === 'boolean'
  );
}

/** Reads what was kept; null for anything else. Whether prices came is seen by the next look. */
export function readBlindSpotState(value: unknown): BlindSpotState | null {
  if (!isRecord(value)) return null;
  const { heartbeat, blindness, endedAt } = value;
  if (!isMomentOrNull(heartbeat) || !isMomentOrNull(endedAt)) return null;
  if (blindness === null) return { heartbeat, endedAt, blindness };
  return isBlindness(blindness) ? { heartbeat, endedAt, blindness: { ...blindness, sight: null } } : null;
}
