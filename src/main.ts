// Must come first, because libraries read the mode while they load.
import './config/productionMode.ts';
import { existsSync, readFileSync } from 'node:fs';
import { build, releaseKey } from './platform/install/about.ts';
import { run } from './cli/run.ts';
import { exemptOwnMachine } from './lib/httpClient/client.ts';
import { isHangupIgnored, type SupervisorLine } from './platform/install/shared/ownProcess.ts';

// New files are readable only by their owner: the database, its copies, the secret and the logs.
process.umask(0o077);

exemptOwnMachine(process.env);

/** Path of this program. Read early, because an update renames the running file. */
const command = Bun.isStandaloneExecutable ? [process.execPath] : [process.execPath, Bun.main];

/** Name of process 1; empty if unknown. */
function initName(): string {
  try {
    return readFileSync('/proc/1/comm', 'utf8').trim();
  } catch {
    return '';
  }
}

/** Connection to the `bellbird serve` that started this process; null if something else did. */
const parentLine = (): SupervisorLine | null =>
  process.send
    ? {
        send: (message) => {
          if (process.connected) process.send?.(message);
        },
        onMessage: (listener) => void process.on('message', listener),
        onGone: (listener) => {
          process.on('disconnect', listener);
          // The parent may already be gone.
          if (!process.connected) queueMicrotask(listener);
        },
      }
    : null;

// Only this file reads the process: its environment, arguments, clock, signals and standard streams.
const code = await run(process.argv.slice(2), {
  io: {
    env: process.env,
    wall: { now: () => Date.now(), monotonic: () => performance.now() },
    about: { ...build, pid: process.pid, startedAt: Math.round(performance.timeOrigin) },
    program: {
      executable: process.execPath,
      isStandalone: Bun.isStandaloneExecutable,
      releaseKey,
      env: process.env,
    },
    self: {
      pid: process.pid,
      ppid: process.ppid,
      command,
      isInContainer: () => existsSync('/.dockerenv') || existsSync('/run/.containerenv'),
      initName,
      write: (stream, bytes) => void process[stream].write(bytes),
      parent: parentLine(),
    },
    out: (line) => console.log(line),
    hasColours: process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === '',
    err: (line) => console.error(line),
    readSecret: async (prompt) => {
      const { readSecret } = await import('./cli/terminal.ts');
      return readSecret(process.stdin, process.stderr, prompt);
    },
    ask: async (prompt) => {
      const { askPerson } = await import('./cli/terminal.ts');
      return askPerson(process.stdin, process.stderr, prompt);
    },
    compileEarly: () => Bun.unsafe.setJITPolicy(1),
  },
  openAssets: async () => (await import('./platform/http/assets.ts')).openAssets(),
  signals: {
    onStop: (listener) => {
      const hangup = isHangupIgnored() ? [] : (['SIGHUP'] as const);
      for (const signal of ['SIGINT', 'SIGTERM', ...hangup] as const) {
        process.on(signal, () => listener(signal));
      }
    },
    onCrash: (listener) => {
      process.on('uncaughtException', (error) => listener(error, 'uncaughtException'));
      process.on('unhandledRejection', (error) => listener(error, 'unhandledRejection'));
    },
  },
});
process.exit(code);
