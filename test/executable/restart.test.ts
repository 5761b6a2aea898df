import { describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  addBoss,
  logInBoss,
  needExecutable,
  otherServer,
  post,
  type Running,
  startBellbird,
} from '../support/executable.ts';
import { createRandom } from '#lib/random.ts';
import { HEAP_SETTINGS } from '#platform/install/shared/ownProcess.ts';
import { killLaunch, type LaunchKill, someLaunchKill } from '../support/launchKills.ts';
import { mountSmallDisk } from '../support/smallDisk.ts';
import { openStreamClient, type StreamClient } from '../support/streamClient.ts';
import { tempFolders } from '../support/tempFolder.ts';

await needExecutable();
const newFolder = tempFolders();

async function folderWithBoss(): Promise<string> {
  const dataDir = newFolder();
  await addBoss(dataDir);
  return dataDir;
}

const PLAIN = { 'accept-encoding': 'identity' };
const openStream = ({ port }: Running): StreamClient => openStreamClient(port, '/api/data/stream', PLAIN);

describe('under its own supervisor', () => {
  test('a restart ends streams with a message, keeps saved data, and another process answers', async () => {
    const bellbird = await startBellbird({ dataDir: await folderWithBoss() });
    try {
      const token = await logInBoss(bellbird.url);
      const info = await fetch(`${bellbird.url}/api/admin/server/info`, {
        headers: { authorization: token },
      });
      expect(await info.json()).toMatchObject({ pid: bellbird.pid, supervisor: 'parent', noRestart: null });
      const stream = openStream(bellbird);
      await stream.until(({ events }) => events.length > 0);
      const account = { username: 'Late', password: 'just in time', platform: 'web' };
      expect((await post(`${bellbird.url}/api/register`, account)).status).toBe(200);
      const asked = await post(`${bellbird.url}/api/admin/server/restart`, {}, token);
      expect([asked.status, await asked.json()]).toEqual([200, { restarting: true }]);
      const next = await otherServer(bellbird.url, bellbird.pid);
      await stream.until((client) => client.finished());
      expect(stream.body().toString()).toMatch(
        /retry: \d+\nevent: closing\ndata: \{"reconnectMs":\d+\}\n\n$/,
      );
      const login = await post(`${bellbird.url}/api/login`, { identifier: 'Late', password: 'just in time' });
      expect(login.status).toBe(200);
      const listed = await fetch(`${bellbird.url}/api/admin/server/info`, {
        headers: { authorization: token },
      });
      expect(await listed.json()).toMatchObject({ pid: next });
    } finally {
      expect(await bellbird.stop()).toBe(0);
    }
    expect(await fetch(bellbird.url).catch(() => 'nobody')).toBe('nobody');
  });

  test('the supervisor stays small, and has the runtime keep its server small', async () => {
    const bellbird = await startBellbird();
    const environment = readFileSync(`/proc/${bellbird.pid}/environ`, 'utf8').split('\0');
    for (const [name, value] of Object.entries(HEAP_SETTINGS))
      expect(environment).toContain(`${name}=${value}`);
    const status = await Bun.file(`/proc/${bellbird.parentPid}/status`).text();
    const ownMb = Number(/RssAnon:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
    expect(ownMb).toBeGreaterThan(1);
    expect(ownMb).toBeLessThan(30);
    await bellbird.stop();
  });
});

test('SIGTERM ends it cleanly although streams are open', async () => {
  const dataDir = newFolder();
  const bellbird = await startBellbird({ dataDir, env: { BELLBIRD_SIM_START: '10:30' } });
  const streams = Array.from({ length: 3 }, () => openStream(bellbird));
  for (const stream of streams) await stream.until(({ events }) => events.length > 0);
  expect(await bellbird.stop('SIGTERM')).toBe(0);
  expect(bellbird.log()).toContain('Stopped');
  expect(bellbird.log()).not.toContain('did not stop');
  const written = await Bun.file(join(dataDir, 'logs', 'bellbird.log')).text();
  expect(written.trim().split('\n').at(-1)).toContain('Stopped');
  expect(written).toContain('path=/api/data/stream');
  for (const stream of streams) await stream.until((client) => client.ended());
  // The port and the data are free again immediately.
  const again = await startBellbird({ dataDir, port: bellbird.port });
  expect(await again.stop()).toBe(0);
});

/** `bun scripts/killTest.ts` runs many more. */
const random = createRandom(20_261_125);
const KILLS: LaunchKill[] = [
  ...[0, 2, 5, 9, 14, 20].map((ms) => ({ whom: 'launcher' as const, after: 'server' as const, ms })),
  ...Array.from({ length: 12 }, () => someLaunchKill(random)),
];

test('a kill of any process at any moment leaves nothing behind, and the next start serves', async () => {
  const dataDir = newFolder();
  const wrong: string[] = [];
  for (const kill of KILLS) {
    const problem = await killLaunch(dataDir, kill);
    if (problem !== null) wrong.push(`${JSON.stringify(kill)}: ${problem}`);
  }
  expect(wrong).toEqual([]);
}, 240_000);

const FULL = 'The disk of the data folder is full';
const ACCOUNT = { username: 'Tess', password: 'a good password', platform: 'web' };

test('a server started on a full disk serves its data and refuses changes', async () => {
  const disk = mountSmallDisk(join(newFolder(), 'disk'), 40_000);
  if (disk === null) return;
  try {
    const dataDir = join(disk.folder, 'data');
    mkdirSync(dataDir);
    const first = await startBellbird({ dataDir });
    const registered = await post(`${first.url}/api/register`, ACCOUNT);
    const { accessToken } = (await registered.json()) as { accessToken: string };
    const headers = { authorization: accessToken };
    const change = (url: string) => post(`${url}/api/settings/quote-site`, { site: 'asx' }, accessToken);
    await first.stop();

    const makeRoom = disk.fill();
    const full = await startBellbird({ dataDir });
    expect(full.log()).toContain(FULL);
    const settings = await fetch(`${full.url}/api/settings`, { headers });
    expect([settings.status, await settings.json()]).toEqual([
      200,
      expect.objectContaining({ username: 'Tess' }),
    ]);
    for (const path of ['/', '/api/calls/leaderboard'])
      expect((await fetch(`${full.url}${path}`)).status).toBe(200);
    const stream = openStream(full);
    await stream.until(({ events }) => events.length > 0);
    stream.leave();
    const refused = await change(full.url);
    expect([refused.status, await refused.text()]).toEqual([507, expect.stringContaining('disk is full')]);
    expect(await full.stop()).toBe(0);

    makeRoom();
    const again = await startBellbird({ dataDir });
    expect(again.log()).not.toContain(FULL);
    expect((await change(again.url)).status).toBe(200);
    await again.stop();
  } finally {
    disk.release();
  }
});
