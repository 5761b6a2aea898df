import { loadConfig } from '../config.ts';
import { dataPaths, makeDataFolder } from '../dataFolder.ts';
import type { Assets } from '../http/assets.ts';
import type { ProcessControl } from '../install/processControl.ts';
import type { Log } from '../lib/log.ts';
import { startLogging } from '../lib/logging.ts';
import { createRedactor } from '../lib/redact.ts';
import { startServer } from '../server.ts';
import { EXIT, type Io } from './io.ts';

/** Calls back on every request to stop, and on every uncaught failure. */
export type Signals = {
  onStop(listener: (signal: string) => void): void;
  onCrash(listener: (error: unknown, kind: string) => void): void;
};

const STOP_WITHIN_MS = 10_000;

/** The exit code, once the process is asked to stop or an uncaught exception ends it. */
function untilStopped(signals: Signals, log: Log): { ended: Promise<number>; control: ProcessControl } {
  const { promise, resolve } = Promise.withResolvers<number>();
  signals.onStop((signal) => {
    log.info('Stopping', { signal });
    resolve(0);
  });
  signals.onCrash((error, kind) => {
    log.error('An uncaught error; this is a fault of Bellbird', { kind, error });
    if (kind === 'uncaughtException') resolve(1);
  });
  const control: ProcessControl = { supervisor: 'none', restart: () => resolve(EXIT.ok) };
  return { ended: promise, control };
}

/**
 * Runs the server until the process is asked to stop.
 *
 * @returns the exit code, when everything is closed
 * @throws ConfigError or StartError when it can't start
 */
export async function serve(io: Io, assets: Assets, signals: Signals): Promise<number> {
  const { config, warnings } = loadConfig(io.env);
  const paths = dataPaths(config);
  makeDataFolder(paths.folder);
  const { ingestKey, jwtSecret, ai, telegram, discord, tradingview } = config;
  const secrets = [ingestKey, jwtSecret, ai.key, telegram.token, discord.token, tradingview.cookie];
  const { log, close } = startLogging({ folder: paths.logs, redactor: createRedactor(secrets) });
  const { ended, control } = untilStopped(signals, log);
  try {
    for (const warning of warnings) log.warn(warning);
    const { version, commit } = io.about;
    log.info('Starting', { version, commit, feed: config.feed, data: paths.folder });
    const { wall, about, program, out: announce } = io;
    const server = await startServer(config, { wall, log, assets, about, program, announce, control });
    const code = await ended;
    const late = Bun.sleep(STOP_WITHIN_MS).then(() => 'late' as const);
    if ((await Promise.race([server.stop(), late])) === 'late') log.warn('Some parts did not stop in time');
    log.info('Stopped');
    return code;
  } finally {
    close();
  }
}
