import { formatTime } from '../texts/format.ts';
import { phaseAt } from './rules/sessionClock.ts';
import { specialDays } from './rules/tradingDay.ts';
import type { FeedInfo, ReplayInfo, StreamMeta } from './rules/stream.ts';
import type { SystemClock } from '../lib/clock.ts';
import type { App } from '#platform/app.ts';
import type { SourceHealth } from './sources/quotes.ts';

/** Quotes older than this in market hours are not shown as live. */
const STALE_AFTER_MS = 90_000;
const SAME_CLOCK_MS = 100;

type MetaNeeds = {
  announcements?: () => StreamMeta['announcements'];
  calendar?: () => StreamMeta['calendar'];
  replay?: () => ReplayInfo | null;
  /** Maximum age of the last good batch in market hours, ms. */
  staleAfterMs?: number;
};

/** Builds the stream's meta: counts, date, clocks and the state of the feed. */
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
      : (health.problem ?? 'The price source does not answer. Prices may be old.');
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
 * The age of the last success: by the wall clock when first seen, by the stopwatch afterwards, because the
 * wall clock may be set. Before the first success, the time since the start.
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

/** A sentence if no data arrived for `staleAfterMs` while the exchange is in session; otherwise null. */
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
    : `No market data has arrived since ${formatTime(health.lastSuccess)} Sydney time. Prices are old.`;
}
