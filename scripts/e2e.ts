import { dirname, join } from 'node:path';
import { launchSharedBrowser, SHARED_BROWSER } from '../test/support/browser.ts';
import { SHARED_MARKET, startSharedMarket } from '../test/support/tradingStage.ts';
import { provideChromium, thisMachine } from './chromium.ts';
import { createSharedBrowser } from './sharedBrowser.ts';

const root = dirname(import.meta.dir);

/**
 * Runs the stories in a real browser against `dist/bellbird`; provides the browser where there is none.
 * Arguments: parts of file names to run only those; `--screenshots` also saves the README's pictures.
 */
async function main(args: readonly string[]): Promise<number> {
  const browser = await provideChromium(await thisMachine());
  if (!browser.ok) {
    console.error(browser.error);
    return 1;
  }
  const screenshots = args.includes('--screenshots');
  const wanted = args.filter((arg) => !arg.startsWith('--'));
  const files = stories()
    .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
    .map((file) => `./test/e2e/${file}`);
  if (files.length === 0) throw new Error(`No story matches ${wanted.join(' ')}.`);
  // Whoever looks for a browser, here or in a story's process, finds this one first.
  process.env['CHROMIUM_PATH'] = browser.path;
  const env: Env = { ...process.env, ...(screenshots ? { SCREENSHOTS: '1' } : {}) };
  // One file alone can be watched as it goes.
  const codes = files.length === 1 ? [await run(files, env, 'inherit')] : await runInTurns(files, env);
  return codes.every((code) => code === 0) ? 0 : 1;
}

/** More at once keep two cores so busy that a press and its release fall on a page that moved between them. */
const AT_ONCE = navigator.hardwareConcurrency >= 2 ? 2 : 1;

type Env = Record<string, string | undefined>;

/**
 * Runs every file in a process of its own, before one browser and, where that will do, one market, as many at a time as the
 * machine has room for; what each prints is shown when it is over.
 * @returns their exit codes
 */
async function runInTurns(files: readonly string[], env: Env): Promise<number[]> {
  const browser = createSharedBrowser(launchSharedBrowser);
  const { market, stop } = await startSharedMarket();
  // What takes long begins early, so that no file is left to run by itself; a long text mostly does much.
  const sizeOf = (file: string): number => Bun.file(join(root, file)).size;
  const waiting = files.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  // These end the browser, by which the running stories fail and end what they started; no further one begins.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void waiting.splice(0));
  const codes: number[] = [];
  const worker = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const own = { ...env, [SHARED_BROWSER]: await browser.address(), [SHARED_MARKET]: market };
      codes.push(await run([file], own, 'pipe'));
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  } finally {
    await browser.close();
    await stop();
  }
  return codes;
}

async function run(files: readonly string[], env: Env, output: 'inherit' | 'pipe'): Promise<number> {
  const child = Bun.spawn([process.execPath, 'test', '--timeout', '240000', ...files], {
    cwd: root,
    stdin: 'ignore',
    stdout: output,
    stderr: output,
    env,
  });
  const texts = await Promise.all([child.stdout, child.stderr].map((stream) => new Response(stream).text()));
  const text = texts.join('');
  process.stdout.write(text);
  const code = await child.exited;
  // Such as a crash, which no test tells of.
  if (output === 'pipe' && code !== 0 && !text.includes('(fail)'))
    console.log(`(fail) ${files.join(' ')} ended with code ${code}`);
  return code;
}

function stories(): string[] {
  return [...new Bun.Glob('*.e2e.ts').scanSync({ cwd: join(root, 'test', 'e2e') })].sort();
}

process.exit(await main(process.argv.slice(2)));
