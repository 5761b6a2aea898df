/** A launcher in a process of its own, to be killed: launchRunner.ts <folder> <port> <executable> */
import { launch } from '../../src/platform/install/launcher/launch.ts';
import { join } from 'node:path';

const [folder = '', port = '', executable = ''] = process.argv.slice(2);

const code = await launch({
  ...{ folder, database: join(folder, 'bellbird.db'), port: Number(port) },
  host: '127.0.0.1',
  childEnv: (taken) => ({ PATH: process.env.PATH ?? '', BELLBIRD_PORT: String(taken) }),
  self: { command: [executable], write: () => {} },
  clock: { now: () => Date.now(), monotonic: () => performance.now() },
  trialSeconds: 0.6,
  redact: (line) => line,
  say: () => {},
  onStop: () => {},
  restartCode: 75,
  isSupervised: false,
});
process.exit(code);
