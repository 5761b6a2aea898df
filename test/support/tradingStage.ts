import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Running, startBellbird } from './executable.ts';
import { openStage, type Stage, stageBefore } from './stage.ts';

/** Holds the server that a run of many story files shares, as JSON; without it each file starts its own. */
export const SHARED_MARKET = 'BELLBIRD_STORIES_MARKET';

/** What a story needs to know of a server that another process started. */
type SharedMarket = Pick<Running, 'url' | 'port' | 'dataDir' | 'aheadMs' | 'pid' | 'parentPid'>;

let stages = 0;

/** An ordinary morning, well after the open. */
const MORNING = { BELLBIRD_TEST: '1', BELLBIRD_SIM_START: '10:40' };

/** Starts the server that story files share. @returns what SHARED_MARKET is to hold, and what ends it */
export async function startSharedMarket(): Promise<{ market: string; stop(): Promise<unknown> }> {
  const { url, port, dataDir, aheadMs, pid, parentPid, stop } = await startBellbird({ env: MORNING });
  const market: SharedMarket = { url, port, dataDir, aheadMs, pid, parentPid };
  return { market: JSON.stringify(market), stop: () => stop() };
}

/**
 * A simulated market in continuous trading, for stories that change nothing but what belongs to users of their own names.
 * In a run of many files they share one server, since starting one and inventing its market takes as long as a story; what
 * the server complains of while a story runs then counts for that story too.
 */
export async function openTradingStage(): Promise<Stage> {
  const shared = process.env[SHARED_MARKET];
  if (!shared) return openStage(MORNING);
  const market = JSON.parse(shared) as SharedMarket;
  // Warnings and errors are in the file at once, and so few lines come that it is never put aside.
  const file = join(market.dataDir, 'logs', 'bellbird.log');
  // The server creates the file with its first line, which may come later than the first test.
  const written = (): Buffer => (existsSync(file) ? readFileSync(file) : Buffer.alloc(0));
  const before = written().length;
  const stage = await stageBefore({
    ...market,
    log: () => written().subarray(before).toString(),
    printed: () => Promise.reject(new Error('This server printed to whoever started it.')),
    stop: async () => null,
  });
  // Nobody finds what another left behind.
  stages += 1;
  const own = `premium-${process.pid}-${stages}`;
  return { ...stage, visit: (route, options) => stage.visit(route, { as: own, ...options }) };
}
