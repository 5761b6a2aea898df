import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDb } from '../../../../src/platform/db/open.ts';
import { noProgram } from '../../../support/noProgram.ts';
import {
  expectNothingPlanted,
  plantedEnv,
  plantFiles,
  plantRows,
  unpacked,
} from '../../../support/planted.ts';
import { tempFolders } from '../../../support/tempFolder.ts';
import { createTestApp, START, type TestApp } from '../../../support/testApp.ts';
import { dropLeftFolders } from '../../../../src/admin/support/server/leftFolders.ts';

describe('support files', () => {
  const folder = tempFolders();
  const opened: TestApp[] = [];
  // Other tests make such a file too, at the same time.
  const usual = process.env['TMPDIR'];
  beforeEach(() => {
    process.env['TMPDIR'] = folder();
  });
  afterEach(() => {
    if (usual === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = usual;
    for (const one of opened.splice(0)) one.close();
  });

  function open(env: Record<string, string>): TestApp {
    const app = createTestApp({ runtime: { program: { ...noProgram.program, env } } });
    opened.push(app);
    return app;
  }
  const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith('bellbird-support-'));

  describe('the support file of the panel', () => {
    test('holds nothing that was planted anywhere, and what helps', async () => {
      const data = folder();
      const path = join(data, 'bellbird.db');
      const client = openDb({ path, copyFolder: null, now: START }).db.$client;
      client.run(
        "INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES (1, 'planted', 'planted', 'x', 0)",
      );
      client.close();
      plantRows(path);
      plantFiles(data);
      // The key is planted too: nobody may be asked, and nothing answers at that address.
      const app = open({ ...plantedEnv(data), BELLBIRD_PORT: '1' });
      const response = await app.open('POST', '/api/admin/support', { as: 'admin' });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-disposition')).toBe(
        'attachment; filename="bellbird-support-2026-11-18.tar.gz"',
      );
      const files = await unpacked(new Uint8Array(await response.arrayBuffer()));
      expectNothingPlanted(files);
      expect(files.get('settings.txt')).toContain('BELLBIRD_TELEGRAM_TOKEN: set\n');
      expect(JSON.parse(files.get('database.json') ?? '')).toMatchObject({ found: true, rows: { users: 1 } });
      expect(files.get('log.txt')).toContain('http: Request method=GET path=… status=200 ms=3');
      expect(files.get('check.txt')).toMatch(/^ok {7}Rights|^warning {2}Rights|^wrong {4}Rights/m);
      expect(app.parts.audit.service.list({}).entries).toMatchObject([{ action: 'download support file' }]);
      expect(left()).toEqual([]);
    }, 60_000);

    test('is made so often a minute, and says where it could not be made', async () => {
      // Settings that are wrong end the process.
      const app = open({ BELLBIRD_PORT: 'none' });
      const answers = [];
      for (let count = 0; count < 4; count += 1)
        answers.push(await app.request('POST', '/api/admin/support', { as: 'admin' }));
      expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 429]);
      expect(answers[0]?.json).toMatchObject({ error: expect.stringContaining('bellbird support') });
      expect(left()).toEqual([]);
    }, 60_000);
  });
});

const newFolder = tempFolders();
const NOW = Date.parse('2026-11-18T00:00:00Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const uid = process.getuid?.();

/** A temporary folder in which these were made so long ago. */
function place(...made: readonly (readonly [name: string, ageMs: number])[]) {
  const folder = newFolder();
  for (const [name, ageMs] of made) {
    const path = join(folder, name);
    mkdirSync(path);
    writeFileSync(join(path, 'support.tar.gz.partial'), 'half of it');
    utimesSync(path, (NOW - ageMs) / 1000, (NOW - ageMs) / 1000);
  }
  return folder;
}

test('what a killed process left is removed with all in it, once nobody can use it any more', () => {
  const folder = place(
    ['bellbird-support-aB3xYz', 11 * MINUTE],
    ['bellbird-support-young1', 9 * MINUTE],
    ['bellbird-check-aB3xYz', DAY + MINUTE],
    ['bellbird-check-young1', DAY - MINUTE],
    // A clock that was set back.
    ['bellbird-support-future', -DAY],
  );
  expect(dropLeftFolders({ folder, uid }, NOW)).toBe(2);
  expect(readdirSync(folder).sort()).toEqual([
    'bellbird-check-young1',
    'bellbird-support-future',
    'bellbird-support-young1',
  ]);
  expect(dropLeftFolders({ folder, uid }, NOW)).toBe(0);
});

test('nothing else is touched: other names, files, links and what is somebody else’s', () => {
  const folder = place(
    ['bellbird-support-mine', 9 * DAY],
    ['bellbird-support-aB3xYz.old', 9 * DAY],
    ['my-bellbird-support-aB3xYz', 9 * DAY],
    ['bellbird-test-aB3xYz', 9 * DAY],
  );
  const elsewhere = place(['kept', 9 * DAY]);
  symlinkSync(join(elsewhere, 'kept'), join(folder, 'bellbird-support-linked'));
  writeFileSync(join(folder, 'bellbird-check-aFile1'), 'x');
  utimesSync(join(folder, 'bellbird-check-aFile1'), 0, 0);
  const before = readdirSync(folder).sort();
  expect(dropLeftFolders({ folder, uid }, NOW)).toBe(0);
  const theirs = place(['bellbird-support-aB3xYz', 9 * DAY]);
  expect(dropLeftFolders({ folder: theirs, uid: (uid ?? 0) + 1 }, NOW)).toBe(0);
  expect([readdirSync(folder).sort(), existsSync(join(elsewhere, 'kept', 'support.tar.gz.partial'))]).toEqual(
    [before, true],
  );
});
