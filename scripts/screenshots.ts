import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dir);
const tests = join(root, 'test');
const folder = join(root, 'docs', 'screenshots');

/** The pictures of the docs, and the end-to-end test that takes each. */
export function testByPicture(): ReadonlyMap<string, string> {
  const files = [...new Bun.Glob('{journeys,browser}/*.e2e.ts').scanSync({ cwd: tests })];
  const taken = files.flatMap((file) => {
    const text = readFileSync(join(tests, file), 'utf8');
    return [...text.matchAll(/picture\(\s*\w+,\s*'([\w-]+)'/g)].map(([, name = '']) => [name, file] as const);
  });
  return new Map(taken);
}

async function main(): Promise<number> {
  const pictures = testByPicture();
  const startedAt = Date.now();
  const names = [...new Set(pictures.values())];
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'e2e.ts'), '--screenshots', ...names], {
    cwd: root,
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
  });
  const code = await child.exited;
  const old = [...pictures].filter(([name]) => {
    const file = statSync(join(folder, `${name}.png`), { throwIfNoEntry: false });
    return file === undefined || file.mtimeMs < startedAt;
  });
  for (const [name, file] of old) console.error(`${name}.png was not taken by ${file}.`);
  console.log(`${pictures.size - old.length} of ${pictures.size} pictures were taken.`);
  return old.length === 0 ? code : 1;
}

if (import.meta.main) process.exit(await main());
