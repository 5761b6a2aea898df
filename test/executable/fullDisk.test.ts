import { expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { needExecutable, post, startBellbird } from '../support/executable.ts';
import { mountSmallDisk } from '../support/smallDisk.ts';
import { tempFolders } from '../support/tempFolder.ts';

await needExecutable();
const newFolder = tempFolders();

const FULL = 'The disk of the data folder is full';
const ACCOUNT = { username: 'Tess', password: 'a good password', platform: 'web' };

test('a stopped server starts on a full disk, serves what is there and refuses what people change', async () => {
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
    const stream = await fetch(`${full.url}/api/data/stream`, { headers: { 'accept-encoding': 'identity' } });
    const first100 = await stream.body?.getReader().read();
    expect([stream.status, (first100?.value?.length ?? 0) > 0]).toEqual([200, true]);
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
