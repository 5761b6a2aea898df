import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceHost } from '#platform/install/service/host.ts';
import { installService, uninstallService } from '#platform/install/service/installService.ts';
import { tempFolders } from '#support/tempFolder.ts';

const folder = tempFolders();
const LINK = 'http://127.0.0.1:3000/#/register?setup=abc';
const SERVES = `Bellbird listens on http://127.0.0.1:3000.\nNo administrator yet.\n  ${LINK}\n`;

/** A machine in a folder, whose programs answer like one with systemd. */
function fixture(
  options: Partial<ServiceHost> & { journal?: string; fails?: string; installed?: string } = {},
) {
  const { journal = SERVES, fails = '', installed = '', ...given } = options;
  const root = folder();
  const executable = join(root, 'downloaded');
  writeFileSync(executable, 'program');
  const printed: string[] = [];
  const ran: string[] = [];
  let runs = false;
  const host: ServiceHost = {
    root,
    executable,
    version: '1.4.0',
    isStandalone: true,
    uid: 0,
    run: (command) => {
      const line = command.join(' ');
      ran.push(line);
      if (fails !== '' && line.startsWith(fails)) return { code: 1, out: 'No.\n' };
      if (line === 'systemctl restart bellbird') runs = true;
      if (line.includes('is-active')) return { code: runs ? 0 : 3, out: '' };
      if (line.endsWith(' version')) return { code: 0, out: installed };
      if (line.includes('is-failed') || line.startsWith('getent')) return { code: 1, out: '' };
      return { code: 0, out: command[0] === 'journalctl' ? journal : '' };
    },
    exists: (path) => path === '/run/systemd/system',
    pause: async () => {},
    print: (line) => printed.push(line),
    ...given,
  };
  return { host, printed, ran, at: (path: string): string => join(root, path) };
}

const refusalOf = (host: ServiceHost): Promise<string> =>
  installService(host, { now: 0 }).then(
    () => '',
    (error: Error) => error.message,
  );

describe('service install', () => {
  test('creates user, program, unit and settings, and prints the link', async () => {
    const { host, printed, ran, at } = fixture();
    await installService(host, { now: 1_800_000_000_500 });
    expect(readFileSync(at('etc/systemd/system/bellbird.service'), 'utf8')).toBe(
      readFileSync(join(import.meta.dir, '../../../deploy/systemd/bellbird.service'), 'utf8'),
    );
    expect(statSync(at('opt/bellbird/bellbird')).mode & 0o777).toBe(0o755);
    expect(statSync(at('etc/bellbird/env')).mode & 0o777).toBe(0o600);
    expect(readFileSync(at('etc/bellbird/env'), 'utf8')).not.toMatch(/^BELLBIRD/m);
    expect(ran.some((line) => line.startsWith('useradd --system '))).toBe(true);
    expect(ran).toContain('systemctl enable --quiet bellbird');
    expect(ran.find((line) => line.startsWith('journalctl'))).toEndWith('--since @1800000000');
    expect(printed.join('\n')).toContain(LINK);
  });

  test('changes nothing when repeated; another executable restarts it', async () => {
    const { host, printed, ran, at } = fixture();
    await installService(host, { now: 0 });
    writeFileSync(at('etc/bellbird/env'), 'BELLBIRD_FEED=ingest\n');
    await installService(host, { now: 0 });
    expect(printed.at(-1)).toBe('The service is already installed and running.');
    expect(ran.filter((line) => line === 'systemctl restart bellbird')).toHaveLength(1);
    writeFileSync(host.executable, 'PROGRAM');
    await installService(host, { now: 0 });
    expect(ran.filter((line) => line === 'systemctl restart bellbird')).toHaveLength(2);
    expect(readFileSync(at('opt/bellbird/bellbird'), 'utf8')).toBe('PROGRAM');
    expect(readFileSync(at('etc/bellbird/env'), 'utf8')).toBe('BELLBIRD_FEED=ingest\n');
  });

  test.each([
    ['an older executable is refused', 'bellbird 1.10.0 (abc)\n', false],
    ['one older than a release candidate is refused', 'bellbird 1.4.1-rc.1 (abc), unsigned\n', false],
    ['another build of the same version is accepted', 'bellbird 1.4.0 (abc)\n', true],
    ['a newer executable is accepted', 'bellbird 1.3.9 (abc)\n', true],
    ['any executable is accepted if the installed version is unknown', 'no such user\n', true],
  ])('over another version: %s', async (_, installed, isTaken) => {
    const { host, printed, ran, at } = fixture({ installed });
    mkdirSync(at('opt/bellbird'), { recursive: true });
    writeFileSync(at('opt/bellbird/bellbird'), 'another');
    const refusal = await refusalOf(host);
    // Never as root, because it may be the service user’s own file.
    expect(ran[0]).toBe(`timeout 20 runuser -u nobody -- ${at('opt/bellbird/bellbird')} version`);
    expect(readFileSync(at('opt/bellbird/bellbird'), 'utf8')).toBe(isTaken ? 'program' : 'another');
    if (isTaken) return expect(refusal).toBe('');
    expect(refusal).toMatch(/^Version 1\.\S+ is installed, and this file is the older 1\.4\.0\. Nothing was/);
    expect([ran.length, existsSync(at('etc'))]).toEqual([1, false]);
    await installService(host, { now: 0, mayBeOlder: true });
    expect(readFileSync(at('opt/bellbird/bellbird'), 'utf8')).toBe('program');
    expect(printed[0]).toMatch(/^Replaced version 1\..* with 1\.4\.0\.$/);
  });
});

test('service uninstall removes only the unit, and prints where the data are', async () => {
  const { host, printed, ran, at } = fixture();
  expect(() => uninstallService(host)).toThrow('There is no service to remove');
  await installService(host, { now: 0 });
  mkdirSync(at('var/lib/bellbird'), { recursive: true });
  uninstallService(host);
  expect(ran).toContain('systemctl disable --quiet --now bellbird');
  expect(printed.at(-1)).toContain('Data stay in /var/lib/bellbird');
  expect(
    ['etc/systemd/system/bellbird.service', 'etc/bellbird/env', 'opt/bellbird/bellbird'].map((path) =>
      existsSync(at(path)),
    ),
  ).toEqual([false, true, true]);
});
