import { describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromiumCandidates, type Machine, provideChromium } from '../../scripts/chromium.ts';
import { tempFolders } from '../support/tempFolder.ts';

const folder = tempFolders();

type Kind = {
  /** What is there at first, and whether it starts. */
  here?: Record<string, boolean>;
  /** What the download brings, and whether it starts; null when it fails. */
  download?: boolean | null;
  /** The same of Debian's package; undefined where it may not be installed. */
  install?: boolean | null;
};

function machine({ here = {}, download = null, install }: Kind) {
  const there = { ...here };
  const asked: string[] = [];
  const bring = (name: string, starts: boolean | null) => async (): Promise<boolean> => {
    asked.push(name);
    if (starts !== null) there[`/${name}`] = starts;
    return starts !== null;
  };
  const made: Machine = {
    candidates: () => Object.keys(there),
    works: async (path) => there[path] ?? false,
    download: bring('download', download),
    install: install === undefined ? null : bring('install', install),
    say: () => {},
  };
  return { made, asked };
}

describe('a browser for the stories', () => {
  const cases: [string, Kind, string | null, string[]][] = [
    ['the one that is here', { here: { '/usr/bin/chromium': true } }, '/usr/bin/chromium', []],
    ['the first that starts', { here: { '/stub': false, '/other': true } }, '/other', []],
    ["Playwright's own where there is none", { download: true }, '/download', ['download']],
    [
      "Playwright's own where none starts",
      { here: { '/stub': false }, download: true },
      '/download',
      ['download'],
    ],
    [
      "Debian's where the download fails",
      { download: null, install: true },
      '/install',
      ['download', 'install'],
    ],
    [
      'Debian’s where the download does not start',
      { download: false, install: true },
      '/install',
      ['download', 'install'],
    ],
    ['none where nothing may be installed', { download: null }, null, ['download']],
    ['none where nothing starts', { download: false, install: false }, null, ['download', 'install']],
  ];
  for (const [name, kind, path, attempts] of cases) {
    test(name, async () => {
      const { made, asked } = machine(kind);
      const provided = await provideChromium(made);
      expect(provided.ok ? provided.path : null).toBe(path);
      expect(asked).toEqual(attempts);
      if (!provided.ok) {
        expect(provided.error).toMatch(/^[A-Z][^.]*\.$/);
        for (const part of ['apt-get install chromium', '--no-browser'])
          expect(provided.error).toContain(part);
      }
    });
  }

  test('the sentence tells why Debian’s package was not installed', async () => {
    const refused = await provideChromium(machine({}).made);
    const failed = await provideChromium(machine({ install: null }).made);
    expect([refused.ok || refused.error, failed.ok || failed.error]).toEqual([
      expect.stringContaining('only be installed by root or with sudo'),
      expect.stringContaining('did not help'),
    ]);
  });
});

describe('where a browser is looked for', () => {
  const program = (path: string): string => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '#!/bin/sh\n');
    chmodSync(path, 0o755);
    return path;
  };

  test('the named one, the path with the shell first, then what Playwright downloaded, the newest first', () => {
    const home = folder();
    const named = program(join(home, 'own', 'my-chromium'));
    const onPath = program(join(home, 'bin', 'chromium'));
    const shellOnPath = program(join(home, 'bin', 'chromium-headless-shell'));
    const cache = join(home, '.cache', 'ms-playwright');
    const old = program(join(cache, 'chromium-1100', 'chrome-linux', 'chrome'));
    const newest = program(join(cache, 'chromium-1255', 'chrome-linux64', 'chrome'));
    const found = chromiumCandidates({ HOME: home, PATH: join(home, 'bin'), CHROMIUM_PATH: named });
    expect(found.filter((path) => path.startsWith(home))).toEqual([named, shellOnPath, onPath, newest, old]);
    expect(found.slice(0, 3)).toEqual([named, shellOnPath, onPath]);
  });

  test('a folder of Playwright’s own that is set elsewhere', () => {
    const other = folder();
    const shell = program(join(other, 'chromium_headless_shell-1255', 'chrome-linux', 'headless_shell'));
    expect(chromiumCandidates({ HOME: folder(), PATH: '', PLAYWRIGHT_BROWSERS_PATH: other })).toContain(
      shell,
    );
  });

  test('nothing is there that is not there', () => {
    const found = chromiumCandidates({ HOME: folder(), PATH: folder(), CHROMIUM_PATH: '/no/such/file' });
    expect(found).not.toContain('/no/such/file');
  });
});
