import { existsSync } from 'node:fs';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { dataPaths, makeDataFolder } from './dataFolder.ts';
import { lockData } from './db/lock.ts';
import { openDb } from './db/open.ts';
import type { About, Deps } from './deps.ts';
import { createPasswords } from './features/accounts/passwords.ts';
import { retireDemoAccounts } from './features/accounts/service.ts';
import { createSetupToken } from './features/accounts/setup.ts';
import { accountStore } from './features/accounts/store.ts';
import { createCalls } from './features/calls/service.ts';
import { composeIndicators } from './features/indicators/compose.ts';
import { createFeedValues } from './features/indicators/feedValues.ts';
import type { Assets } from './http/assets.ts';
import { listen } from './http/listen.ts';
import { createLocalFiles } from './http/localFiles.ts';
import { createHttpClient } from './lib/httpClient/client.ts';
import { randomToken } from './lib/ids.ts';
import type { Log } from './lib/log.ts';
import { createMarket } from './market/market.ts';
import { createPreOpenMemory } from './market/preOpenMemory.ts';
import { createMeta } from './market/meta.ts';
import { createTick } from './market/tick.ts';
import { loadJwtSecret } from './secret.ts';
import { publicAddress, setupLink } from './features/accounts/setupLink.ts';
import { chooseSource } from './sources/quotes/choose.ts';
import type { SystemClock } from './lib/clock.ts';
import { createStreamHub } from './stream/hub.ts';

export type ServerParts = {
  wall: SystemClock;
  log: Log;
  assets: Assets;
  about: About;
  /** Prints a line for the person who started the server; it is not logged, because it may hold a secret. */
  announce(line: string): void;
};

export type RunningServer = {
  /** Where this machine reaches it, with the real port. */
  url: string;
  /** Streams, source, port, database, lock: closed in that order. Safe to call twice. */
  stop(): Promise<void>;
};

/** Undo steps, run last first; each is tried whatever happened to the others. */
function createUndo(log: Log) {
  const steps: { name: string; undo: () => void | Promise<void> }[] = [];
  return {
    add: (name: string, undo: () => void | Promise<void>): void => void steps.push({ name, undo }),
    run: async (): Promise<void> => {
      for (let step = steps.pop(); step; step = steps.pop()) {
        try {
          await step.undo();
        } catch (error) {
          log.error('A part did not stop cleanly', { part: step.name, error });
        }
      }
    },
  };
}

/** What the data folder holds: the lock, the database at this program's schema, and the secret. */
function openData(config: Config, parts: ServerParts, undo: ReturnType<typeof createUndo>) {
  const paths = dataPaths(config);
  makeDataFolder(paths.folder);
  const lock = lockData(paths.folder);
  undo.add('lock', () => lock.release());
  const path = paths.database;
  const isNew = !existsSync(path);
  const { db, copy } = openDb({ path, copyFolder: paths.backups, now: parts.wall.now() });
  undo.add('database', () => db.$client.close());
  if (isNew) parts.log.info('A new database was made', { path });
  if (copy !== null) parts.log.info('The database was brought to this version; a copy was kept', { copy });
  return { paths, db, jwtSecret: config.jwtSecret ?? loadJwtSecret(paths.folder) };
}

/** Account housekeeping of a start: old sessions, demo users, the first administrator's link. */
function prepareAccounts(deps: Deps, address: string, announce: ServerParts['announce']): void {
  accountStore(deps.db).dropSessionsBefore(deps.clock.now());
  if (!deps.config.testMode) retireDemoAccounts(deps);
  const token = createSetupToken(deps);
  if (token === null) return;
  announce('There is no administrator yet. Who registers through this link, once, becomes it:');
  announce(`  ${setupLink(address, token)}`);
}

async function start(
  config: Config,
  parts: ServerParts,
  undo: ReturnType<typeof createUndo>,
): Promise<string> {
  const { wall, log, announce } = parts;
  const { paths, db, jwtSecret } = openData(config, parts, undo);
  const http = createHttpClient({ clock: wall });
  const indicators = composeIndicators({ db, config, clock: wall, log, http });
  const source = await chooseSource(config, { wall, log, http, extraColumns: indicators.platformColumns });
  const values = createFeedValues({
    db,
    feed: config.feed,
    market: createMarket({ clock: source.clock }),
    source,
    indicators,
    wall,
    log: log.child('values'),
  });
  const { market } = values;
  const meta = createMeta({ market, source, wall });
  const memory = createPreOpenMemory({ db, market, log: log.child('memory') });
  const tick = createTick({ market, everyMs: config.tickMs, log: log.child('tick') });
  const calls = createCalls({ db, clock: wall, market, source, randomToken });

  let deps: Deps | undefined;
  const listening = listen(config, (connection) => {
    const stream = createStreamHub({ market, meta, clock: wall, log: log.child('stream'), ...connection });
    deps = {
      about: parts.about,
      config,
      db,
      clock: wall,
      market,
      source,
      stream,
      calls,
      indicators,
      passwords: createPasswords(),
      randomToken,
      log,
      jwtSecret,
      clientAddress: connection.clientAddress,
      keepOpen: connection.keepOpen,
    };
    const app = createApp(deps);
    return { api: app.handle, localFiles: createLocalFiles(paths.public), assets: parts.assets };
  });
  undo.add('http', () => listening.stop());
  if (!deps) throw new Error('The handlers were not made.');
  const { stream } = deps;
  undo.add('memory', () => memory.stop());
  undo.add('calls', () => calls.flush());
  undo.add('values', () => values.stop());
  undo.add('source', () => source.stop());
  undo.add('tick', () => tick.stop());
  undo.add('streams', () => stream.close());

  const address = publicAddress(config.publicUrl, { host: config.host, port: listening.port });
  announce(`Bellbird listens on ${listening.url}${address === listening.url ? '' : ` (${address})`}.`);
  prepareAccounts(deps, address, announce);

  // The feed starts after the port answers: a market of 2,000 stocks takes longer to make than a health check waits.
  memory.start();
  calls.resume();
  tick.listen((changes) => stream.publish(changes));
  tick.listen(memory.listener);
  tick.listen(calls.track);
  indicators.loadDemand();
  await values.start();
  tick.start();
  await source.start(market);
  return listening.url;
}

/**
 * Starts everything in order: data folder, market, port, feed.
 *
 * @returns where it listens and how to stop it
 * @throws StartError with a sentence when it can't; what was started until then is stopped again
 */
export async function startServer(config: Config, parts: ServerParts): Promise<RunningServer> {
  const undo = createUndo(parts.log);
  try {
    return { url: await start(config, parts, undo), stop: undo.run };
  } catch (error) {
    await undo.run();
    throw error;
  }
}
