import { afterEach, describe, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { checkKey, describeRelease, makeKeys } from '#scripts/release/sign.ts';
import { findInstallation } from '#platform/install/server/installation.ts';
import { redirectedTo } from '#platform/install/server/releaseFiles.ts';
import { readReleaseInfo, fileFor, thisMachine } from '#platform/install/server/releaseSource.ts';
import { tempFolders } from '#support/tempFolder.ts';
import { createUpdateApp, versionOf, type UpdateApp } from '#support/updateFixture.ts';

const folder = tempFolders();
const apps: UpdateApp[] = [];
const servers: Bun.Server<undefined>[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.stop();
  for (const server of servers.splice(0)) await server.stop(true);
});

const NAME = fileFor(thisMachine());

/** A real program of this machine, for its header; tests do not run it. */
const HEADER = readFileSync(process.execPath).subarray(0, 64);

type ReleaseOptions = { version?: string; minimum?: string; key?: string; program?: Uint8Array };

function fixture({ at = 'folder' }: { at?: 'folder' | 'address' } = {}) {
  const base = folder();
  const keys = join(base, 'keys');
  const releases = join(base, 'releases');
  mkdirSync(keys);
  mkdirSync(releases);
  makeKeys(keys);
  const privateKey = readFileSync(join(keys, 'release-key.pem'), 'utf8');
  const executable = join(base, 'bin', 'bellbird');
  mkdirSync(join(base, 'bin'));
  writeFileSync(executable, '#!/bin/sh\necho the first\n');
  chmodSync(executable, 0o755);
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => {
      const name = new URL(url).pathname.slice(1);
      const file = Bun.file(join(releases, name.replace('moved/', '')));
      if (!name.startsWith('moved/')) return Response.redirect(`/moved/${name}`, 302);
      return existsSync(file.name ?? '') ? new Response(file) : new Response('none', { status: 404 });
    },
  });
  servers.push(server);
  const app = createUpdateApp({
    executable,
    running: { version: '1.2.0', commit: 'aaaa' },
    data: join(base, 'data'),
    releaseKey: readFileSync(join(keys, 'release-key.pub'), 'utf8'),
    env: { BELLBIRD_RELEASES: at === 'folder' ? releases : `http://127.0.0.1:${server.port}/` },
  });
  apps.push(app);
  const release = ({
    version = '1.10.0',
    minimum,
    key = privateKey,
    program = HEADER,
  }: ReleaseOptions = {}) => {
    writeFileSync(join(releases, NAME), program);
    const about = { version, commit: 'bbbb', minimum: minimum ?? null, notes: 'What is new.' };
    describeRelease(releases, { names: [NAME] }, about, key);
  };
  return { base, keys, releases, executable, app, release };
}

/** Waits for a started update, or returns its refusal. */
async function failureOf({ app }: ReturnType<typeof fixture>): Promise<string | null> {
  const answer = await app.update();
  if (answer.status !== 200) return (answer.json as { error: string }).error;
  return (await app.ended()).failure;
}

function expectUntouched({ executable, app, base }: ReturnType<typeof fixture>): void {
  expect(versionOf(executable)).toContain('the first');
  expect(readdirSync(join(base, 'bin'))).toEqual(['bellbird']);
  expect(app.restarts()).toBe(0);
}

describe('an update from a release', () => {
  test.each(['folder', 'address'] as const)('from a %s is verified, downloaded whole and run', async (at) => {
    const all = fixture({ at });
    all.release();
    // A header is not a program, so the update fails at its own check.
    expect(await failureOf(all)).toMatch(
      /^The new version (?:cannot run on this machine|failed its own check)/,
    );
    const names = all.app.kept()?.steps.map(({ name, outcome }) => `${name}: ${outcome}`);
    expect(names?.slice(-2)).toEqual(['Fetch the release: done', 'Check: failed']);
    expectUntouched(all);
  });

  test('signed with another key is rejected, and nothing of it is used', async () => {
    const all = fixture();
    const { privateKey } = generateKeyPairSync('ed25519');
    all.release({ key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() });
    expect(await failureOf(all)).toContain('is not from the publisher of this program');
    all.release();
    writeFileSync(join(all.releases, 'SHA256SUMS'), `${versionOf(join(all.releases, 'SHA256SUMS'))}\n`);
    expect(await failureOf(all)).toContain('is not from the publisher of this program');
    writeFileSync(join(all.releases, 'SHA256SUMS.sig'), 'nonsense');
    expect(await failureOf(all)).toContain('is not from the publisher of this program');
    rmSync(join(all.releases, 'SHA256SUMS.sig'));
    expect(await failureOf(all)).toContain('is unsigned: it has no SHA256SUMS.sig. Nothing was installed.');
    rmSync(join(all.releases, 'SHA256SUMS'));
    expect(await failureOf(all)).toContain("The release's file SHA256SUMS in ");
    expectUntouched(all);
  });

  test('with another file than the signed one is rejected', async () => {
    const all = fixture();
    all.release();
    const changed = Uint8Array.from(HEADER);
    changed[40] = 1 + (changed[40] ?? 0);
    writeFileSync(join(all.releases, NAME), changed);
    expect(await failureOf(all)).toBe(`The release's file ${NAME} does not match its signed SHA-256 sum.`);
    const about = join(all.releases, 'release.json');
    writeFileSync(about, versionOf(about).replace('1.10.0', '1.11.0'));
    expect(await failureOf(all)).toContain('release.json does not match its signed');
    expectUntouched(all);
  });

  test('that is longer than stated is not downloaded to its end', async () => {
    const all = fixture({ at: 'address' });
    all.release();
    writeFileSync(join(all.releases, NAME), new Uint8Array(5_000_000));
    expect(await failureOf(all)).toBe(`The release's file ${NAME} is too large.`);
    expectUntouched(all);
  });

  test('older than the running version, or too new for it, is rejected', async () => {
    const all = fixture();
    all.release({ version: '1.1.9' });
    expect(await failureOf(all)).toBe(
      'The release is version 1.1.9, older than the running 1.2.0. An update never installs an older version.',
    );
    all.release({ version: '3.0.0', minimum: '2.0.0' });
    expect(await failureOf(all)).toBe(
      'Version 1.2.0 cannot be updated to 3.0.0 directly. Update to 2.0.0 first.',
    );
    expectUntouched(all);
  });

  test('for another machine is rejected', async () => {
    const all = fixture();
    const foreign = Uint8Array.from(HEADER);
    foreign[18] = 0x28;
    all.release({ program: foreign });
    expect(await failureOf(all)).toMatch(/is for another processor \(machine 0x28\)/);
    all.release({ program: new TextEncoder().encode('#!/bin/sh\n') });
    expect(await failureOf(all)).toContain('is not a Linux program');
    rmSync(join(all.releases, NAME));
    describeRelease(
      all.releases,
      { names: [] },
      { version: '2.0.0', commit: 'c', minimum: null, notes: '' },
      versionOf(join(all.keys, 'release-key.pem')),
    );
    expect(await failureOf(all)).toBe(`Version 2.0.0 has no executable for this machine (${NAME}).`);
    expectUntouched(all);
  });

  test('follows redirects from https only to https', () => {
    expect(redirectedTo('http://a.example/x', 'https://a.example/')).toBeNull();
    expect(redirectedTo('file:///etc/passwd', 'http://a.example/')).toBeNull();
    expect(redirectedTo('/x', 'https://a.example/y/z')).toBe('https://a.example/x');
    expect(redirectedTo(null, 'https://a.example/')).toBeNull();
  });
});

describe('signing', () => {
  test('creates a key once, readable only by its owner, and rejects one that executables do not trust', () => {
    const [one, two] = [folder(), folder()];
    makeKeys(one);
    makeKeys(two);
    expect(statSync(join(one, 'release-key.pem')).mode & 0o777).toBe(0o600);
    expect(() => makeKeys(one)).toThrow('is there already');
    const key = versionOf(join(one, 'release-key.pem'));
    expect(() => checkKey(key, one)).not.toThrow();
    expect(() => checkKey(key, two)).toThrow('does not match release-key.pub');
  });

  test('an executable without a key accepts no release, and says so before it requests one', () => {
    const program = { executable: '/opt/bellbird/bellbird', isStandalone: true, releaseKey: null, env: {} };
    expect(findInstallation(program, 'https://a.example')).toEqual({
      kind: 'none',
      reason: expect.stringMatching(/^This executable was built without the key/),
    });
    expect(findInstallation({ ...program, releaseKey: 'KEY' }, '/releases')).toEqual({
      kind: 'release',
      releases: '/releases',
      releaseKey: 'KEY',
    });
  });
});

const WHOLE = { version: '1.4.0', commit: 'a'.repeat(40), minimum: '1.2.0', notes: 'News', files: { x: 12 } };
const read = (change: object) =>
  readReleaseInfo(new TextEncoder().encode(JSON.stringify({ ...WHOLE, ...change })));

describe('the description of a release', () => {
  test('is parsed', () => {
    expect(read({})).toEqual(WHOLE);
    expect(read({ minimum: null, notes: null }).minimum).toBeNull();
  });

  // Each on its own: one error is enough.
  test.each([
    ['no version', { version: undefined }],
    ['no version number', { version: 'latest' }],
    ['no commit', { commit: undefined }],
    ['no commit’s name', { commit: 'not one' }],
    ['no minimum version', { minimum: 'old' }],
  ])('%s: rejected', (_, change) => {
    expect(() => read(change)).toThrow('The release has no version number');
  });
});
