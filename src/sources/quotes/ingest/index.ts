import { feedDelay, isUnchanged, quoteLag } from '#market/rules/quoteLag.ts';
import { createPhaseReader, phaseAt, type SessionPhase } from '#market/rules/sessionClock.ts';
import type { Log } from '#lib/log.ts';
import type { MarketSource, SourceHealth } from '#market/sources/quotes.ts';
import { createEpochTimes, type SystemClock } from '#lib/clock.ts';

/** Requests nothing: the ingest route feeds the Market and calls `received`. */
export type IngestSource = MarketSource & Required<Pick<MarketSource, 'received'>>;

/** Some stock trades every few seconds in trading hours, so a longer silence means a broken bridge. */
const SILENT_MS = 60_000;

const QUIET: ReadonlySet<SessionPhase> = new Set<SessionPhase>(['closed', 'adjust', 'post-close']);

/** Tolerated lead of a bridge's clock; quotes further in the future are ignored. */
const CLOCK_SKEW_MS = 60_000;

function duration(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes >= 120) return `${Math.round(minutes / 60)} hours`;
  return minutes < 2 ? `${Math.round(ms / 1000)} seconds` : `${minutes} minutes`;
}

function problemOf(silentMs: number | null, lagMs: number | null, now: number): string | null {
  if (silentMs === null)
    return 'No market data has been sent yet. The bridge must post to /api/ingest/market.';
  if (silentMs > SILENT_MS && !QUIET.has(phaseAt(now).phase)) {
    return `The bridge has sent nothing for ${duration(silentMs)}. Check that it is running and can reach this server.`;
  }
  if (lagMs === null || !isUnchanged(lagMs, now)) return null;
  return `The newest quote of the bridge was made ${duration(lagMs)} ago. Check that its own feed is connected.`;
}

function createLagMeter(wall: SystemClock) {
  const epochOf = createEpochTimes(wall);
  /**
   * Time of the newest quote as a stopwatch reading, so that setting the wall clock does not change its age.
   */
  let newest: number | null = null;
  let measured: number | null = null;
  const spanAt = createPhaseReader();
  /** Old quotes are normal outside continuous trading, so the last measurement stays. */
  const read = (): number | null => {
    const now = wall.now();
    return quoteLag(newest === null ? null : epochOf(newest), spanAt(now), now) ?? measured;
  };
  return {
    read,
    take(quoteTime: number | null): void {
      if (quoteTime === null || quoteTime > wall.now() + CLOCK_SKEW_MS) return;
      const madeAt = wall.monotonic() - (wall.now() - quoteTime);
      newest = Math.max(newest ?? madeAt, madeAt);
      measured = read();
    },
  };
}

/**
 * The source for a market sent by a broker bridge, on the wall clock. Quote times give its delay; delay and
 * silence give its health.
 */
export function createIngestSource(options: { wall: SystemClock; log: Log }): IngestSource {
  const { wall, log } = options;
  const epochOf = createEpochTimes(wall);
  const lag = createLagMeter(wall);
  let last: number | null = null;
  const delay = () => feedDelay({ lagMs: lag.read(), declaredMinutes: 0, unmeasuredMinutes: 0 });
  return {
    name: 'ingest',
    label: () => delay().label,
    delayMinutes: () => delay().minutes,
    clock: { now: () => wall.now(), speed: 1 },
    ignoreStatus: () => false,
    days: 'consecutive',
    isPartial: true,
    hasMinutes: true,
    start: async () => log.info('Waiting for market data at POST /api/ingest/market'),
    stop: async () => undefined,
    health(): SourceHealth {
      const measuredLagMs = lag.read();
      const problem = problemOf(last === null ? null : wall.monotonic() - last, measuredLagMs, wall.now());
      const lastSuccess = last === null ? null : epochOf(last);
      return { healthy: problem === null, problem, lastSuccess, measuredLagMs };
    },
    received({ applied, newestQuote }) {
      if (applied === 0) return;
      if (last === null) log.info('Received the first market data', { applied });
      last = wall.monotonic();
      lag.take(newestQuote);
    },
  };
}
