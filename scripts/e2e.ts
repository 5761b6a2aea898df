import { dirname, join } from 'node:path';
import { E2E_RUN } from '../test/support/browser.ts';
import { SHARED_MARKET, startSharedMarket } from '../test/support/tradingFixture.ts';
import { provideChromium, thisMachine } from './chromium.ts';

const root = dirname(import.meta.dir);

/**
 * Runs the browser tests against `dist/bellbird`, and provides the browser if there is none. Arguments: parts of paths
 * in `test`, such as `journeys/` or `chart`; `--screenshots` also saves the README's pictures.
 */
async function main(args: readonly string[]): Promise<number> {
  const browser = await provideChromium(await thisMachine());
  if (!browser.ok) {
    console.error(browser.error);
    return 1;
  }
  const screenshots = args.includes('--screenshots');
  const wanted = args.filter((arg) => !arg.startsWith('--'));
  const files = testFiles()
    .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
    .map((file) => `./test/${file}`);
  if (files.length === 0) throw new Error(`No browser test matches ${wanted.join(' ')}.`);
  // Lets tests in other processes find this browser first.
  process.env['CHROMIUM_PATH'] = browser.path;
  const env: Env = { ...process.env, ...(screenshots ? { SCREENSHOTS: '1' } : {}) };
  // A single file needs no shared browser or market.
  return files.length === 1 ? run(files, env) : runShared(files, env);
}

/** Number of concurrent files. With more, two cores are so busy that a click hits a page that has moved. */
const AT_ONCE = navigator.hardwareConcurrency >= 2 ? 2 : 1;

type Env = Record<string, string | undefined>;

/**
 * Runs the files in as many processes as the machine allows, each with one browser, and if possible with one shared
 * market.
 */
async function runShared(files: readonly string[], env: Env): Promise<number> {
  const { market, stop } = await startSharedMarket();
  try {
    const flags = [`--parallel=${AT_ONCE}`, '--no-isolate'];
    return await run([...flags, ...files], { ...env, [E2E_RUN]: '1', [SHARED_MARKET]: market });
  } finally {
    await stop();
  }
}

async function run(args: readonly string[], env: Env): Promise<number> {
  const child = Bun.spawn([process.execPath, 'test', '--timeout', '240000', ...args], {
    cwd: root,
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
    env,
  });
  // Stopping this process stops the tests, which stop their processes.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => child.kill(signal));
  return child.exited;
}

function testFiles(): string[] {
  return [...new Bun.Glob('{journeys,browser}/*.e2e.ts').scanSync({ cwd: join(root, 'test') })].sort();
}

process.exit(await main(process.argv.slice(2)));
