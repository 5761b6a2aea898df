import { isRecord } from '#lib/json.ts';
import { PUBLIC_DELAY_MINUTES } from '#market/rules/quoteLag.ts';
import { phasesOf } from '#market/rules/sessionClock.ts';
import { addDays, sydneyDate } from '#market/rules/sydneyTime.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { formatDate, formatMinutes, formatTime } from '#texts/format.ts';
import { plainLine } from '#texts/plainText.ts';

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
type Observation = {
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

/** Why alerts could not see the market. */
type BlindReason = 'stopped' | 'late' | 'down';

const MAX_SYMBOLS = 12;

/** @param since '10:42' */
const BEGUN: Readonly<Record<Exclude<BlindReason, 'down'>, (since: string) => string>> = {
  stopped: (since) => `No prices since ${since} Sydney. Your alerts can’t fire until prices are back.`,
  late: (since) =>
    `Prices have been far too late since ${since} Sydney, so your alerts fire late or not at all.`,
};

const ENDED: Readonly<Record<BlindReason, string>> = {
  stopped: 'There were no prices',
  late: 'Prices were far too late',
  down: 'Bellbird was not running',
};

const message = (title: string, lines: readonly string[]): ChatMessage => ({
  title,
  lines,
  link: null,
  buttons: [],
});

/** '10:42', with the date when it is another than today's. */
const moment = (time: number, now: number): string =>
  sydneyDate(time) === sydneyDate(now)
    ? formatTime(time)
    : `${formatTime(time)}, ${formatDate(sydneyDate(time))}`;

/**
 * Says that alerts can't see the market.
 * @param since when it began, @param now epoch ms
 */
export const blindMessage = (reason: Exclude<BlindReason, 'down'>, since: number, now: number): ChatMessage =>
  message('Your alerts can’t see the market', [
    BEGUN[reason](moment(since, now)),
    'You will get one more message when prices are back.',
  ]);

function missedText(missed: readonly string[]): string {
  if (missed.length === 0) {
    return 'None of your alerts fired when prices came back; a move through a condition and back in between was missed.';
  }
  const shown = missed.slice(0, MAX_SYMBOLS).map((symbol) => plainLine(symbol, 12));
  const more = missed.length - shown.length;
  const list = more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
  const count = missed.length === 1 ? '1 of your symbols' : `${missed.length} of your symbols`;
  return `${count} moved through a condition in between: ${list}.`;
}

/**
 * Says that alerts see the market again.
 * @param span when it was blind, and now, epoch ms; `marketMs` of it were market hours
 * @param missed the person's symbols whose alerts fired when it was over
 */
export function seesAgainMessage(
  reason: BlindReason,
  span: { since: number; until: number; now: number; marketMs: number },
  missed: readonly string[],
): ChatMessage {
  const { since, until, now, marketMs } = span;
  const minutes = Math.max(1, Math.round(marketMs / MINUTE_MS));
  return message('Your alerts see the market again', [
    `${ENDED[reason]} from ${moment(since, now)} to ${moment(until, now)} Sydney, ${formatMinutes(minutes)} of market hours.`,
    missedText(missed),
  ]);
}

/** A shorter delay must be seen for so long to count: a single fresh quote proves nothing. */
const PROOF_MS = 10 * MINUTE_MS;
/** Beyond the usual delay a feed is too late by more than this. */
const TOLERANCE_MS = 5 * MINUTE_MS;

/** The delay that a feed usually has, learnt again each day, as a feed's own claim follows whatever is measured. */
type UsualDelay = {
  /** @param lagMs as measured; null when it can't be. @returns whether the feed is far later than usual */
  isLate(date: string, lagMs: number | null, elapsedMs: number): boolean;
};

/** The public delay counts until the feed has proved for ten minutes that it has a shorter one. */
export function createUsualDelay(): UsualDelay {
  const most = PUBLIC_DELAY_MINUTES * MINUTE_MS;
  let day = '';
  let usual = most;
  /** A shorter delay that is being proved: the longest lag of it, and for how long it has been seen. */
  let better: { lagMs: number; ms: number } | null = null;
  return {
    isLate(date, lagMs, elapsedMs) {
      if (date !== day) {
        day = date;
        usual = most;
        better = null;
      }
      if (lagMs === null) return false;
      if (lagMs >= usual - TOLERANCE_MS) better = null;
      else {
        better = {
          lagMs: Math.max(better?.lagMs ?? 0, lagMs),
          ms: better === null ? 0 : better.ms + elapsedMs,
        };
        if (better.ms >= PROOF_MS) {
          usual = better.lagMs;
          better = null;
        }
      }
      return lagMs > usual + TOLERANCE_MS;
    },
  };
}

/** A stretch of time, epoch ms: `since` inclusive, `until` exclusive. */
export type Span = { since: number; until: number };

/** Pre-Open of the market status begins at 08:45, 74 minutes before the opening auction. */
const PRE_OPEN_MS = 74 * MINUTE_MS;
/** A longer gap tells of a clock that was set. */
const MAX_DAYS = 60;

/**
 * The hours of a date in which alerts must see: from the opening auction to the end of the closing one.
 * @param date YYYY-MM-DD in Sydney
 * @returns null on a day without trading
 */
function hoursOf(date: string): Span | null {
  const phases = phasesOf(date);
  const open = phases.find(({ phase }) => phase === 'ospa');
  const end = phases.find(({ phase }) => phase === 'post-close');
  return open && end ? { since: open.since, until: end.since } : null;
}

/**
 * The hours of a moment in which alerts must see: from the opening auction to the end of the closing one; for a feed that
 * was there in this session already, from 08:45 on. A bridge that is started just before the open is not blind.
 * @param now epoch ms; @param lastSeen when the feed was there last, epoch ms; null when it never was
 * @returns null outside of them, on holidays and weekends
 */
export function watchedAt(now: number, lastSeen: number | null): Span | null {
  const date = sydneyDate(now);
  const hours = hoursOf(date);
  if (!hours || now >= hours.until) return null;
  if (now >= hours.since) return hours;
  const early = hours.since - PRE_OPEN_MS;
  const sessionBegan = phasesOf(date)[0]?.since ?? hours.since;
  return now >= early && lastSeen !== null && lastSeen >= sessionBegan
    ? { since: early, until: hours.until }
    : null;
}

/**
 * The hours between two moments in which alerts must see.
 * @returns when the first of them began, and how many ms there are in all; null when there are none
 */
export function watchedBetween(from: number, to: number): { since: number; ms: number } | null {
  let since: number | null = null;
  let ms = 0;
  let date = sydneyDate(from);
  for (let day = 0; day < MAX_DAYS; day += 1) {
    const hours = hoursOf(date);
    // On its own day the beginning lies within the hours, be it before the auction.
    const begin = hours && day === 0 && from >= hours.since - PRE_OPEN_MS ? from : (hours?.since ?? 0);
    const end = Math.min(to, hours?.until ?? 0);
    if (hours && end > begin) {
      since ??= begin;
      ms += end - begin;
    }
    date = addDays(date, 1);
    if (hours && hours.since > to) break;
  }
  return since === null ? null : { since, ms };
}
