import { loadConfig } from '../config.ts';
import { dataPaths, makeDataFolder } from '../dataPaths.ts';
import type { Assets } from '../platform/http/assets.ts';
import type { ParentLine } from '../platform/install/shared/ownProcess.ts';
import type { ProcessControl, Supervisor } from '../platform/install/shared/processControl.ts';
import { createTrial } from '../platform/install/shared/trial.ts';
import type { Log } from '../lib/log.ts';
import { startLogging } from '../lib/logging.ts';
import { createRedactor } from '../lib/redact.ts';
import { type PortTurn, startServer } from '../server.ts';
import { EXIT, type Io } from './io.ts';
import { withPlayedRecording } from './playedRecording.ts';

/** Calls back on every request to stop, and on every uncaught failure. */
export type Signals = {
  onStop(listener: (signal: NodeJS.Signals) => void): void;
  onCrash(listener: (error: unknown, kind: string) => void): void;
};

const STOP_WITHIN_MS = 10_000;

type Stopping = { log: Log; signals: Signals; parent: ParentLine | null };

/** The exit code, once the process is asked to stop or to restart, its parent is gone, or an uncaught exception ends it. */
function untilStopped({ log, signals, parent }: Stopping) {
  const { promise, resolve } = Promise.withResolvers<number>();
  signals.onStop((signal) => {
    log.info('Stopping', { signal });
    resolve(EXIT.ok);
  });
  signals.onCrash((error, kind) => {
    log.error('An uncaught error; this is a fault of Bellbird', { kind, error });
    if (kind === 'uncaughtException') resolve(EXIT.failed);
  });
  parent?.onGone(() => {
    // Without it nobody could stop this process, and the next one would find the port and the data taken.
    log.warn('The process that started this one is gone; stopping');
    resolve(EXIT.failed);
  });
  const restart = (): void => {
    log.info('Stopping for a restart');
    resolve(EXIT.restart);
  };
  return { ended: promise, restart };
}

/** Has the parent leave the port to this process, and take it again in time. */
function turnWith(parent: ParentLine): PortTurn {
  let freed = (): void => undefined;
  parent.onMessage((message) => {
    if ((message as { type?: unknown } | null)?.type === 'bind') freed();
  });
  return {
    // Once a start: a damaged database makes a second one.
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

/** Who started the server, and who will start the next one. */
export type Descent = { supervisor: Supervisor; parent: ParentLine | null };

/**
 * Runs the server until the process is asked to stop.
 *
 * @returns the exit code, when everything is closed
 * @throws ConfigError or StartError when it can't start
 */
export async function runServer(
  io: Io,
  assets: Assets,
  signals: Signals,
  { supervisor, parent }: Descent,
): Promise<number> {
  const settings = loadConfig(io.env);
  const paths = dataPaths(settings.config);
  makeDataFolder(paths.folder);
  const { config, warnings } = withPlayedRecording(io.env, settings, paths);
  const redactor = createRedactor(config.secrets);
  const { log, file, close } = startLogging({ folder: paths.logs, redactor });
  const { ended, restart } = untilStopped({ log, signals, parent });
  const stopping = new AbortController();
  void ended.then(() => stopping.abort());
  try {
    for (const warning of warnings) log.warn(warning);
    const { version, commit } = io.about;
    log.info('Starting', { version, commit, feed: config.feed, data: paths.folder });
    const control: ProcessControl = { supervisor, restart, trial: createTrial(paths.folder, parent) };
    const { wall, about, program, out: announce } = io;
    const turn = parent === null ? undefined : turnWith(parent);
    const startAndStop = async (): Promise<void> => {
      const server = await startServer(config, {
        ...{ wall, log, assets, about, program, announce, control, turn },
        ...{ logFile: file, stopping: stopping.signal },
      });
      parent?.send({ type: 'started' });
      await ended;
      await server.stop();
    };
    const late = ended.then(() => Bun.sleep(STOP_WITHIN_MS)).then(() => 'late' as const);
    const run = startAndStop().catch((error: unknown) => {
      // Asked to end before it had started: all of it is undone, and the code below says how.
      if (!stopping.signal.aborted || error !== stopping.signal.reason) throw error;
    });
    if ((await Promise.race([run, late])) === 'late') log.warn('Some parts did not stop in time');
    const code = await ended;
    log.info('Stopped');
    return code;
  } finally {
    close();
  }
}
