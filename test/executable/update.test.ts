import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readUpdateState, type UpdatePhase } from '#platform/install/shared/updateState.ts';
import {
  addBoss,
  executable,
  logInBoss,
  needExecutable,
  PASSWORD,
  post,
  type Running,
  runBellbird,
  startBellbird,
  temporaryFolder,
} from '../support/executable.ts';
import { processEnd } from '../support/processEnd.ts';
import { type Behaviour, createCheckout, git } from '../support/updateFixture.ts';
import { waitUntil } from '../support/waitUntil.ts';

/** Long enough for the requests made during it, even on a busy machine. */
const TRIAL_SECONDS = 10;

/** A git that ends the server at a `reset`, which moves the checkout; `$HOME/cut` contains the moment. */
const CUTTING_GIT = (real: string): string => `#!/bin/sh
cut() { [ "$(cat "$HOME/cut" 2>/dev/null)" = "$1" ] && rm "$HOME/cut" && kill -9 $(cat "$HOME/pids"); }
case " $* " in *" reset "*) cut before; ${real} "$@"; code=$?; cut after; exit $code;; esac
exec ${real} "$@"
`;

let base = '';
let checkout: ReturnType<typeof createCheckout>;
let running: Running;
let commit = '';
let token = '';

const data = (): string => join(base, 'data');
const env = (): Record<string, string> => ({
  HOME: base,
  PATH: `${base}/bin:${process.env.PATH}`,
  BELLBIRD_FEED: 'ingest',
  BELLBIRD_INGEST_KEY: 'a key that only tests use',
  BELLBIRD_TRIAL_SECONDS: String(TRIAL_SECONDS),
});

async function start(more: Record<string, string> = {}): Promise<void> {
  const command = [checkout.executable];
  running = await startBellbird({ command, dataDir: data(), env: { ...env(), ...more }, cwd: base });
}

const health = async (): Promise<{ commit: string; pid: number } | null> => {
  const response = await fetch(`${running.url}/healthz`).catch(() => null);
  return response?.ok ? ((await response.json()) as { commit: string; pid: number }) : null;
};

beforeAll(async () => {
  await needExecutable();
  base = await temporaryFolder();
  mkdirSync(join(base, 'bin'));
  writeFileSync(join(base, 'bin/git'), CUTTING_GIT(Bun.which('git') ?? ''), { mode: 0o755 });
  checkout = createCheckout(base);
  copyFileSync(executable, checkout.executable);
  commit = /\((\S+)\)/.exec((await runBellbird(['version'])).stdout)?.[1] ?? '';
  await addBoss(data(), env());
  await start();
  token = await logInBoss(running.url);
});

afterAll(async () => {
  await running?.stop();
  rmSync(base, { recursive: true, force: true });
});

/** Publishes a copy of this build that reports the new commit. */
function publish(behaviour: Behaviour = {}): string {
  return checkout.publish('The next', { ...behaviour, copyOf: { path: executable, commit } });
}

const update = (): Promise<Response> => post(`${running.url}/api/admin/server/update-and-restart`, {}, token);

/** The answers of the panel. */
const shown = async (path: string): Promise<unknown> =>
  (await fetch(`${running.url}/api/admin/${path}`, { headers: { authorization: token } })).json();

const until = (phase: UpdatePhase): Promise<void> =>
  waitUntil(`the update to be ${phase}`, () => readUpdateState(data())?.phase === phase);

const register = (account: object): Promise<Response> => post(`${running.url}/api/register`, account);

/** Makes a permanent change. @returns a check of whether it is still there */
async function write(): Promise<() => Promise<boolean>> {
  const account = { username: `person${performance.now().toFixed(0)}`, password: PASSWORD, email: '' };
  expect((await register(account)).status).toBe(200);
  return async () => {
    const { username, password } = account;
    return (await post(`${running.url}/api/login`, { identifier: username, password })).ok;
  };
}

/** Waits until a server answers. @returns its commit */
async function served(): Promise<string> {
  let found: string | null = null;
  const end = performance.now() + 60_000;
  while (found === null && performance.now() < end) {
    found = (await health())?.commit ?? null;
    await Bun.sleep(20);
  }
  return found ?? 'nobody';
}

/** A migration that damages the database and then fails, only in the trial. */
const SPOILS = `'${process.execPath}' -e 'const { Database } = require("bun:sqlite");
new Database(process.env.BELLBIRD_DATA + "/bellbird.db").run("DELETE FROM users")'
echo spoiled > "$HOME/spoiled"; exit 1`;

describe('an installed executable in a checkout', () => {
  test('updates itself, and keeps the new version', async () => {
    const to = publish();
    expect((await update()).status).toBe(200);
    await until('healthy');
    expect(await served()).toBe(to);
    expect(git(checkout.folder, 'rev-parse', 'HEAD')).toBe(to);
  });

  test.each([
    ['does not start', 'exit 3'],
    ['damages the database', SPOILS],
  ])('rolls back a version that %s, and shows its last output', async (_, asServer) => {
    const before = await served();
    const isKept = await write();
    publish({ migrations: asServer === SPOILS ? 1 : 0, asServer: `echo "last words" >&2; ${asServer}` });
    expect((await update()).status).toBe(200);
    await until('rolledBack');
    await waitUntil('the old executable', () => existsSync(checkout.executable));
    expect(await served()).toBe(before);
    expect(git(checkout.folder, 'rev-parse', 'HEAD')).toBe(before);
    expect(git(checkout.folder, 'status', '--porcelain', '--untracked-files=no')).toBe('');
    expect(await isKept()).toBe(true);
    expect(await shown('server/update')).toMatchObject({
      update: {
        phase: 'rolledBack',
        failure: expect.any(String),
        logTail: expect.arrayContaining(['last words']),
      },
    });
    const after = expect.objectContaining({ commit: before });
    const rolledBack = { by: null, after, reason: expect.any(String) };
    expect(await shown('audit?action=roll%20back')).toMatchObject({
      entries: expect.arrayContaining([expect.objectContaining(rolledBack)]),
    });
  });
});

test('under a supervisor the old process tries the new version, and leaves the rest to the supervisor', async () => {
  await running.stop();
  const supervised = { BELLBIRD_SUPERVISED: 'yes' };
  await start(supervised);
  const to = publish();
  expect((await update()).status).toBe(200);
  await until('healthy');
  await processEnd(running.parentPid);
  expect(await running.stop()).toBe(75);
  await start(supervised);
  expect(await served()).toBe(to);
  expect(running.pid).toBe(running.parentPid);
  await running.stop();
  await start();
});

/** Ends the server and its supervisor together, as a power failure does. */
async function cutPower(): Promise<void> {
  const child = (await health())?.pid ?? 0;
  process.kill(running.parentPid, 'SIGKILL');
  process.kill(child, 'SIGKILL');
  await running.stop('SIGKILL');
}

describe('a power failure', () => {
  test('while the new version is built leaves the old one', async () => {
    const before = await served();
    publish({ holdIn: base });
    expect((await update()).status).toBe(200);
    await waitUntil('the build', () => existsSync(join(base, 'building')));
    await cutPower();
    rmSync(join(base, 'building'));
    await start();
    expect(await served()).toBe(before);
    await until('failed');
    expect(readUpdateState(data())).toMatchObject({
      failure: expect.stringContaining('The server stopped while the update was being prepared.'),
    });
  });

  test.each(['before', 'after'])(
    'while it is swapped, %s the checkout moves, leaves the old one',
    async (moment) => {
      const before = await served();
      publish();
      writeFileSync(join(base, 'pids'), `${running.parentPid} ${(await health())?.pid}`);
      writeFileSync(join(base, 'cut'), moment);
      await update().catch(() => null);
      await waitUntil('the cut', () => !existsSync(join(base, 'cut')));
      await running.stop('SIGKILL');
      expect(readUpdateState(data())?.phase).toBe('swapping');
      await start();
      expect(await served()).toBe(before);
      expect(readUpdateState(data())?.phase).toBe('rolledBack');
      expect(git(checkout.folder, 'rev-parse', 'HEAD')).toBe(before);
      expect(git(checkout.folder, 'status', '--porcelain', '--untracked-files=no')).toBe('');
    },
  );

  test('during the trial, when nothing can be changed, tries the new one once more', async () => {
    const to = publish({ migrations: 1 });
    const isKept = await write();
    expect((await update()).status).toBe(200);
    await until('trial');
    // The old one answers until it has closed.
    for (let tries = 0; (await served()) !== to && tries < 3000; tries += 1) await Bun.sleep(20);
    expect(await served()).toBe(to);
    // Its database may be rolled back.
    const refused = await register({ username: 'Early', password: PASSWORD });
    expect([refused.status, await refused.json()]).toEqual([
      503,
      { error: expect.stringMatching(/^A new version is on trial/) },
    ]);
    expect(await shown('server/info')).toMatchObject({ commit: to, onTrial: true });
    await cutPower();
    await start();
    await until('healthy');
    expect(await served()).toBe(to);
    expect(await isKept()).toBe(true);
    await write();
    expect(readFileSync(checkout.executable).indexOf(to)).toBeGreaterThan(0);
  });
});
