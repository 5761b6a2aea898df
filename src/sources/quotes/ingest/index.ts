import { phaseAt, type SessionPhase } from '../../../domain/market/sessionClock.ts';
import type { Log } from '../../../lib/log.ts';
import type { MarketSource, SourceHealth } from '../source.ts';
import type { Clock } from '../../../lib/clock.ts';

/** A source that does not fetch: the ingest route feeds the Market and tells it so. */
export type IngestSource = MarketSource & Required<Pick<MarketSource, 'received'>>;

/** In trading hours a whole market that says nothing for so long is a bridge that died. */
const SILENT_MS = 60_000;

const QUIET: ReadonlySet<SessionPhase> = new Set<SessionPhase>(['closed', 'adjust', 'post-close']);

function age(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes < 2 ? `${Math.round(ms / 1000)} seconds` : `${minutes} minutes`;
}

function problemOf(last: number | null, now: number): string | null {
  if (last === null) return 'No market data has been sent yet. The bridge must post to /api/ingest/market.';
  const silent = now - last;
  if (silent <= SILENT_MS || QUIET.has(phaseAt(now).phase)) return null;
  return `The bridge has sent nothing for ${age(silent)}. Check that it runs and reaches this server.`;
}

/**
 * The source of a market that a broker bridge sends. It runs on the wall clock and counts as live.
 * @returns a source whose health says how long ago the last batch came
 */
export function createIngestSource(options: { wall: Clock; log: Log }): IngestSource {
  const { wall, log } = options;
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
      const problem = problemOf(last, wall.now());
      return { healthy: problem === null, problem, lastSuccess: last, measuredLagMs: lagMs };
    },
    received({ applied, newestQuote }) {
      if (applied === 0) return;
      if (last === null) log.info('The first market data arrived', { applied });
      last = wall.now();
      lagMs = newestQuote === null ? lagMs : Math.max(0, last - newestQuote);
    },
  };
}
