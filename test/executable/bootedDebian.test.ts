import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { needExecutable } from '../support/executable.ts';

await needExecutable();

const root = join(import.meta.dir, '..', '..');

/** Why it can't be tried here; null when it can. */
function obstacle(): string | null {
  const kept = process.env['BOOTED_DEBIAN'];
  if (kept === undefined || !existsSync(kept)) return 'BOOTED_DEBIAN names no Debian that was made before';
  if (process.getuid?.() !== 0) return 'it needs root';
  return Bun.which('systemd-nspawn') === null ? 'systemd-nspawn is missing' : null;
}

test('the lines of docs/operations.md install a service in a booted Debian', async () => {
  const reason = obstacle();
  if (reason !== null) return console.log(`Not tried in a booted Debian: ${reason}.`);
  const run = Bun.spawn(['bun', 'scripts/bootedDebian.ts', 'install'], { cwd: root, stdout: 'pipe' });
  const said = await new Response(run.stdout).text();
  expect([await run.exited, said]).toEqual([0, expect.stringContaining('ok   install')]);
}, 300_000);
