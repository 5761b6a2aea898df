import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { factStore } from '#platform/db/facts.ts';
import { openDb } from '#platform/db/open.ts';
import {
  addBoss,
  logInBoss,
  needExecutable,
  post,
  type Running,
  startBellbird,
  temporaryFolder,
} from '../support/executable.ts';
import { type FakeTelegram, startFakeTelegram } from '../support/fakeTelegram.ts';
import { waitUntil } from '../support/waitUntil.ts';

await needExecutable();

const CHAT = 4711;
const FAILED = 'Bellbird: The nightly backup failed';
const OVER = 'Bellbird: There is a new backup';

/** A busy machine may have the backup only after the first look, 20 s after the start: the next is a minute later. */
const NEXT_LOOK_MS = 120_000;

let dataDir: string;
let telegram: FakeTelegram;
let running: Running | null = null;
beforeEach(async () => {
  dataDir = await temporaryFolder();
  telegram = startFakeTelegram();
});
afterEach(async () => {
  await running?.stop('SIGKILL');
  running = null;
  await telegram.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<Running> {
  running = await startBellbird({
    dataDir,
    env: {
      BELLBIRD_SUPERVISED: 'yes',
      BELLBIRD_TELEGRAM_URL: telegram.url,
      BELLBIRD_TELEGRAM_TOKEN: telegram.token,
    },
  });
  return running;
}

const databasePath = (): string => join(dataDir, 'bellbird.db');

/** What a night leaves in which the disk of the backups was away; the job itself begins minutes after a start. */
function failTonight(): void {
  const { db } = openDb({ path: databasePath(), copyFolder: null, now: Date.now() });
  const failure = { at: Date.now(), reason: 'The disk is away.', isNightly: true, unsent: null };
  factStore(db).write('backup_failure', failure);
  db.$client.close();
}

/** Messages of which it is not on disk that they arrived. */
function unsent(): number {
  using db = new Database(databasePath(), { readonly: true });
  const count = "SELECT count(*) AS n FROM outbox WHERE status <> 'sent'";
  return db.query<{ n: number }, []>(count).get()?.n ?? 0;
}

const heard = (): string[] => telegram.sent(CHAT).map(({ text }) => text);
/**
 * The first lines of what was said of the host. A message that was being sent at a kill may come twice, if the second says
 * that it may be a repeat: then it counts once.
 */
const told = (): string[] => {
  const lines: string[] = [];
  for (const text of heard().filter((one) => one.startsWith('Bellbird: '))) {
    const [line = ''] = text.split('\n');
    if (!(text.includes('may be a repeat') && line === lines.at(-1))) lines.push(line);
  }
  return lines;
};

/** An administrator with a linked chat. */
async function linkAdministrator(): Promise<void> {
  await addBoss(dataDir);
  const { url } = await start();
  const token = await logInBoss(url);
  await waitUntil('the bot', telegram.isPolled);
  telegram.say(CHAT, '/link');
  const linkIn = () => /linkToken=([\w-]{10,})/.exec(heard().join('\n').replaceAll('\\', ''))?.[1];
  await waitUntil('the link', () => linkIn() !== undefined);
  await post(`${url}/api/link/claim`, { token: linkIn() }, token);
  await waitUntil('the chat to be told', () => heard().some((text) => text.includes('Chat linked')));
  await waitUntil('that on disk', () => unsent() === 0);
}

test('what fails is told once in an administrator’s chat, and once when it is over, whenever the process is killed', async () => {
  await linkAdministrator();
  await running?.stop('SIGKILL');

  // Killed when it is on disk that it was told, and nothing has arrived yet.
  failTonight();
  telegram.setFault('sendMessage', { kind: 'status', code: 429, retryAfter: 1 });
  const first = await start();
  await first.printed(/The nightly backup failed/);
  await first.stop('SIGKILL');
  expect(told()).toEqual([]);

  // The message arrives after the start, and the next look says nothing more of it, but that it is over.
  telegram.setFault('sendMessage', null);
  const second = await start();
  await waitUntil('the message', () => told().length === 1);
  const token = await logInBoss(second.url);
  const list = await fetch(`${second.url}/api/admin/notices`, { headers: { authorization: token } });
  expect(await list.json()).toMatchObject({
    notices: [{ key: 'backupFailed', detail: 'The disk is away.' }],
  });
  expect((await post(`${second.url}/api/admin/backups`, {}, token)).ok).toBe(true);
  await waitUntil('that it is over', () => told().length === 2, NEXT_LOOK_MS);
  await waitUntil('that on disk', () => unsent() === 0);
  await second.stop('SIGKILL');
  expect(told()).toEqual([FAILED, OVER]);

  // The look after another start finds only what is new.
  failTonight();
  await start();
  await waitUntil('the next failure', () => told().length === 3);
  expect(told()).toEqual([FAILED, OVER, FAILED]);
}, 300_000);
