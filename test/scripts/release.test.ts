import { expect, test } from 'bun:test';
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { buildDeb, controlFile, PACKAGES } from '#scripts/release/deb.ts';
import { installedLicence, sbom, shippedPackages } from '#scripts/release/sbom.ts';
import { serviceUnit } from '#platform/install/service/host.ts';
import { tempFolders } from '../support/tempFolder.ts';

const root = join(import.meta.dir, '..', '..');
const own = readFileSync(join(root, 'bun.lock'), 'utf8');
const about = { version: '1.2.3', commit: 'abc', at: new Date(Date.UTC(2026, 0, 2)), isSigned: false };

const SUM = Buffer.alloc(64).toString('base64');
const LOCK = `{
  "workspaces": { "": { "dependencies": { "@a/b": "1" }, "devDependencies": { "tool": "1" } } },
  "packages": {
    "@a/b": ["@a/b@1.0.0", "", { "dependencies": { "c": "1" }, "peerDependencies": { "tool": "1", "p": "1", "q": "1" }, "optionalPeers": ["q"] }, "sha512-${SUM}"],
    "@a/b/c": ["c@1.0.0", "", { "dependencies": { "d": "1" } }, "sha512-${SUM}"],
    "c": ["c@2.0.0", "", {}, "sha512-${SUM}"],
    "d": ["d@1.0.0", "", { "dependencies": { "@a/b": "1" } }, "sha512-${SUM}"],
    "p": ["p@1.0.0", "", {}],
    "q": ["q@1.0.0", "", {}, "sha512-${SUM}"],
    "tool": ["tool@1.0.0", "", {}, "sha512-${SUM}"],
  }
}`;

test('a release has the dependencies in the version that each package resolves, and no dev tools', () => {
  const found = shippedPackages(LOCK);
  expect(found.map(({ key, version, folder }) => [key, version, folder])).toEqual([
    ['@a/b', '1.0.0', 'node_modules/@a/b'],
    ['@a/b/c', '1.0.0', 'node_modules/@a/b/node_modules/c'],
    ['d', '1.0.0', 'node_modules/d'],
    ['p', '1.0.0', 'node_modules/p'],
  ]);
  expect(found[0]?.needs).toEqual(['@a/b/c', 'p']);
  expect(() => shippedPackages(LOCK.replace('"@a/b": "1"', '"gone": "1"'))).toThrow('does not contain gone');
});

test('the list of parts has every dependency of this repository with a licence', async () => {
  const { components } = JSON.parse(await sbom(own, about, installedLicence(root))) as {
    components: { 'bom-ref': string; licenses?: unknown[] }[];
  };
  const refs = new Set(components.map((one) => one['bom-ref']));
  expect(Object.keys(packageJson.dependencies).filter((name) => !refs.has(name))).toEqual([]);
  for (const name of Object.keys(packageJson.devDependencies)) expect(refs.has(name)).toBe(false);
  expect(components.filter(({ licenses }) => licenses === undefined)).toEqual([]);
});

const folder = tempFolders();
const deployed = (name: string): string => readFileSync(join(root, 'deploy', 'systemd', name), 'utf8');

test('the control file names version, processor and size, and marks a build without a key as unsigned', () => {
  const text = controlFile(about, 'arm64', 2049);
  expect(text).toMatch(/^Package: bellbird\nVersion: 1\.2\.3\nArchitecture: arm64\n/);
  expect(text).toContain('\nInstalled-Size: 3\n');
  expect(text).toContain('\n It is unsigned: built without a release key.\n');
  expect(controlFile({ ...about, isSigned: true }, 'amd64', 1)).not.toContain('unsigned');
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test('the package’s unit matches the documented one except for the program path', () => {
  const unit = serviceUnit('/usr/bin/bellbird');
  const changed = unit.split('\n').filter((line) => !deployed('bellbird.service').split('\n').includes(line));
  expect(changed).toEqual(['ExecStart=/usr/bin/bellbird serve']);
});

test.if(Bun.which('dpkg-deb') !== null)('two builds of a package are identical', () => {
  const built = [1_800_000_000, 1_900_000_000].map((seconds, index) => {
    const release = join(folder(), `at-${index}`);
    mkdirSync(release);
    const program = join(release, PACKAGES.amd64);
    writeFileSync(program, 'program');
    utimesSync(program, seconds, seconds);
    return readFileSync(join(release, buildDeb(root, release, 'amd64', about)));
  });
  expect(built[0]?.equals(built[1] ?? Buffer.of())).toBe(true);
});
