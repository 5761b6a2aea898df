/**
 * Installs Bellbird in a Debian booted with systemd, with the lines of docs/install.md, and simulates years of
 * operation. Usage: bun scripts/bootedDebian.ts [case ...]. It needs Linux, root, a build, and Debian's packages
 * systemd-container and mmdebstrap. BOOTED_DEBIAN names a folder in which the Debian is kept for the next run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executable, needExecutable } from '../test/support/executable.ts';
import { checkout } from './bootedDebian/cases/checkout.ts';
import { clock, disk, power } from './bootedDebian/cases/power.ts';
import { install, packaged } from './bootedDebian/cases/install.ts';
import { move, restore } from './bootedDebian/cases/restore.ts';
import { service } from './bootedDebian/cases/service.ts';
import { update } from './bootedDebian/cases/update.ts';
import type { Bench } from './bootedDebian/installation.ts';
import { debianRoot } from './bootedDebian/machine.ts';

const SEED = 1;

const CASES: Readonly<Record<string, (bench: Bench) => Promise<string>>> = {
  install,
  disk,
  clock,
  restore,
  move,
  packaged,
  service,
  power: (bench) => power(bench, SEED),
  update: (bench) => update(bench, SEED),
  checkout,
};

await needExecutable();
const missing = ['systemd-nspawn', 'mmdebstrap', 'nsenter'].filter((name) => Bun.which(name) === null);
if (process.getuid?.() !== 0 || missing.length > 0) {
  console.log(`Not tried: it needs root${missing.length > 0 ? ` and ${missing.join(', ')}` : ''}.`);
  process.exit(2);
}
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => CASES[name] === undefined);
if (unknown.length > 0) {
  console.log(`There is no case ${unknown.join(', ')}. They are ${Object.keys(CASES).join(', ')}.`);
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'bellbird-debian-'));
const base = debianRoot(process.env['BOOTED_DEBIAN'] ?? join(folder, 'debian'));
let failed = 0;
for (const [name, run] of Object.entries(CASES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const began = performance.now();
  try {
    const output = await run({ base, folder, released: executable });
    console.log(`ok   ${name} (${Math.round((performance.now() - began) / 1000)} s): ${output}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
rmSync(folder, { recursive: true, force: true });
process.exit(failed === 0 ? 0 : 1);
