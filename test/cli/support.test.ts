import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { appendFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../src/cli/run.ts';
import { harmlessLine } from '../../src/cli/support/logLines.ts';
import { SETTINGS } from '../../src/config.ts';
import { noProgram } from '../support/noProgram.ts';
import { tempFolders } from '../support/tempFolder.ts';

const folder = tempFolders();

async function cli(args: string[], env: Record<string, string>) {
  const said: string[] = [];
  const code = await run(args, {
    io: {
      env,
      wall: { now: () => Date.now(), monotonic: () => performance.now() },
      about: { pid: 1, startedAt: 0, version: '1.2.3', commit: 'abcdef' },
      program: noProgram.program,
      out: (line) => said.push(line),
      err: (line) => said.push(line),
      readSecret: async () => 'the plantedPassword',
    },
    openAssets: () => ({ respond: () => undefined }),
    signals: { onStop: () => {}, onCrash: () => {} },
  });
  return { code, said: said.join('\n') };
}

/** A setting's value with a planted word in it, in the form that the setting has; null where it takes none. */
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

/** Text of every row of a database that people or their machines made, planted. */
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
  mkdirSync(join(data, 'logs'), { recursive: true });
  appendFileSync(join(data, 'logs', 'bellbird.log'), `${LINES.join('\n')}\n`);
  mkdirSync(join(data, 'recordings'), { recursive: true });
  writeFileSync(join(data, 'recordings', 'planted.bellbird'), 'planted');
  mkdirSync(join(data, 'update'), { recursive: true });
  const step = {
    name: 'Fetch planted',
    startedAt: 1,
    endedAt: 5,
    outcome: 'failed',
    detail: 'https://planted:x@y',
  };
  const state = {
    ...{
      id: 'planted',
      startedAt: 1,
      by: 'planted',
      executable: '/planted',
      previous: '/planted',
      starts: 1,
    },
    ...{ phase: 'failed', migrations: 2, steps: [step], failure: 'planted', logTail: ['planted'] },
    ...{ from: { version: 'planted', commit: 'planted' }, to: { version: 'planted', commit: 'planted' } },
  };
  writeFileSync(join(data, 'update', 'state.json'), JSON.stringify(state));
}

async function unpacked(path: string): Promise<Map<string, string>> {
  const files = await new Bun.Archive(await Bun.file(path).bytes()).files();
  return new Map(
    await Promise.all([...files].map(async ([name, file]) => [name, await file.text()] as const)),
  );
}

test('nothing that was planted anywhere is in the file, and what helps is', async () => {
  const data = folder();
  expect((await cli(['user', 'add', 'plantedUser', '--admin'], { BELLBIRD_DATA: data })).code).toBe(0);
  plantRows(join(data, 'bellbird.db'));
  plantFiles(data);
  const planted = Object.keys(SETTINGS).flatMap((name) => {
    const value = plantedIn(name);
    return value === null ? [] : [[name, value] as const];
  });
  expect(planted.length).toBeGreaterThan(15);
  const host = { BELLBIRD_HOST: '127.0.0.1', BELLBIRD_PUSH_SERVICES: 'https://planted.example' };
  const env = { ...Object.fromEntries(planted), ...host, BELLBIRD_DATA: data, BELLBIRD_PLANTED: 'planted' };
  const target = join(folder(), 'report.tar.gz');
  const result = await cli(['support', target, '--offline'], env);
  expect([result.code, statSync(target).mode & 0o777]).toEqual([0, 0o600]);
  const files = await unpacked(target);
  for (const [name, text] of files)
    expect(`${name}: ${/.{0,60}(?:planted|4711|sessionid).{0,30}/i.exec(text)?.[0] ?? ''}`).toBe(`${name}: `);
  expect(files.get('settings.txt')).toContain('BELLBIRD_TELEGRAM_TOKEN: set\n');
  expect(JSON.parse(files.get('database.json') ?? '')).toMatchObject({
    found: true,
    rows: { users: 1, linked_chats: 1 },
  });
  expect(JSON.parse(files.get('update.json') ?? '')).toMatchObject({
    phase: 'failed',
    steps: [{ outcome: 'failed', ms: 4 }],
  });
  expect(JSON.parse(files.get('sizes.json') ?? '')).toMatchObject({ recordings: { files: 1, bytes: 7 } });
  expect(files.get('log.txt')).toContain('http: Request method=GET path=… status=200 ms=3');
  expect(files.get('check.txt')).toMatch(/^ok {7}Server/m);
  expect((await cli(['support', target], env)).said).toContain('already; name another one');
}, 60_000);

test('a damaged database still leaves a file, which says so', async () => {
  const data = folder();
  writeFileSync(join(data, 'bellbird.db'), 'no database '.repeat(1000));
  const target = join(folder(), 'report.tar.gz');
  expect((await cli(['support', target, '--offline'], { BELLBIRD_DATA: data })).code).toBe(0);
  const files = await unpacked(target);
  expect(files.get('check.txt')).toContain('wrong    Database');
  expect(JSON.parse(files.get('database.json') ?? '')).toEqual({ unreadable: 'SQLiteError' });
});

test('a line keeps its sentence and its figures', () => {
  const line =
    '2026-11-18T00:00:00.000Z WARN asx: ASX can’t be read (again) failures=3 reason=x=y error=Error: z';
  expect(harmlessLine(line)).toBe(
    '2026-11-18T00:00:00.000Z WARN asx: ASX can’t be read … failures=3 reason=… error=…',
  );
  expect(harmlessLine('    at run (/home/anna/src/cli/run.ts:12:3)')).toBe('    at run.ts:12:3');
  expect(harmlessLine('what somebody wrote')).toBeNull();
});
