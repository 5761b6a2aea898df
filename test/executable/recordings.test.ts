import { expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fromSydney } from '#lib/sydneyTime.ts';
import type { Snapshot } from '#market/rules/stream.ts';
import {
  addBoss,
  logInBoss,
  needExecutable,
  otherServer,
  post,
  type Running,
  startBellbird,
} from '../support/executable.ts';
import { recordFile } from '../support/recordedFile.ts';
import { openStreamClient, type StreamEvent } from '../support/streamClient.ts';
import { tempFolders } from '../support/tempFolder.ts';

await needExecutable();
const newFolder = tempFolders();
// The machine may be busy with other things.
setDefaultTimeout(120_000);

/** What a stream’s snapshot contains about its source. */
async function sourceOf({ port }: Running): Promise<string> {
  const stream = openStreamClient(port, '/api/data/stream');
  const isWhole = ({ event }: StreamEvent): boolean => event === 'snapshot';
  await stream.until(({ events }) => events.some(isWhole));
  stream.leave();
  return (stream.events.find(isWhole)?.data as Snapshot | undefined)?.meta.feed.label ?? 'nothing';
}

test('a recording is played from the panel to all users, across restarts, until it ends or is deleted', async () => {
  const dataDir = newFolder();
  const recordings = join(dataDir, 'recordings');
  mkdirSync(recordings, { recursive: true });
  const path = join(recordings, 'morning.bellbird');
  const [from, until] = [fromSydney('2026-01-19', 9, 55), fromSydney('2026-01-19', 10, 1)];
  await recordFile({ path, from, until, stepMs: 5000, codes: new Set(['BHP', 'CBA']) });
  await addBoss(dataDir);
  const bellbird = await startBellbird({ dataDir });
  const { url } = bellbird;
  try {
    const token = await logInBoss(url);
    const ask = (what: string) => post(`${url}/api/admin/${what}`, {}, token);
    expect(await sourceOf(bellbird)).toBe('Simulated');

    expect((await ask('recordings/morning/play')).status).toBe(200);
    let pid = await otherServer(url, bellbird.pid);
    expect(await sourceOf(bellbird)).toBe('Replay of 19 January 2026 (simulated)');
    expect((await ask('server/restart')).status).toBe(200);
    pid = await otherServer(url, pid);
    expect(await sourceOf(bellbird)).toBe('Replay of 19 January 2026 (simulated)');

    expect((await ask('recordings/end-replay')).status).toBe(200);
    pid = await otherServer(url, pid);
    expect(await sourceOf(bellbird)).toBe('Simulated');

    expect((await ask('recordings/morning/play')).status).toBe(200);
    pid = await otherServer(url, pid);
    await Bun.write(path, 'Dear diary');
    process.kill(pid, 'SIGKILL');
    await otherServer(url, pid);
    expect(await sourceOf(bellbird)).toBe('Simulated');
    const log = await Bun.file(join(dataDir, 'logs', 'bellbird.log')).text();
    expect(log).toContain('The recording morning, chosen in the Admin Panel, is not played');
  } finally {
    expect(await bellbird.stop()).toBe(0);
  }
});
