import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Running, startBellbird } from './executable.ts';
import { openFixture, type Fixture, fixtureBefore } from './fixture.ts';

/** Contains the server that a run of many end-to-end files shares, as JSON; without it each file starts its own. */
export const SHARED_MARKET = 'BELLBIRD_STORIES_MARKET';

/** What a test needs to know about a server that another process started. */
type SharedMarket = Pick<Running, 'url' | 'port' | 'dataDir' | 'aheadMs' | 'pid' | 'parentPid'>;

let visitors = 0;

/** An ordinary morning, well after the open. */
const MORNING = { BELLBIRD_TEST: '1', BELLBIRD_SIM_START: '10:40' };

/** Starts the server that end-to-end files share. @returns the value of SHARED_MARKET, and the stop function */
export async function startSharedMarket(): Promise<{ market: string; stop(): Promise<unknown> }> {
  const { url, port, dataDir, aheadMs, pid, parentPid, stop } = await startBellbird({ env: MORNING });
  const market: SharedMarket = { url, port, dataDir, aheadMs, pid, parentPid };
  return { market: JSON.stringify(market), stop: () => stop() };
}

/**
 * A simulated market in continuous trading, for tests that change only data of users with their own names. In a run of many files they share one
 * server, because starting one takes as long as a test; an error that the server logs during a test then fails that test too.
 */
export async function openTradingFixture(): Promise<Fixture> {
  const shared = process.env[SHARED_MARKET];
  if (!shared) return openFixture(MORNING);
  const market = JSON.parse(shared) as SharedMarket;
  // Warnings and errors are in the file at once, and there are too few lines to rotate it.
  const file = join(market.dataDir, 'logs', 'bellbird.log');
  // The server creates the file with its first line, which may come after the first test.
  const written = (): Buffer => (existsSync(file) ? readFileSync(file) : Buffer.alloc(0));
  const before = written().length;
  const fixture = await fixtureBefore({
    ...market,
    log: () => written().subarray(before).toString(),
    printed: () => Promise.reject(new Error('Another process has the output of this server.')),
    stop: async () => null,
  });
  // No test finds what another left behind.
  visitors += 1;
  const own = `premium-${process.pid}-${visitors}`;
  return { ...fixture, visit: (route, options) => fixture.visit(route, { as: own, ...options }) };
}
