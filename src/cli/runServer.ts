import { type Config, loadConfig, type LoadedConfig } from '../config/config.ts';
import { dataPaths, makeDataFolder, type DataPaths } from '../config/dataPaths.ts';
import type { Assets } from '../platform/http/assets.ts';
import { type SupervisorLine, type Supervisor } from '../platform/install/shared/ownProcess.ts';
import { createTrial, type ProcessControl } from '../platform/install/shared/processControl.ts';
import type { Log } from '../lib/log.ts';
import { startLogging } from '../lib/logging.ts';
import { openFileLimit } from '../lib/files.ts';
import { createRedactor } from '../lib/redact.ts';
import { shifted } from '../lib/clock.ts';
import { type PortTurn, type ServerContext, startServer } from '../server.ts';
import { EXIT, type Io, type Signals, STOP_WITHIN_MS, untilStopped } from './io.ts';
import { join } from 'node:path';
import { RECORDING_ENDING } from '../market/recording/rules/recordingName.ts';
import { forgetPlayed, playedName, whyNotPlayable } from '../market/recording/open.ts';

const IN_SETTINGS = 'BELLBIRD_FEED=replay in the settings takes precedence.';

/**
 * Replaces the configured source by the recording chosen in the Admin Panel. A recording that can't be played
 * is dropped with a warning, so the server always starts.
 * @param settings read from `env`
 * @param openFiles as in `loadConfig`
 */
export function withPlayedRecording(
  env: Record<string, string | undefined>,
  settings: LoadedConfig,
  paths: Pick<DataPaths, 'recordings' | 'played'>,
  openFiles: number | null = null,
): LoadedConfig {
  const name = playedName(paths.played);
  if (name === null) return settings;
  const path = join(paths.recordings, name + RECORDING_ENDING);
  const { fromSettings } = settings.config.replay;
  const problem = fromSettings ? IN_SETTINGS : whyNotPlayable(path);
  if (problem === null) return loadConfig(env, { name, path }, openFiles);
  forgetPlayed(paths.played);
  const warning = `The recording ${name}, chosen in the Admin Panel, is not played: ${problem}`;
  return { ...settings, warnings: [...settings.warnings, warning] };
}

/**
 * Resolves like `untilStopped`, and also when the supervising process is gone. `restart` ends this process
 * with the exit code for a restart.
 */
function untilOver(log: Log, signals: Signals, parent: SupervisorLine | null) {
  const { ended, end } = untilStopped(log, signals);
  parent?.onGone(() => {
    // Without a supervisor this process could not be stopped, and the next one would find the port in use.
    log.warn('The parent process is gone; stopping');
    end(EXIT.failed);
  });
  const restart = (): void => {
    log.info('Stopping for a restart');
    end(EXIT.restart);
  };
  return { ended, restart };
}

/**
 * Asks the supervising process, which holds the port, to free it, and reports when it is taken or released.
 */
function turnWith(parent: SupervisorLine): PortTurn {
  let freed = (): void => undefined;
  parent.onMessage((message) => {
    if ((message as { type?: unknown } | null)?.type === 'bind') freed();
  });
  return {
    // A start is tried again after a damaged database, so the port may already belong to this process.
    take: () => {
      const { promise: free, resolve } = Promise.withResolvers<void>();
      freed = resolve;
      parent.send({ type: 'binding' });
      return free;
    },
    taken: (port) => parent.send({ type: 'listening', port }),
    released: () => parent.send({ type: 'released' }),
  };
}

export type Descent = { supervisor: Supervisor; parent: SupervisorLine | null };

async function startAndStop(
  config: Config,
  context: ServerContext & { stopping: AbortSignal },
  parent: SupervisorLine | null,
  ended: Promise<number>,
): Promise<void> {
  const { stopping } = context;
  try {
    const server = await startServer(config, context);
    parent?.send({ type: 'started' });
    await ended;
    await server.stop();
  } catch (error) {
    // A stop during the start is not an error: the start is undone.
    if (!stopping.aborted || error !== stopping.reason) throw error;
  }
}

/**
 * Runs the server until it is asked to stop.
 * @returns the exit code, once everything is closed
 * @throws ConfigError or StartError if it can't start
 */
export async function runServer(
  io: Io,
  assets: Assets,
  signals: Signals,
  { supervisor, parent }: Descent,
): Promise<number> {
  const openFiles = openFileLimit();
  const settings = loadConfig(io.env, null, openFiles);
  const paths = dataPaths(settings.config);
  makeDataFolder(paths.folder);
  const { config, warnings } = withPlayedRecording(io.env, settings, paths, openFiles);
  const redactor = createRedactor(config.secrets);
  const { log, file, close } = startLogging({ folder: paths.logs, redactor });
  const { ended, restart } = untilOver(log, signals, parent);
  const stopping = new AbortController();
  void ended.then(() => stopping.abort());
  try {
    for (const warning of warnings) log.warn(warning);
    const { program, out: announce } = io;
    const { version, commit } = io.about;
    const wall = shifted(io.wall, config.clockShiftMs);
    const about = { ...io.about, startedAt: io.about.startedAt + config.clockShiftMs };
    log.info('Starting', { version, commit, feed: config.feed, data: paths.folder });
    const control: ProcessControl = { supervisor, restart, trial: createTrial(paths.folder, parent) };
    const context = {
      wall,
      log,
      assets,
      about,
      program,
      announce,
      control,
      logFile: file,
      turn: parent === null ? undefined : turnWith(parent),
      stopping: stopping.signal,
    };
    const run = startAndStop(config, context, parent, ended);
    const late = ended.then(() => Bun.sleep(STOP_WITHIN_MS)).then(() => 'late' as const);
    if ((await Promise.race([run, late])) === 'late') log.warn('Some services did not stop in time');
    const code = await ended;
    log.info('Stopped');
    return code;
  } finally {
    close();
  }
}
