import { afterAll, describe, expect, test } from 'bun:test';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildExecutable } from '#scripts/build/executable.ts';
import { WORKER_MODULES } from '#lib/workers.ts';

const root = join(import.meta.dir, '..', '..');
const folder = await mkdtemp(join(tmpdir(), 'bellbird-workers-'));
afterAll(() => rm(folder, { recursive: true }));

const probe = join(root, 'test', 'support', 'workerProbe.ts');

/** Prints `answered` if the worker replied to a message, otherwise the error. */
function answerOf(command: readonly string[], module: string): string {
  const { stdout, stderr } = Bun.spawnSync([...command, module], {
    cwd: tmpdir(),
    env: { PATH: '/usr/bin' },
  });
  return (stdout.toString() + stderr.toString()).trim();
}

describe('every worker answers', () => {
  test.each(WORKER_MODULES)('%s, from the sources', (module) => {
    expect(answerOf([process.execPath, probe], module)).toBe('answered');
  });

  test('in an executable built like the product', async () => {
    const webFolder = join(folder, 'web');
    await mkdir(webFolder);
    await Bun.write(join(webFolder, 'manifest.json'), '{}');
    const outfile = join(folder, 'probe');
    await buildExecutable({ root, entrypoint: probe, outfile, webFolder, commit: 'test' });
    for (const module of WORKER_MODULES) expect(answerOf([outfile], module)).toBe('answered');
  });
});
