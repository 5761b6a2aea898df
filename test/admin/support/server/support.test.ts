import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  appendFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDb } from '#platform/db/open.ts';
import { noProgram } from '#support/noProgram.ts';
import { tempFolders } from '#support/tempFolder.ts';
import { createTestApp, START, type TestApp } from '#support/testApp.ts';
import { dropLeftFolders } from '#admin/support/server/index.ts';
import { Database } from 'bun:sqlite';
import { SETTINGS } from '#src/config/config.ts';

/** A value for a setting with a planted word, in the setting’s format; null if it accepts none. */
function plantedIn(name: string): string | null {
  if (name === 'BELLBIRD_ENGINE_URL') return 'redis://me:plantedEngine@127.0.0.1:1';
  if (name === 'BELLBIRD_DATA' || name === 'BELLBIRD_REPLAY_FILE') return null;
  const { parse } = SETTINGS[name as keyof typeof SETTINGS];
  for (const value of [
    `https://planted:pass@planted.example/${name}?token=planted`,
    `planted-${name}-0123456789abcdef`,
  ]) {
    if (parse(value).ok) return value;
  }
  return null;
}

/** Every text in a database row that users or their devices provided, planted. */
function plantRows(path: string): void {
  const client = new Database(path, { strict: true });
  client.run("UPDATE users SET email = 'planted@example.com', password_hash = 'plantedHash'");
  client.run(
    "INSERT INTO linked_chats (user_id, platform, chat_id, display_name, created_at) VALUES (1, 'telegram', '4711plantedchat', 'planted chat', 0)",
  );
  client.run("INSERT INTO facts (key, value) VALUES ('planted', '\"plantedFact\"')");
  client.close();
}

const LINES = [
  '2026-11-18T00:00:00.000Z INFO http: Request method=GET path=/api/planted?token=planted status=200 ms=3',
  '2026-11-18T00:00:00.000Z ERROR main: Failed user=planted9 cookie=sessionid=planted error=Error: planted 77 at https://planted:x@y',
  '2026-11-18T00:00:00.000Z ERROR telegram: The bot planted0815 said "planted" from 10.1.2.3 planted@example.com',
  '    at planted (/home/planted/bellbird/src/main.ts:1:2)',
  'a second line of a message: planted',
];

function plantFiles(data: string): void {
  const put = (path: string, text: string): void => {
    mkdirSync(join(data, path, '..'), { recursive: true });
    appendFileSync(join(data, path), text);
  };
  put('logs/bellbird.log', `${LINES.join('\n')}\n`);
  put('recordings/planted.bellbird', 'planted');
  const row = {
    headline: 'planted',
    cookie: 'sessionid=planted',
    'planted key': 1,
    count: 7,
    list: ['planted'],
  };
  put('answers/asx.json', JSON.stringify({ at: 5, rows: [row] }));
  put('answers/planted.json', '"planted"');
  put('answers/tradingview.json', 'planted {');
  const step = {
    name: 'Fetch planted',
    startedAt: 1,
    endedAt: 5,
    outcome: 'failed',
    detail: 'https://planted:x@y',
  };
  const version = { version: 'planted', commit: 'planted' };
  const state = {
    id: 'planted',
    startedAt: 1,
    by: 'planted',
    executable: '/planted',
    previous: '/planted',
    starts: 1,
    phase: 'failed',
    migrations: 2,
    steps: [step],
    failure: 'planted',
    logTail: ['planted'],
    from: version,
    to: version,
  };
  put('update/state.json', JSON.stringify(state));
}

async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const [name, file] of await new Bun.Archive(bytes).files()) texts.set(name, await file.text());
  return texts;
}

/** The environment of a server with a planted word in every setting except the data folder. */
function plantedEnv(data: string): Record<string, string> {
  const planted = Object.keys(SETTINGS).flatMap((name) => {
    const value = plantedIn(name);
    return value === null ? [] : [[name, value] as const];
  });
  expect(planted.length).toBeGreaterThan(15);
  const host = { BELLBIRD_HOST: '127.0.0.1', BELLBIRD_PUSH_SERVICES: 'https://planted.example' };
  return { ...Object.fromEntries(planted), ...host, BELLBIRD_DATA: data, BELLBIRD_PLANTED: 'planted' };
}

/** Fails if any file contains a planted text. */
function expectNothingPlanted(files: ReadonlyMap<string, string>): void {
  expect(files.size).toBeGreaterThan(6);
  for (const [name, text] of files)
    expect(`${name}: ${/.{0,60}(?:planted|4711|sessionid).{0,30}/i.exec(text)?.[0] ?? ''}`).toBe(`${name}: `);
}

describe('the support file of the panel', () => {
  const folder = tempFolders();
  const opened: TestApp[] = [];
  // Other tests create such a file at the same time.
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

  test('contains the useful files and nothing that was planted', async () => {
    const data = folder();
    const path = join(data, 'bellbird.db');
    const client = openDb({ path, copyFolder: null, now: START }).db.$client;
    client.run(
      "INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES (1, 'planted', 'planted', 'x', 0)",
    );
    client.close();
    plantRows(path);
    plantFiles(data);
    // The key is planted too: it must not be sent, and nothing answers at that address.
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
  });

  test('names the command if it could not be created', async () => {
    // The process exits immediately because a setting is wrong.
    const app = open({ BELLBIRD_PORT: 'none' });
    const { status, json } = await app.request('POST', '/api/admin/support', { as: 'admin' });
    expect(status).toBe(503);
    expect(json).toMatchObject({ error: expect.stringContaining('bellbird support') });
    expect(left()).toEqual([]);
  });
});

const newFolder = tempFolders();
const NOW = Date.parse('2026-11-18T00:00:00Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const uid = process.getuid?.();

/** A temporary folder with entries of these ages. */
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

test('folders left by a killed process are removed once they cannot be in use', () => {
  const folder = place(
    ['bellbird-support-aB3xYz', 11 * MINUTE],
    ['bellbird-support-young1', 9 * MINUTE],
    ['bellbird-check-aB3xYz', DAY + MINUTE],
    ['bellbird-check-young1', DAY - MINUTE],
    // Its time is ahead because the clock was set back.
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

test('other names, files, links and other users’ folders are not touched', () => {
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
