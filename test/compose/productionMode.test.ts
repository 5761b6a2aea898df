import { afterAll, describe, expect, test } from 'bun:test';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildExecutable } from '#scripts/build/executable.ts';

const root = join(import.meta.dir, '..', '..');
// Next to the packages it imports.
const folder = await mkdtemp(join(root, 'node_modules', '.bellbird-mode-'));
afterAll(() => rm(folder, { recursive: true }));

/** Prints what Elysia detected when loaded, after the same first import as the server’s. */
const probe = join(folder, 'probe.ts');
await Bun.write(
  probe,
  `import ${JSON.stringify(join(root, 'src', 'config', 'productionMode.ts'))};
   import { isProduction } from 'elysia/error';
   console.log(isProduction);`,
);

function run(command: string[], env: Record<string, string>): string {
  const { stdout, stderr } = Bun.spawnSync(command, { cwd: tmpdir(), env: { PATH: '/usr/bin', ...env } });
  return (stdout.toString() + stderr.toString()).trim();
}

describe('production mode', () => {
  test('is set before anything else is imported', async () => {
    const main = await Bun.file(join(root, 'src', 'main.ts')).text();
    const [first] = new Bun.Transpiler({ loader: 'ts' }).scanImports(main);
    expect(first?.path).toBe('./config/productionMode.ts');
  });

  const environments = [{}, { NODE_ENV: 'development' }, { ENV: 'test' }] as Record<string, string>[];
  for (const env of environments) {
    test(`from the sources, with ${JSON.stringify(env)} around it`, () => {
      expect(run([process.execPath, probe], env)).toBe('true');
    });
  }

  test('in an executable built like the product', async () => {
    const webFolder = join(folder, 'web');
    await mkdir(webFolder);
    await Bun.write(join(webFolder, 'manifest.json'), '{}');
    const outfile = join(folder, 'probe');
    await buildExecutable({ root, entrypoint: probe, outfile, webFolder, commit: 'test' });
    for (const env of environments) expect(run([outfile], env)).toBe('true');
  });
});
