import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fromSydney } from '../../src/market/rules/sydneyTime.ts';
import { openRecording } from '../../src/market/recording/open.ts';
import {
  executable,
  needExecutable,
  post,
  type Running,
  startBellbird,
  temporaryFolder,
} from '../support/executable.ts';
import { recordFile } from '../support/recordedFile.ts';

await needExecutable();
// The machine may be busy with other things.
setDefaultTimeout(120_000);

const at = (hour: number, minute: number): number => fromSydney('2026-01-19', hour, minute);

let folder: string;
let path: string;
let bellbird: Running | null = null;
beforeAll(async () => {
  folder = await temporaryFolder();
  path = join(folder, 'morning.bellbird');
  const codes = new Set(['BHP', 'CBA', 'CSL']);
  await recordFile({ path, from: at(9, 55), until: at(10, 12), stepMs: 5000, codes });
});
afterAll(async () => {
  await bellbird?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The last prices of the snapshot that a stream begins with. */
async function prices(url: string): Promise<Record<string, number | undefined>> {
  const response = await fetch(`${url}/api/data/stream`);
  if (!response.body) throw new Error('The stream has no body.');
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let data: string | undefined;
  while (data === undefined) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`The stream ended: ${text}`);
    text += decoder.decode(value, { stream: true });
    data = /^event: snapshot\n(?:id: .{1,100}\n)?data: (.*)\n\n/m.exec(text)?.[1];
  }
  await reader.cancel();
  const { stocks } = JSON.parse(data) as { stocks: Record<string, { last?: number }> };
  return Object.fromEntries(Object.entries(stocks).map(([code, { last }]) => [code, last]));
}

test('plays a recording, is taken to 10:07 and shows the prices of the file', async () => {
  const env = { BELLBIRD_TEST: '1', BELLBIRD_FEED: 'replay', BELLBIRD_REPLAY_FILE: path };
  bellbird = await startBellbird({ env });
  const { url } = bellbird;
  expect((await post(`${url}/api/replay/pause`, { paused: true })).status).toBe(200);
  const answer = await post(`${url}/api/replay/jump`, { time: at(10, 7) });
  expect(await answer.json()).toMatchObject({ isPaused: true, jumps: 1, marketTime: at(10, 7) });
  const recording = openRecording(path);
  const recorded = recording.baseAt(at(10, 7)).stocks.map(({ code, last }) => [code, last ?? undefined]);
  recording.close();
  expect(await prices(url)).toEqual(Object.fromEntries(recorded));
  expect(await bellbird.stop()).toBe(0);
  bellbird = null;
});

test('refuses to start with what is no recording, in a sentence', async () => {
  const notes = join(folder, 'notes.txt');
  await Bun.write(notes, 'These are notes and no recording, however long they are.');
  const started = Bun.spawn([executable, 'serve'], {
    env: {
      ...{ PATH: process.env.PATH ?? '', HOME: folder, BELLBIRD_DATA: join(folder, 'data') },
      ...{ BELLBIRD_PORT: '0', BELLBIRD_FEED: 'replay', BELLBIRD_REPLAY_FILE: notes },
    },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  expect(await started.exited).not.toBe(0);
  const said = await new Response(started.stderr).text();
  expect(said).toContain(`${notes} is not a Bellbird recording`);
  expect(said).not.toContain('    at ');
});
