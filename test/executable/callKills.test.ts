import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { createRandom } from '#lib/random.ts';
import { needExecutable, post, type Running, startBellbird } from '../support/executable.ts';
import { FED, feed } from '../support/fedMarket.ts';
import { checked, eventLines, storedLines, unrecordedCalls } from '../support/ledgerFixture.ts';
import { tempFolders } from '../support/tempFolder.ts';
import { waitUntil } from '../support/waitUntil.ts';

await needExecutable();
const newFolder = tempFolders();

const KILLS = 10;
const SYMBOLS = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF'];

type Trader = { url: string; token: string; admin: string; random: () => number };

async function tokenOf(url: string, username: string): Promise<string> {
  const seeded = await post(`${url}/api/test/seed`, { username });
  return ((await seeded.json()) as { accessToken: string }).accessToken;
}

const pick = <T>(list: readonly T[], random: () => number): T =>
  list[Math.floor(random() * list.length)] as T;

/** Posts, ends and rejects calls until no server answers. @param onAnswer is called after each answer */
async function trade({ url, token, admin, random }: Trader, onAnswer: () => void): Promise<void> {
  const mine: string[] = [];
  for (;;) {
    const call = {
      symbol: pick(SYMBOLS, random),
      callType: pick(['buy', 'bought'], random),
      entryPrice: 40,
      targetPrice: 41,
      stopLossType: 'HARD',
      stopLoss: 39,
      rationale: 'As it goes',
    };
    const made = await post(`${url}/api/calls`, call, token);
    onAnswer();
    if (made.ok) mine.push(((await made.json()) as { publicId: string }).publicId);
    const ended = random() < 0.6 ? mine.shift() : undefined;
    if (ended !== undefined) {
      const act = random() < 0.5 ? 'close' : 'cancel';
      await post(`${url}/api/calls/${ended}/${act}`, act === 'close' ? { pocketedValue: 3 } : {}, token);
    } else if (mine.length > 0 && random() < 0.3) {
      const adminStatus = pick(['rejected', 'normal', 'review'], random);
      await post(`${url}/api/admin/calls/${pick(mine, random)}/admin-status`, { adminStatus }, admin);
    }
  }
}

/** Sends prices that fill calls and reach their levels, until no server accepts them. */
async function quote(url: string, random: () => number, onAnswer: () => void): Promise<void> {
  for (let volume = 1000; ; volume += 10) {
    const updates = SYMBOLS.map((code) => ({ code, last: 39 + Math.round(random() * 20) / 10, volume }));
    await feed(url, ...updates);
    onAnswer();
  }
}

/** A server with a busy market and busy traders, killed in the middle of it after some answers. */
async function runUntilKilled(dataDir: string, random: () => number, name: string): Promise<void> {
  const running: Running = await startBellbird({
    dataDir,
    env: { ...FED, BELLBIRD_TEST: '1', BELLBIRD_SUPERVISED: 'yes' },
  });
  const { url } = running;
  const trader = { url, random, token: await tokenOf(url, name), admin: await tokenOf(url, 'admin') };
  await feed(url, ...SYMBOLS.map((code) => ({ code, last: 40, volume: 500 })));
  // Each of them ends with the server.
  const answers = { trades: 0, quotes: 0 };
  const onTrade = () => void (answers.trades += 1);
  const onQuote = () => void (answers.quotes += 1);
  const busy = Promise.allSettled([
    trade(trader, onTrade),
    trade(trader, onTrade),
    quote(url, random, onQuote),
  ]);
  const enough = 20 + Math.floor(random() * 60);
  await waitUntil('trades and quotes', () => answers.trades >= enough && answers.quotes >= enough);
  await running.stop('SIGKILL');
  await busy;
}

test(`killed ${KILLS} times while calls are made: each event has its ledger entry, and each entry its event`, async () => {
  const dataDir = newFolder();
  const random = createRandom(20_261_126);
  const path = join(dataDir, 'bellbird.db');
  let lines = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    await runUntilKilled(dataDir, random, `trader${kill}`);
    const client = new Database(path);
    const check = checked(storedLines(client).map((row) => ({ ...row, openings: [] })));
    expect(check.fault).toBeNull();
    expect(unrecordedCalls(client)).toEqual([]);
    expect(check.checked).toBeGreaterThanOrEqual(lines);
    lines = check.checked;
    if (kill === KILLS - 1) {
      const kinds = new Set(eventLines(client).map(({ kind }) => kind));
      expect([...kinds]).toEqual(
        expect.arrayContaining([
          'posted',
          'filled',
          'target',
          'stop',
          'closed',
          'cancelled',
          'settled',
          'moderated',
        ]),
      );
    }
    client.close();
  }
  expect(lines).toBeGreaterThan(100);
}, 400_000);
