import type { Build } from 'bun';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { version } from '../package.json' with { type: 'json' };
import { elfProblem } from '../src/platform/install/server/releaseSource.ts';
import { buildExecutable } from './build/executable.ts';
import { commitTime, currentCommit } from './build/inputs.ts';
import { buildWeb } from './build/web.ts';
import { type Architecture, buildDeb, PACKAGES } from './release/deb.ts';
import { installedLicence, sbom, SBOM_FILE } from './release/sbom.ts';
import { checkKey, describeRelease, makeKeys, PRIVATE_KEY_FILE, PUBLIC_KEY_FILE } from './release/sign.ts';

/**
 * A version's section of a changelog: the lines from its heading to the next one.
 * @param version the heading starts with it, with or without brackets; if there is none, the first section is used
 */
function notesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const own = sections.find((text) => text.replace(/^\[|^v/, '').startsWith(version)) ?? sections[0] ?? '';
  return own.slice(own.indexOf('\n') + 1).trim();
}

/** The executables of a release, with Bun's target and the processor. */
const TARGETS = {
  'bellbird-linux-x64': { target: 'bun-linux-x64', arch: 'x64' },
  'bellbird-linux-x64-baseline': { target: 'bun-linux-x64-baseline', arch: 'x64' },
  'bellbird-linux-arm64': { target: 'bun-linux-arm64', arch: 'arm64' },
} as const satisfies Record<string, { target: Build.CompileTarget; arch: string }>;

const root = dirname(import.meta.dir);

/** The signing key: from the environment, a file, or the new one of `--new-key`; null if there is none. */
function signingKey(file: string | undefined): string | null {
  const given = process.env['RELEASE_KEY'];
  if (given) return given;
  const path = file ?? join(root, PRIVATE_KEY_FILE);
  if (file === undefined && !existsSync(path)) return null;
  return readFileSync(path, 'utf8');
}

async function compileAll(release: string, commit: string): Promise<string[]> {
  const work = await mkdtemp(join(tmpdir(), 'bellbird-release-'));
  try {
    const webFolder = join(work, 'web');
    await buildWeb({ root, outdir: webFolder, commit });
    for (const [name, { target, arch }] of Object.entries(TARGETS)) {
      const outfile = join(release, name);
      await buildExecutable({ root, outfile, webFolder, commit, target });
      const problem = elfProblem(await Bun.file(outfile).slice(0, 64).bytes(), arch);
      if (problem !== null) throw new Error(`${name} ${problem}.`);
      console.log(`dist/release/${name}: ${(Bun.file(outfile).size / 1024 / 1024).toFixed(0)} MB`);
    }
    return Object.keys(TARGETS);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function writeSbom(release: string, commit: string): Promise<string> {
  const about = { version, commit, at: await commitTime(root) };
  const lock = await Bun.file(join(root, 'bun.lock')).text();
  await Bun.write(join(release, SBOM_FILE), await sbom(lock, about, installedLicence(root)));
  return SBOM_FILE;
}

async function packageAll(release: string, commit: string): Promise<string[]> {
  if (Bun.which('dpkg-deb') === null) {
    console.log('No Debian packages: dpkg-deb is not installed.');
    return [];
  }
  const at = (await commitTime(root)) ?? new Date(0);
  const isSigned = existsSync(join(root, PUBLIC_KEY_FILE));
  return (Object.keys(PACKAGES) as Architecture[]).map((architecture) => {
    const name = buildDeb(root, release, architecture, { version, commit, at, isSigned });
    console.log(`dist/release/${name}: ${(Bun.file(join(release, name)).size / 1024 / 1024).toFixed(0)} MB`);
    return name;
  });
}

async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { 'new-key': { type: 'boolean' }, key: { type: 'string' }, minimum: { type: 'string' } },
  });
  if (values['new-key']) {
    makeKeys(root);
    console.log(`${PRIVATE_KEY_FILE} signs releases: keep it secret, and store a copy elsewhere.`);
    console.log(`${PUBLIC_KEY_FILE} is built into executables: commit it.`);
    return;
  }
  const key = signingKey(values.key);
  if (key !== null) checkKey(key, root);
  const release = join(root, 'dist', 'release');
  await rm(release, { recursive: true, force: true });
  await mkdir(release, { recursive: true });
  const commit = await currentCommit(root);
  const names = await compileAll(release, commit);
  const packages = [await writeSbom(release, commit), ...(await packageAll(release, commit))];
  const notes = notesOf(await Bun.file(join(root, 'CHANGELOG.md')).text(), version);
  const about = { version, commit, minimum: values.minimum ?? null, notes };
  describeRelease(release, { names, packages }, about, key);
  console.log(await Bun.file(join(release, 'SHA256SUMS')).text());
  console.log(
    key === null
      ? 'Unsigned: no installation updates to it automatically. Create a key with: bun scripts/release.ts --new-key'
      : `Signed: version ${version}.`,
  );
}

await main(process.argv.slice(2));
