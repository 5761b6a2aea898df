import { expect, test } from 'bun:test';
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildDeb, controlFile, debianVersion, PACKAGES } from '../../scripts/release/deb.ts';
import { serviceUnit, unsetSettings } from '../../src/platform/install/service/files.ts';
import { tempFolders } from '../support/tempFolder.ts';

const folder = tempFolders();
const root = join(import.meta.dir, '..', '..');
const about = { version: '1.2.3', commit: 'abc', at: new Date(Date.UTC(2026, 0, 2)), isSigned: false };
const deployed = (name: string): string => readFileSync(join(root, 'deploy', 'systemd', name), 'utf8');

test('the control file names version, processor and size, and that a build without a key is unsigned', () => {
  const text = controlFile(about, 'arm64', 2049);
  expect(text).toMatch(/^Package: bellbird\nVersion: 1\.2\.3\nArchitecture: arm64\n/);
  expect(text).toContain('\nInstalled-Size: 3\n');
  expect(text).toContain('\n It is unsigned: built without a release key.\n');
  expect(controlFile({ ...about, isSigned: true }, 'amd64', 1)).not.toContain('unsigned');
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test('a version before another is older for Debian too', () => {
  expect([debianVersion('1.0.0-rc.1'), debianVersion('1.0.0')]).toEqual(['1.0.0~rc.1', '1.0.0']);
});

test('the unit of the package is that of the docs but for the program', () => {
  const unit = serviceUnit('/usr/bin/bellbird');
  const changed = unit.split('\n').filter((line) => !deployed('bellbird.service').split('\n').includes(line));
  expect(changed).toEqual(['ExecStart=/usr/bin/bellbird serve']);
});

test('the package sets nothing by itself', () => {
  const settings = unsetSettings();
  expect(settings).toContain('\n#BELLBIRD_PUBLIC_URL=');
  expect(settings.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
});

test.if(Bun.which('dpkg-deb') !== null)('two builds of a package are the same bytes', () => {
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
