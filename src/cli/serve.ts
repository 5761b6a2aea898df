import { type Config, loadConfig } from '../config/config.ts';
import { dataPaths, makeDataFolder } from '../config/dataPaths.ts';
import type { Assets } from '../platform/http/assets.ts';
import { findSupervisor, type OwnProcess, withHeapSettings } from '../platform/install/shared/ownProcess.ts';
import { decideStart, readUpdateState } from '../platform/install/shared/updateState.ts';
import { EXIT, type Io, type Signals, UsageError } from './io.ts';

export type Serving = { io: Io; signals: Signals; openAssets(): Assets | Promise<Assets> };

/** Supervises servers in child processes. It imports only what it needs, so the supervisor stays small. */
async function launchChildren(
  { io, signals }: Serving,
  self: OwnProcess,
  config: Config,
  isSupervised: boolean,
): Promise<number> {
  const { launch } = await import('../platform/install/supervisor/launch.ts');
  const { createRedactor } = await import('../lib/redact.ts');
  const { folder, database } = dataPaths(config);
  const redactor = createRedactor(config.secrets);
  return launch({
    folder,
    database,
    self,
    isSupervised,
    host: config.host,
    port: config.port,
    // Only a port chosen by the supervisor; otherwise the panel would show the default as set.
    childEnv: (port) => ({
      ...withHeapSettings(io.env),
      ...(port !== config.port && { BELLBIRD_PORT: String(port) }),
    }),
    clock: io.wall,
    trialSeconds: config.trialSeconds,
    redact: redactor.text,
    print: io.err,
    onStop: signals.onStop,
    restartCode: EXIT.restart,
  });
}

function remembered(signals: Signals): Signals {
  let asked: NodeJS.Signals | null = null;
  signals.onStop((signal) => {
    asked ??= signal;
  });
  return {
    ...signals,
    onStop: (listener) => {
      signals.onStop(listener);
      if (asked !== null) listener(asked);
    },
  };
}

const isUpdating = (folder: string): boolean => decideStart(readUpdateState(folder)).kind !== 'serve';

/**
 * `serve`: runs the server until it is asked to stop. If no supervisor would restart it, this process becomes
 * one and runs the server in a child process. Otherwise this process is the server, but during an update it
 * supervises the new version.
 * @returns the exit code
 * @throws ConfigError or StartError if it can't start
 */
export async function serve(given: Serving): Promise<number> {
  const { io, openAssets } = given;
  // A signal may arrive between the old server's end and the new one's start.
  const signals = remembered(given.signals);
  const serving = { ...given, signals };
  const { config } = loadConfig(io.env);
  const { self } = io;
  const runHere = async (supervisor: 'none' | ReturnType<typeof findSupervisor>): Promise<number> => {
    const { runServer } = await import('./runServer.ts');
    return runServer(io, await openAssets(), signals, { supervisor, parent: null });
  };
  if (!self) return runHere('none');
  const supervisor = findSupervisor(config.supervised, io.env, self);
  const { folder } = dataPaths(config);
  makeDataFolder(folder);
  if (supervisor === 'parent') return launchChildren(serving, self, config, false);
  if (isUpdating(folder)) return launchChildren(serving, self, config, true);
  const code = await runHere(supervisor);
  // The old version watches the new one, even if the new one can't start.
  return code === EXIT.restart && isUpdating(folder) ? launchChildren(serving, self, config, true) : code;
}

/**
 * Runs the server as a child of `serve`. Users do not call it.
 * @throws UsageError if no supervising process started it; ConfigError or StartError if it can't start
 */
export async function serveAsChild({ io, signals, openAssets }: Serving): Promise<number> {
  const parent = io.self?.parent ?? null;
  if (parent === null) throw new UsageError('Unknown command "server".');
  const { runServer } = await import('./runServer.ts');
  return runServer(io, await openAssets(), signals, { supervisor: 'parent', parent });
}
