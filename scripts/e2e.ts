import { dirname, join } from 'node:path';
import type { BrowserServer } from 'playwright-core';
import { launchSharedBrowser, SHARED_BROWSER } from '../test/support/browser.ts';
import { provideChromium, thisMachine } from './chromium.ts';

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

/** Stories mostly wait, but a browser and a server that share one core with others are late for what they wait for. */
const AT_ONCE = navigator.hardwareConcurrency >= 4 ? 2 : 1;

type Env = Record<string, string | undefined>;

/** One browser for all files. Where it ended, the next file gets a new one. */
function createSharedBrowser() {
  let current: Promise<BrowserServer> | null = null;
  async function launch(): Promise<BrowserServer> {
    try {
      const server = await launchSharedBrowser();
      server.on('close', () => {
        current = null;
      });
      return server;
    } catch (error) {
      current = null;
      throw error;
    }
  }
  return {
    async address(): Promise<string> {
      current ??= launch();
      return (await current).wsEndpoint();
    },
    async close(): Promise<void> {
      await (await current)?.close();
    },
  };
}

/** Runs every file by itself, as many at a time as the machine has room for; what each prints is shown when it is over. @returns their exit codes */
async function runInTurns(files: readonly string[], env: Env): Promise<number[]> {
  const browser = createSharedBrowser();
  const waiting = [...files];
  const codes: number[] = [];
  const worker = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      codes.push(await run([file], { ...env, [SHARED_BROWSER]: await browser.address() }, 'pipe'));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await browser.close();
  return codes;
}

async function run(files: readonly string[], env: Env, output: 'inherit' | 'pipe'): Promise<number> {
  const child = Bun.spawn([process.execPath, 'test', '--timeout', '120000', ...files], {
    cwd: root,
    stdin: 'ignore',
    stdout: output,
    stderr: output,
    env,
  });
  const texts = await Promise.all([child.stdout, child.stderr].map((stream) => new Response(stream).text()));
  process.stdout.write(texts.join(''));
  return child.exited;
}

function stories(): string[] {
  return [...new Bun.Glob('*.e2e.ts').scanSync({ cwd: join(root, 'test', 'e2e') })].sort();
}

process.exit(await main(process.argv.slice(2)));
