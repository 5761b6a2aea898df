import { Database } from 'bun:sqlite';
import { expect } from 'bun:test';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../../src/config.ts';

/** A setting's value with a planted word in it, in the form that the setting has; null where it takes none. */
export function plantedIn(name: string): string | null {
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
export function plantRows(path: string): void {
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

export function plantFiles(data: string): void {
  mkdirSync(join(data, 'logs'), { recursive: true });
  appendFileSync(join(data, 'logs', 'bellbird.log'), `${LINES.join('\n')}\n`);
  mkdirSync(join(data, 'recordings'), { recursive: true });
  writeFileSync(join(data, 'recordings', 'planted.bellbird'), 'planted');
  mkdirSync(join(data, 'answers'), { recursive: true });
  const row = {
    headline: 'planted',
    cookie: 'sessionid=planted',
    'planted key': 1,
    count: 7,
    list: ['planted'],
  };
  writeFileSync(join(data, 'answers', 'asx.json'), JSON.stringify({ at: 5, rows: [row] }));
  writeFileSync(join(data, 'answers', 'planted.json'), '"planted"');
  writeFileSync(join(data, 'answers', 'tradingview.json'), 'planted {');
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

/** The files of an archive by their names. */
export async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<Map<string, string>> {
  const files = await new Bun.Archive(bytes).files();
  return new Map(
    await Promise.all([...files].map(async ([name, file]) => [name, await file.text()] as const)),
  );
}

/** The environment of a server whose every setting holds a planted word, but for where its data lie. */
export function plantedEnv(data: string): Record<string, string> {
  const planted = Object.keys(SETTINGS).flatMap((name) => {
    const value = plantedIn(name);
    return value === null ? [] : [[name, value] as const];
  });
  expect(planted.length).toBeGreaterThan(15);
  const host = { BELLBIRD_HOST: '127.0.0.1', BELLBIRD_PUSH_SERVICES: 'https://planted.example' };
  return { ...Object.fromEntries(planted), ...host, BELLBIRD_DATA: data, BELLBIRD_PLANTED: 'planted' };
}

/** Nothing that was planted is in any of the files. */
export function expectNothingPlanted(files: ReadonlyMap<string, string>): void {
  expect(files.size).toBeGreaterThan(6);
  for (const [name, text] of files)
    expect(`${name}: ${/.{0,60}(?:planted|4711|sessionid).{0,30}/i.exec(text)?.[0] ?? ''}`).toBe(`${name}: `);
}
