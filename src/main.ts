// First: libraries read the mode while they are loaded.
import './productionMode.ts';
import { build, releaseKey } from './about.ts';
import { run } from './cli/run.ts';

// What is made is for its owner alone: the database, its copies, the secret and the logs.
process.umask(0o077);

// The only place that looks at the process: its environment, arguments, clock, signals and standard streams.
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
    out: (line) => console.log(line),
    err: (line) => console.error(line),
    readSecret: async (prompt) => {
      const { readSecret } = await import('./cli/secretInput.ts');
      return readSecret(process.stdin, process.stderr, prompt);
    },
  },
  openAssets: async () => (await import('./http/assets.ts')).openAssets(),
  signals: {
    onStop: (listener) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => listener(signal));
    },
    onCrash: (listener) => {
      process.on('uncaughtException', (error) => listener(error, 'uncaughtException'));
      process.on('unhandledRejection', (error) => listener(error, 'unhandledRejection'));
    },
  },
});
process.exit(code);
