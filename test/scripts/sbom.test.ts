import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { shippedPackages } from '../../scripts/release/lockfile.ts';
import { installedLicence, sbom } from '../../scripts/release/sbom.ts';

const root = join(import.meta.dir, '..', '..');
const own = readFileSync(join(root, 'bun.lock'), 'utf8');
const about = { version: '1.2.3', commit: 'abc', at: new Date(Date.UTC(2026, 0, 2)) };

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

test('ships what dependencies need, in the version that each of them finds, and no tool', () => {
  const found = shippedPackages(LOCK);
  expect(found.map(({ key, version, folder }) => [key, version, folder])).toEqual([
    ['@a/b', '1.0.0', 'node_modules/@a/b'],
    ['@a/b/c', '1.0.0', 'node_modules/@a/b/node_modules/c'],
    ['d', '1.0.0', 'node_modules/d'],
    ['p', '1.0.0', 'node_modules/p'],
  ]);
  expect(found[0]?.needs).toEqual(['@a/b/c', 'p']);
  expect(() => shippedPackages(LOCK.replace('"@a/b": "1"', '"gone": "1"'))).toThrow('does not hold gone');
});

test('the list of parts is CycloneDX, the same each time, with sums, licences and the runtime', async () => {
  const make = () => sbom(LOCK, about, (folder) => (folder.endsWith('/c') ? 'MIT OR Apache-2.0' : 'MIT'));
  const text = await make();
  expect(await make()).toBe(text);
  const { metadata, components, dependencies } = JSON.parse(text);
  expect(metadata).toMatchObject({ timestamp: '2026-01-02T00:00:00.000Z', component: { version: '1.2.3' } });
  const scoped = components.find((one: { purl: string }) => one.purl === 'pkg:npm/%40a/b@1.0.0');
  expect(scoped).toMatchObject({
    group: '@a',
    name: 'b',
    hashes: [{ alg: 'SHA-512', content: '0'.repeat(128) }],
  });
  expect(components.some((one: { purl: string }) => one.purl === `pkg:npm/bun@${Bun.version}`)).toBe(true);
  expect(dependencies).toContainEqual({ ref: '@a/b', dependsOn: ['@a/b/c', 'p'] });
});

test('lists every dependency of this repository with a licence', async () => {
  const { components } = JSON.parse(await sbom(own, about, installedLicence(root))) as {
    components: { 'bom-ref': string; licenses?: unknown[] }[];
  };
  const refs = new Set(components.map((one) => one['bom-ref']));
  expect(Object.keys(packageJson.dependencies).filter((name) => !refs.has(name))).toEqual([]);
  for (const name of Object.keys(packageJson.devDependencies)) expect(refs.has(name)).toBe(false);
  expect(components.filter(({ licenses }) => licenses === undefined)).toEqual([]);
});
