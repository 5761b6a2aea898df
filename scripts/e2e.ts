import { dirname, join } from 'node:path';
import { launchSharedBrowser, SHARED_BROWSER } from '../test/support/browser.ts';
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

/** Stories mostly wait, so two files keep two cores busy for a third of the time. With three, stories wait for the machine. */
const AT_ONCE = navigator.hardwareConcurrency >= 2 ? 2 : 1;

/** These look at moments, as a tint that fades or a pause that is noticed: nothing else runs beside them. */
const ALONE = ['flashes', 'holding', 'silence'];

type Env = Record<string, string | undefined>;

/**
 * Runs every file in a process of its own, those that need the machine for themselves first, then as many at a time as it
 * has room for; what each prints is shown when it is over.
 * @returns their exit codes
 */
async function runInTurns(files: readonly string[], env: Env): Promise<number[]> {
  const browser = createSharedBrowser(launchSharedBrowser);
  const needsAll = (file: string): boolean => ALONE.some((name) => file.endsWith(`/${name}.e2e.ts`));
  const alone = files.filter(needsAll);
  // What takes long begins early, so that no file is left to run by itself; a long text mostly does much.
  const sizeOf = (file: string): number => Bun.file(join(root, file)).size;
  const others = files.filter((file) => !needsAll(file)).toSorted((a, b) => sizeOf(b) - sizeOf(a));
  // These end the browser, by which the running stories fail and end what they started; no further one begins.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => [alone, others].forEach((waiting) => waiting.splice(0)));
  const codes: number[] = [];
  const worker = async (waiting: string[]): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const own = { ...env, [SHARED_BROWSER]: await browser.address() };
      codes.push(await run([file], own, 'pipe'));
    }
  };
  await worker(alone);
  await Promise.all(Array.from({ length: AT_ONCE }, () => worker(others)));
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
