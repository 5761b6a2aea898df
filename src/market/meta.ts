import { formatTime } from '../texts/format.ts';
import { phaseAt } from './rules/sessionClock.ts';
import { specialDays } from './rules/tradingDay.ts';
import type { FeedInfo, ReplayInfo, StreamMeta } from './rules/stream.ts';
import type { SystemClock } from '../lib/clock.ts';
import type { App } from '#platform/app.ts';
import type { SourceHealth } from '../sources/quotes/source.ts';

/** Quotes older than this in market hours are no longer shown as live. */
const STALE_AFTER_MS = 90_000;
/** Two readings of the same clock differ by less than this. */
const SAME_CLOCK_MS = 100;

type MetaNeeds = {
  announcements?: () => StreamMeta['announcements'];
  calendar?: () => StreamMeta['calendar'];
  /** How the playing of a recording stands; null where none is played. */
  replay?: () => ReplayInfo | null;
  /** How old the last good batch may be in market hours, ms. */
  staleAfterMs?: number;
};

/** Builds what the stream tells of the market as a whole: counts, date, clocks and the state of the feed. */
export function createMeta(
  { clock: wall, market, source }: App,
  { staleAfterMs = STALE_AFTER_MS, announcements, calendar, replay }: MetaNeeds = {},
): () => StreamMeta {
  const ageOf = createAges(wall);
  return () => {
    const marketTime = source.clock.now();
    const now = wall.now();
    const offset = marketTime - now;
    const replayed = replay?.() ?? null;
    const closures = specialDays();
    const health = source.health();
    const fault = health.healthy
      ? staleness(health, marketTime, ageOf(health.lastSuccess), staleAfterMs)
      : (health.problem ?? 'The market feed does not answer; prices may be old.');
    const feed: FeedInfo = {
      name: source.name,
      label: source.label(),
      delayMinutes: source.delayMinutes(),
      lastUpdate: health.lastSuccess,
      healthy: fault === null,
      problem: fault ?? health.problem,
    };
    return {
      stockCount: market.all().size,
      dateToday: market.date(),
      flags: { ignoreStatus: source.ignoreStatus() },
      feed,
      announcements: announcements?.() ?? null,
      calendar: calendar?.() ?? null,
      marketTime,
      clockOffsetMs: source.clock.speed === 1 && Math.abs(offset) < SAME_CLOCK_MS ? 0 : offset,
      clockSpeed: source.clock.speed,
      ...(replayed && { replay: replayed }),
      ...(closures.length > 0 && { closures }),
    };
  };
}

/**
 * How long ago the last success was: by the wall clock when it is seen for the first time, by the stopwatch from then
 * on. Before the first success, since it was made. The wall clock may be set meanwhile.
 */
function createAges(clock: SystemClock): (lastSuccess: number | null) => number {
  let seen: number | null = null;
  let zero = clock.monotonic();
  return (lastSuccess) => {
    const reading = clock.monotonic();
    if (lastSuccess !== null && lastSuccess !== seen) zero = reading - Math.max(0, clock.now() - lastSuccess);
    seen = lastSuccess;
    return reading - zero;
  };
}

/** A sentence when nothing came for long although the exchange is in session; null otherwise. */
function staleness(
  health: SourceHealth,
  marketTime: number,
  ageMs: number,
  staleAfterMs: number,
): string | null {
  if (ageMs <= staleAfterMs) return null;
  const { phase } = phaseAt(marketTime);
  if (phase === 'closed' || phase === 'adjust') return null;
  return health.lastSuccess === null
    ? 'No market data has arrived since the server started.'
    : `No market data has arrived since ${formatTime(health.lastSuccess)} Sydney time; prices are old.`;
}
