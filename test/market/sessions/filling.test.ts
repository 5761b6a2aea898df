import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { fromSydney } from '#lib/sydneyTime.ts';
import { openSessions, sessionFiles } from '#market/sessions/files.ts';
import { createSessions } from '#market/sessions/index.ts';
import { createSimulator } from '#sources/quotes/simulator/index.ts';
import { loadConfig } from '#src/config/config.ts';
import { createHandScheduler } from '#support/handScheduler.ts';
import { createFakeClock, createTestApp } from '#support/testApp.ts';
import { tempFolders } from '#support/tempFolder.ts';
import { waitUntil } from '#support/waitUntil.ts';

const tempFolder = tempFolders();

/** The session history of a simulated market, whose data are in a folder, five seconds after the start. */
function open({ dataDir, seed = 3, count = 2 }: { dataDir: string; seed?: number; count?: number }) {
  const { schedule, advance } = createHandScheduler(0);
  const { config } = loadConfig({ BELLBIRD_HISTORY_SESSIONS: String(count) });
  const app = createTestApp({
    clock: createFakeClock(fromSydney('2026-11-18', 11, 0)),
    config: { ...config, dataDir },
    market: ({ wall, log }) => createSimulator({ seed, start: 'auto', speed: 1, wall, log }),
  });
  const part = createSessions({ ...app.services, schedule }, sessionFiles(join(dataDir, 'sessions')));
  const { service } = part;
  part.start();
  advance(5000);
  return {
    ...part,
    service,
    advance,
    lines: app.lines,
    prune: part.prune,
    finished: () => waitUntil('the worker', () => service.progress() === null, 60_000),
    close() {
      part.stop();
      app.close();
    },
  };
}

test('a simulated market makes its past in a worker once, and another seed makes its own', async () => {
  const dataDir = tempFolder();
  const first = open({ dataDir });
  const { folder, source, dates, progress } = first.service;
  expect(progress()).toEqual({ done: 0, of: 2 });
  await first.finished();
  expect(dates()).toEqual(['2026-11-16', '2026-11-17']);
  const session = openSessions(folder, source).read('2026-11-17');
  expect([session?.isComplete, Array.from(session?.stocks() ?? []).length]).toEqual([true, 2000]);
  first.close();

  const again = open({ dataDir });
  expect(again.service.progress()).toBeNull();
  again.close();

  sessionFiles(folder).write('simulator%203', '2026-11-16', 100_000, new Uint8Array());
  const cutOff = open({ dataDir });
  expect(cutOff.service.progress()).toEqual({ done: 0, of: 1 });
  cutOff.close();

  const other = open({ dataDir, seed: 4 });
  expect(other.service.progress()).toEqual({ done: 0, of: 2 });
  expect(other.service.dates()).toEqual([]);
  other.close();
  expect(other.service.progress()).toBeNull();
  expect(other.prune().removed).toBe(1);
  expect(sessionFiles(folder).dates('simulator%203')).toEqual([]);
}, 120_000);

test('sessions that cannot be written are tried again after an hour', async () => {
  const history = open({ dataDir: '/dev/null', count: 1 });
  await history.finished();
  // The retry is scheduled after the progress ended.
  await Bun.sleep(0);
  history.advance(3_600_000);
  expect(history.service.progress()).toEqual({ done: 0, of: 1 });
  await history.finished();
  expect(history.lines.filter(({ message }) => message.includes('could not be completed'))).toHaveLength(2);
  history.close();
}, 120_000);
