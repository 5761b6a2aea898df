import { dirname, join } from 'node:path';
import { findChromium } from '../test/support/browser.ts';

/**
 * Runs the stories in a real browser against `dist/bellbird`.
 * Arguments: parts of file names to run only those; `--screenshots` also saves the README's pictures.
 */
async function main(args: readonly string[]): Promise<number> {
  const root = dirname(import.meta.dir);
  if (!findChromium()) {
    console.error(
      'The end-to-end tests need Chromium, and none is installed. On Debian: apt-get install chromium',
    );
    const inCi = process.env.CI === 'true' || process.env.CI === '1';
    if (inCi) return 1;
    console.error('They are left out on this machine; continuous integration fails without it.');
    console.log(` ${stories(root).length} skip`);
    return 0;
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
    env: { ...process.env, ...(screenshots ? { SCREENSHOTS: '1' } : {}) },
  });
  return child.exited;
}

function stories(root: string): string[] {
  return [...new Bun.Glob('*.e2e.ts').scanSync({ cwd: join(root, 'test', 'e2e') })].sort();
}

process.exit(await main(process.argv.slice(2)));
