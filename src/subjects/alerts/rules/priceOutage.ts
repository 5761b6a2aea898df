import { MINUTE_MS } from '#lib/units.ts';
import { isRecord } from '#lib/json.ts';
import { PUBLIC_DELAY_MINUTES } from '#market/rules/quoteLag.ts';
import { phasesOf } from '#market/rules/sessionClock.ts';
import { addDays, sydneyDate } from '#lib/sydneyTime.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { formatDate, formatMinutes, formatTime } from '#texts/format.ts';
import { plainLine } from '#texts/plainText.ts';

export type Sight =
  | { kind: 'sees' }
  /** Not known, because the server or the market has just started. */
  | { kind: 'unsure' }
  /** @param since when the last prices arrived, epoch ms */
  | { kind: 'stopped'; since: number }
  | { kind: 'late' };

/** A price outage. Durations are ms of the monotonic clock, times are epoch ms. */
export type Outage = {
  reason: OutageReason;
  since: number;
  /** Duration within market hours since this run detected the outage, ms. */
  blindMs: number;
  isTold: boolean;
  /** True if the server was down so long that the end is always reported. */
  wasDown: boolean;
  /** Since when prices have been back, and for how long (ms); null while they are missing. */
  sight: { since: number; ms: number } | null;
  /** Id of the newest trigger when the outage began. */
  afterTrigger: number;
};

export type OutageState = {
  /** Last time within market hours at which the server ran; null before the first. */
  heartbeat: number | null;
  blindness: Outage | null;
  /** When the last reported outage ended; null before the first. */
  endedAt: number | null;
};

export const FRESH: OutageState = { heartbeat: null, blindness: null, endedAt: null };

type Observation = {
  now: number;
  /** Time since the last check, ms of the monotonic clock. */
  elapsedMs: number;
  isWatched: boolean;
  sight: Sight;
  newestTrigger(): number;
};

export type OutageNews = { kind: 'blind' | 'seesAgain'; blindness: Outage };

export const REPORT_AFTER_MS = 3 * MINUTE_MS;
/** How long prices must arrive before an outage counts as over. */
const HOLD_MS = 2 * MINUTE_MS;
const LONG_HOLD_MS = 10 * MINUTE_MS;
const LATELY_MS = 60 * MINUTE_MS;

/** The required time is longer if the last outage ended recently. */
function holdFor({ since }: Outage, endedAt: number | null): number {
  const isLately = endedAt !== null && Math.abs(since - endedAt) < LATELY_MS;
  return isLately ? LONG_HOLD_MS : HOLD_MS;
}

function begun(
  sight: Extract<Sight, { kind: 'stopped' | 'late' }>,
  { now, newestTrigger }: Observation,
): Outage {
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

type Step = { state: OutageState; news: OutageNews | null };

const quiet = (state: OutageState): Step => ({ state, news: null });

function continueSight(state: OutageState, observation: Observation, outage: Outage): Step {
  const { now, elapsedMs } = observation;
  const ms = outage.sight === null ? 0 : outage.sight.ms + elapsedMs;
  const since = outage.sight?.since ?? now;
  const next: Outage = { ...outage, sight: { since, ms } };
  // The start was not reported, so the end is not reported either.
  if (!outage.isTold && !outage.wasDown) return quiet({ ...state, blindness: null });
  if (ms < holdFor(outage, state.endedAt)) return quiet({ ...state, blindness: next });
  return {
    state: { ...state, blindness: null, endedAt: now },
    news: { kind: 'seesAgain', blindness: next },
  };
}

function continueOutage(state: OutageState, observation: Observation, outage: Outage): Step {
  const outageMs = outage.blindMs + observation.elapsedMs;
  const next: Outage = { ...outage, blindMs: outageMs, sight: null };
  if (outage.isTold || outageMs < REPORT_AFTER_MS) return quiet({ ...state, blindness: next });
  const reported = { ...next, isTold: true };
  return { state: { ...state, blindness: reported }, news: { kind: 'blind', blindness: reported } };
}

/**
 * The state after a check. Durations come from the monotonic clock, so setting the wall clock causes no outage. Outside
 * market hours no outage begins, but one can end.
 */
export function observe(state: OutageState, observation: Observation): Step {
  const { sight, isWatched } = observation;
  const { blindness } = state;
  if (sight.kind === 'unsure') return quiet(state);
  if (sight.kind === 'sees')
    return blindness === null ? quiet(state) : continueSight(state, observation, blindness);
  if (!isWatched) {
    const isUnreported = blindness !== null && !blindness.isTold && !blindness.wasDown;
    // An outage that began seconds before the close and was not reported is dropped overnight.
    return quiet({ ...state, blindness: blindness && !isUnreported ? { ...blindness, sight: null } : null });
  }
  if (blindness === null) {
    return continueOutage(state, { ...observation, elapsedMs: 0 }, begun(sight, observation));
  }
  return continueOutage(state, observation, blindness);
}

/**
 * The state after a start, or after the computer slept.
 * @param down the market hours since the server last ran; null if there were none
 */
export function restarted(
  state: OutageState,
  down: { since: number; ms: number } | null,
  newestTrigger: number,
): OutageState {
  const { blindness } = state;
  const wasDown = down !== null && down.ms >= REPORT_AFTER_MS;
  if (blindness) {
    return { ...state, blindness: { ...blindness, sight: null, wasDown: blindness.wasDown || wasDown } };
  }
  if (!wasDown) return state;
  const fresh = { blindMs: 0, isTold: false, sight: null, afterTrigger: newestTrigger };
  return { ...state, blindness: { reason: 'down', since: down.since, wasDown: true, ...fresh } };
}

const isMoment = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isMomentOrNull = (value: unknown): value is number | null => value === null || isMoment(value);
const REASONS: readonly unknown[] = ['stopped', 'late', 'down'] satisfies OutageReason[];

function isOutage(value: unknown): value is Outage {
  if (!isRecord(value)) return false;
  const { reason, since, blindMs, isTold, wasDown, afterTrigger } = value;
  return (
    REASONS.includes(reason) &&
    [since, blindMs, afterTrigger].every(isMoment) &&
    typeof isTold === 'boolean' &&
    typeof wasDown === 'boolean'
  );
}

/** Reads a stored state; null for anything else. The next check then determines whether prices arrive. */
export function readOutageState(value: unknown): OutageState | null {
  if (!isRecord(value)) return null;
  const { heartbeat, blindness, endedAt } = value;
  if (!isMomentOrNull(heartbeat) || !isMomentOrNull(endedAt)) return null;
  if (blindness === null) return { heartbeat, endedAt, blindness };
  return isOutage(blindness) ? { heartbeat, endedAt, blindness: { ...blindness, sight: null } } : null;
}

type OutageReason = 'stopped' | 'late' | 'down';

const MAX_SYMBOLS = 12;

/** @param since '10:42' */
const BEGUN: Readonly<Record<Exclude<OutageReason, 'down'>, (since: string) => string>> = {
  stopped: (since) => `No prices since ${since} Sydney. Your alerts cannot fire until prices are back.`,
  late: (since) => `Prices have been heavily delayed since ${since} Sydney. Alerts may be late or missed.`,
};

const ENDED: Readonly<Record<OutageReason, string>> = {
  stopped: 'There were no prices',
  late: 'Prices were heavily delayed',
  down: 'Bellbird was not running',
};

const message = (title: string, lines: readonly string[]): ChatMessage => ({
  title,
  lines,
  link: null,
  buttons: [],
});

/** '10:42', with the date if it is not today. */
const moment = (time: number, now: number): string =>
  sydneyDate(time) === sydneyDate(now)
    ? formatTime(time)
    : `${formatTime(time)}, ${formatDate(sydneyDate(time))}`;

/** The message at the start of an outage. @param since when it began @param now epoch ms */
export const outageMessage = (
  reason: Exclude<OutageReason, 'down'>,
  since: number,
  now: number,
): ChatMessage =>
  message('Your alerts are not being checked', [
    BEGUN[reason](moment(since, now)),
    'You will get another message when prices are back.',
  ]);

function missedText(missed: readonly string[]): string {
  if (missed.length === 0) {
    return 'No alerts fired when prices returned. Moves that reversed during the gap were not seen.';
  }
  const shown = missed.slice(0, MAX_SYMBOLS).map((symbol) => plainLine(symbol, 12));
  const more = missed.length - shown.length;
  const list = more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
  const count = missed.length === 1 ? '1 of your symbols' : `${missed.length} of your symbols`;
  return `${count} moved past a condition during the gap: ${list}.`;
}

/**
 * @param span start and end of the outage, epoch ms; `marketMs` of it were market hours
 * @param missed the user's symbols whose alerts fired at the end
 */
export function seesAgainMessage(
  reason: OutageReason,
  span: { since: number; until: number; now: number; marketMs: number },
  missed: readonly string[],
): ChatMessage {
  const { since, until, now, marketMs } = span;
  const minutes = Math.max(1, Math.round(marketMs / MINUTE_MS));
  return message('Your alerts are being checked again', [
    `${ENDED[reason]} from ${moment(since, now)} to ${moment(until, now)} Sydney, ${formatMinutes(minutes)} of market hours.`,
    missedText(missed),
  ]);
}

/** How long a shorter delay must be seen before it counts, because one fresh quote proves nothing. */
const PROOF_MS = 10 * MINUTE_MS;
/** A feed is late if its delay exceeds the usual one by more than this. */
const TOLERANCE_MS = 5 * MINUTE_MS;

/** A feed's usual delay, learnt every day. The stated delay does not help, because it follows the measured one. */
type UsualDelay = {
  /** Whether the feed is much later than usual. @param lagMs null if unknown */
  isLate(date: string, lagMs: number | null, elapsedMs: number): boolean;
};

/** Uses the delay of public feeds until the feed has shown a shorter one for ten minutes. */
export function createUsualDelay(): UsualDelay {
  const most = PUBLIC_DELAY_MINUTES * MINUTE_MS;
  let day = '';
  let usual = most;
  /** A candidate for a shorter delay: its longest lag, and for how long it has been seen. */
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

/** A time range in epoch ms: `since` inclusive, `until` exclusive. */
export type Span = { since: number; until: number };

/** Pre-Open begins at 08:45, 74 minutes before the opening auction. */
const PRE_OPEN_MS = 74 * MINUTE_MS;
/** A longer gap means that the clock was set, not that the server was down. */
const MAX_DAYS = 60;

/**
 * The hours of a day in which alerts must work: from the opening auction to the end of the closing one.
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
 * The hours around `now` in which alerts must work. They begin at the opening auction, or at 08:45 if the feed already
 * worked in this session: a bridge that starts just before the open is not an outage.
 * @param now epoch ms
 * @param lastSeen when the feed last worked, epoch ms; null for never
 * @returns null outside these hours
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

/** Market hours within a time range. @returns the start of the first hours and their total in ms; null for none */
export function watchedBetween(from: number, to: number): { since: number; ms: number } | null {
  let since: number | null = null;
  let ms = 0;
  let date = sydneyDate(from);
  for (let day = 0; day < MAX_DAYS; day += 1) {
    const hours = hoursOf(date);
    // On the first day, the hours may begin before the opening auction.
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
