import type { About } from './platform/install/about.ts';
import { applyClosures, withdraw } from './admin/closures/server/specialDays.ts';
import { compose } from './compose.ts';
import type { Config } from './config/config.ts';
import { mendData, mendHidden, openData } from './dataFolder.ts';
import { isDamaged } from './platform/db/damage.ts';
import { users } from './platform/db/schema.ts';
import { createPasswords } from './subjects/accounts/server/passwords.ts';
import { publicAddress, setupLink } from './subjects/accounts/server/setupLink.ts';
import type { Assets } from './platform/http/assets.ts';
import { createConnections } from './platform/http/connections.ts';
import { listen, type Listening } from './platform/http/listen.ts';
import { createRelayCheck } from './platform/http/keyChecks.ts';
import { createLocalFiles } from './platform/http/localFiles.ts';
import type { SystemClock } from './lib/clock.ts';
import { countedLog, type Log } from './lib/log.ts';
import { isDiskFull } from './lib/errors.ts';
import { createCallFeed, createHttpClient } from './lib/httpClient/client.ts';
import type { ProcessControl, Program } from './platform/install/shared/processControl.ts';
import { randomToken } from './lib/secrets.ts';
import type { Redactor } from './lib/redact.ts';
import type { OwnLogFile } from './lib/logging.ts';
import { loadPlatforms } from './compose/runtime.ts';
import { createUndo, type Undo } from './lib/undo.ts';
import { loadPrimary } from './compose/relays.ts';
import { sourceEdges } from './compose/sourceEdges.ts';
import { chooseSource } from './sources/quotes/choose.ts';

/** Takes turns on the port with the process that holds it while no server runs. */
export type PortTurn = {
  /** Resolves when the port is free. */
  take(): Promise<void>;
  taken(port: number): void;
  /** The port is closed and stays closed. */
  released(): void;
};

/** What the server needs from its process. */
export type ServerContext = {
  wall: SystemClock;
  log: Log;
  assets: Assets;
  about: About;
  control: ProcessControl;
  /** For tests: see `Runtime`. */
  redactor?: Redactor;
  /** The log file of this process, if any. */
  logFile?: OwnLogFile;
  program: Program;
  /** Prints a line for the operator. It is not logged, because it may contain a secret. */
  announce(line: string): void;
  /** Absent if no other process holds the port. */
  turn?: PortTurn | undefined;
  /** Aborted when the process must stop, possibly during the start. Absent if nothing can stop it. */
  stopping?: AbortSignal;
};

export type RunningServer = {
  /** Address on this machine, with the real port. */
  url: string;
  /** Closes streams, tick, source, pending writes, port, database and lock, in this order. Safe to call twice. */
  stop(): Promise<void>;
};

/** Prints the address and, if there is no administrator, the set-up link. */
function announceAddress(
  config: Config,
  listening: Listening,
  announce: ServerContext['announce'],
  setupToken: string | null,
): void {
  const address = publicAddress(config.publicUrl, { host: config.host, port: listening.port });
  // The address for other machines comes first, because people click the first link.
  const here = address === listening.url ? '' : ` (${listening.url} on this machine)`;
  announce(`Bellbird listens on ${address}${here}.`);
  if (setupToken === null) return;
  announce('No administrator yet. Open this one-time link to create the administrator account:');
  announce(`  ${setupLink(address, setupToken)}`);
}

/** Delay between opening the port and starting the parts, ms. */
const ANSWER_FIRST_MS = 10;

/** Waits for the port. Its holder may be gone, so a request to stop also ends the wait. */
async function awaitTurn(turn: PortTurn, stopping: AbortSignal): Promise<void> {
  if (stopping.aborted) return;
  const stopped = Promise.withResolvers<void>();
  stopping.addEventListener('abort', () => stopped.resolve(), { once: true });
  await Promise.race([turn.take(), stopped.promise]);
}

/** One step of a start. On a full disk it is skipped, so that the rest is served. */
async function withRoom<T>(log: Log, part: string, step: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await step();
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    log.warn('The disk is full, so this part did not start completely; free some space, then restart', {
      part,
    });
    return undefined;
  }
}

/** Opens the data folder and creates the parts without starting them. */
async function make(config: Config, context: ServerContext, undo: Undo) {
  const { wall: clock, about, control, program, redactor, logFile = null } = context;
  const { log, counts: logged } = countedLog(context.log);
  const { paths, db, jwtSecret } = openData(config, { clock, log }, undo);
  // Must come before anything reads the exchange's calendar.
  applyClosures({ config, db, log }, clock.now());
  undo.add('closures', () => withdraw(db));
  const outgoing = createCallFeed();
  const http = createHttpClient({ clock, onCall: outgoing.notify });
  const memory = sourceEdges({ config, db, log });
  const isNew = db.select({ id: users.id }).from(users).limit(1).get() === undefined;
  const source = await chooseSource(config, { wall: clock, log, http, ...memory, isNew });
  const connections = createConnections(config.trustedProxies, createRelayCheck(config.relays.secret));
  const primary = await loadPrimary(config, { db, clock, log, about, jwtSecret });
  const composed = compose(
    { config, db, clock, log, http, source },
    {
      about,
      control,
      program,
      outgoing,
      jwtSecret,
      randomToken,
      ...connections,
      passwords: createPasswords(),
      ...(redactor && { redactor }),
      platforms: await loadPlatforms(config),
      primary,
      logFile,
      logged,
    },
  );
  return { composed, connections, primary, localFiles: createLocalFiles(paths.public) };
}

/** Opens the port. */
function openPort(
  config: Config,
  { log, assets, turn }: ServerContext,
  { composed, connections, localFiles }: Awaited<ReturnType<typeof make>>,
  undo: Undo,
): Listening {
  const { health, requestLog, loopBudget } = composed.parts;
  const { view } = health.service;
  const { refused } = requestLog.service;
  const { admit, inTurn, measured } = loopBudget.service;
  const api = (request: Request): Promise<Response> => measured(request, () => composed.api.handle(request));
  const listening = listen(
    { ...config, log },
    { health: view, admit, inTurn, api, refused, localFiles, assets, connections },
  );
  turn?.taken(listening.port);
  undo.add('http', async () => {
    await listening.stop();
    turn?.released();
  });
  return listening;
}

/**
 * @returns the address on this machine
 * @throws the reason of `stopping` between two steps, if the process must stop
 */
async function start(
  config: Config,
  context: ServerContext,
  stopping: AbortSignal,
  undo: Undo,
): Promise<string> {
  const { log, announce, turn } = context;
  const made = await make(config, context, undo);
  const { composed, primary } = made;
  const { parts, startOrder } = composed;
  if (primary) {
    // While another primary runs, nothing of this one may be visible, especially its set-up link.
    undo.add('relayLease', () => primary.stop());
    await primary.acquireLock();
  }
  if (turn) await awaitTurn(turn, stopping);
  stopping.throwIfAborted();
  const listening = openPort(config, context, made, undo);
  for (const { name, stop } of startOrder) if (stop) undo.add(name, stop);
  // Creating a market of 2,000 stocks takes longer than a health check waits, so answer waiting requests first. The routes
  // are created later too: at the first request to one, or here.
  await Bun.sleep(ANSWER_FIRST_MS);
  stopping.throwIfAborted();
  void composed.api;
  const setupToken = await withRoom(log, 'set-up link', parts.accounts.service.createSetupToken);
  announceAddress(config, listening, announce, setupToken ?? null);
  for (const { name, start: startPart } of startOrder) {
    await withRoom(log, name, () => startPart?.());
    stopping.throwIfAborted();
  }
  return listening.url;
}

/**
 * Starts everything in order: data folder, source, parts, port, then the parts one by one. Repairs a damaged database
 * once, if all user data can be read.
 *
 * @returns the address and a function that stops the server
 * @throws StartError with a sentence if it can't start, or the reason of `context.stopping` if it was stopped during the
 *   start. Everything started until then is stopped again.
 */
export async function startServer(config: Config, context: ServerContext): Promise<RunningServer> {
  const { stopping = new AbortController().signal } = context;
  const attempt = async (): Promise<RunningServer> => {
    const undo = createUndo(context.log);
    try {
      return { url: await start(config, context, stopping, undo), stop: undo.run };
    } catch (error) {
      await undo.run();
      throw error;
    }
  };
  mendHidden(config, { clock: context.wall, log: context.log });
  try {
    return await attempt();
  } catch (error) {
    if (!isDamaged(error)) throw error;
    mendData(config, { clock: context.wall, log: context.log });
    return attempt();
  }
}
