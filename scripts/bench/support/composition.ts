import { noProgram } from '#support/noProgram.ts';
import { historyInMemory } from '#support/historyInMemory.ts';
import { compose, type Composition } from '#src/compose.ts';
import type { Runtime } from '#compose/runtime.ts';
import { loadConfig } from '#src/config/config.ts';
import { type Db, openMemoryDb } from '#platform/db/open.ts';
import { createConnections } from '#platform/http/connections.ts';
import type { SystemClock } from '#lib/clock.ts';
import { createCallFeed, createHttpClient } from '#lib/httpClient/client.ts';
import { createLog } from '#lib/log.ts';
import type { MarketSource } from '#market/sources/quotes.ts';
import { createBenchSource } from './source.ts';

export type BenchComposition = Composition & { db: Db };

/** Passwords without hashing, which would take a quarter of a second. */
const passwords = { hash: async (password: string) => password, verify: async () => false };

/**
 * The product's own parts, in memory and without a port. Nothing is started, because the bench itself runs the ticks.
 * @param options.clock the wall clock
 */
export function composeForBench(
  options: { source?: MarketSource; clock?: SystemClock; runtime?: Partial<Runtime> } = {},
): BenchComposition {
  const db = openMemoryDb();
  const clock = options.clock ?? { now: () => Date.now(), monotonic: () => performance.now() };
  const log = createLog(({ level, message, properties }) => {
    if (level === 'error') console.error(message, properties);
  });
  const many = '1000000';
  const { config } = loadConfig({ BELLBIRD_MAX_STREAMS: many, BELLBIRD_MAX_STREAMS_PER_ADDRESS: many });
  const runtime: Runtime = {
    about: { pid: process.pid, startedAt: clock.now(), version: 'bench', commit: 'bench' },
    jwtSecret: 'the bench has no logins',
    randomToken: () => crypto.randomUUID(),
    passwords,
    platforms: { telegram: null, discord: null },
    control: { supervisor: 'none', restart: () => {} },
    outgoing: createCallFeed(),
    logFile: null,
    ...noProgram,
    sessionFiles: historyInMemory(),
    ...createConnections(),
    ...options.runtime,
  };
  const source = options.source ?? createBenchSource(clock);
  return { db, ...compose({ config, db, clock, log, http: createHttpClient({ clock }), source }, runtime) };
}
