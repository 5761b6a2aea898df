import { phaseAt, type SessionPhase } from '../../../domain/market/sessionClock.ts';
import type { Log } from '../../../lib/log.ts';
import type { MarketSource, SourceHealth } from '../source.ts';
import { createEpochTimes, type SystemClock } from '../../../lib/clock.ts';

/** A source that fetches nothing: the ingest route feeds the Market, and reports to it. */
export type IngestSource = MarketSource & Required<Pick<MarketSource, 'received'>>;

/** In trading hours some stock of the market trades every few seconds: a longer silence means a broken bridge. */
const SILENT_MS = 60_000;

/** Phases in which nothing has to be sent. */
const QUIET: ReadonlySet<SessionPhase> = new Set<SessionPhase>(['closed', 'adjust', 'post-close']);

function duration(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes < 2 ? `${Math.round(ms / 1000)} seconds` : `${minutes} minutes`;
}

function problemOf(silentMs: number | null, now: number): string | null {
  if (silentMs === null)
    return 'No market data has been sent yet. The bridge must post to /api/ingest/market.';
  if (silentMs <= SILENT_MS || QUIET.has(phaseAt(now).phase)) return null;
  return `The bridge has sent nothing for ${duration(silentMs)}. Check that it runs and reaches this server.`;
}

/**
 * The source for a market that a broker bridge sends. It runs on the wall clock and counts as live; its health depends on
 * how long ago the last batch came.
 */
export function createIngestSource(options: { wall: SystemClock; log: Log }): IngestSource {
  const { wall, log } = options;
  const epochOf = createEpochTimes(wall);
  /** When the last batch came, by the stopwatch. */
  let last: number | null = null;
  let lagMs: number | null = null;
  return {
    name: 'ingest',
    label: () => 'Live',
    delayMinutes: () => 0,
    clock: { now: () => wall.now(), speed: 1 },
    ignoreStatus: () => false,
    days: 'consecutive',
    hasMinutes: true,
    start: async () => log.info('Waiting for market data at POST /api/ingest/market'),
    stop: async () => undefined,
    health(): SourceHealth {
      const problem = problemOf(last === null ? null : wall.monotonic() - last, wall.now());
      const lastSuccess = last === null ? null : epochOf(last);
      return { healthy: problem === null, problem, lastSuccess, measuredLagMs: lagMs };
    },
    received({ applied, newestQuote }) {
      if (applied === 0) return;
      if (last === null) log.info('The first market data arrived', { applied });
      last = wall.monotonic();
      lagMs = newestQuote === null ? lagMs : Math.max(0, wall.now() - newestQuote);
    },
  };
}
