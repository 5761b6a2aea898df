import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HEAP_SETTINGS, withHeapSettings } from '../../../src/platform/install/shared/heapSettings.ts';

const root = join(import.meta.dir, '..', '..', '..');
const text = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');

describe('how the runtime looks after memory', () => {
  test('is said to a server, unless its operator says it', () => {
    expect(withHeapSettings({ PATH: '/bin' })).toEqual({ PATH: '/bin', ...HEAP_SETTINGS });
    const [name = ''] = Object.keys(HEAP_SETTINGS);
    expect(withHeapSettings({ [name]: '7' })).toEqual({ ...HEAP_SETTINGS, [name]: '7' });
  });

  test('is said in words that the runtime knows', () => {
    const env = { PATH: process.env.PATH ?? '', ...HEAP_SETTINGS, BUN_JSC_dumpOptions: '1' };
    const { stderr, stdout } = Bun.spawnSync([process.execPath, '-e', '0'], { env });
    const said = stdout.toString() + stderr.toString();
    for (const [name, value] of Object.entries(HEAP_SETTINGS)) {
      expect(said).toContain(`${name.replace('BUN_JSC_', ' ')}=${value} `);
    }
  });

  test('is the same where a supervisor starts the server', () => {
    const unit = text('deploy', 'systemd', 'bellbird.service');
    const image = text('deploy', 'docker', 'Dockerfile');
    for (const [name, value] of Object.entries(HEAP_SETTINGS)) {
      expect(unit).toContain(`\nEnvironment=${name}=${value}\n`);
      expect(image).toContain(` ${name}=${value}`);
    }
  });
});
