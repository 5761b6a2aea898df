import { dirname, join } from 'node:path';
import { provideChromium, thisMachine } from './chromium.ts';

/**
 * Runs the stories in a real browser against `dist/bellbird`; provides the browser where there is none.
 * Arguments: parts of file names to run only those; `--screenshots` also saves the README's pictures.
 */
async function main(args: readonly string[]): Promise<number> {
  const root = dirname(import.meta.dir);
  const browser = await provideChromium(await thisMachine());
  if (!browser.ok) {
    console.error(browser.error);
    return 1;
  }
  const screenshots = args.includes('--screenshots');
  const wanted = args.filter((arg) => !arg.startsWith('--'));
  const files = stories(root)
    .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
    .map((file) => `./test/e2e/${file}`);
  if (files.length === 0) throw new Error(`No story matches ${wanted.join(' ')}.`);
  const child = Bun.spawn([process.execPath, 'test', '--timeout', '120000', ...files], {
    cwd: root,
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
    env: {
      ...process.env,
      CHROMIUM_PATH: browser.path,
      ...(screenshots ? { SCREENSHOTS: '1' } : {}),
    },
  });
  return child.exited;
}

function stories(root: string): string[] {
  return [...new Bun.Glob('*.e2e.ts').scanSync({ cwd: join(root, 'test', 'e2e') })].sort();
}

process.exit(await main(process.argv.slice(2)));
