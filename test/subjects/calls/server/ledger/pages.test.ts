import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { calls } from '../../../../../src/platform/db/schema.ts';
import { formatMoment } from '../../../../../src/subjects/calls/rules/callFormat.ts';
import { lineWords } from '../../../../../src/subjects/calls/rules/ledger/words.ts';
import { readLedgerPage } from '../../../../../src/subjects/calls/server/ledger/pages.ts';
import { ledgerStore } from '../../../../../src/subjects/calls/server/ledger/store.ts';
import { toState } from '../../../../../src/subjects/calls/server/rows.ts';
import { headOfRows, readRows } from '../../../../../src/subjects/calls/rules/ledger/rows.ts';
import { importedText } from '../../../../../src/subjects/calls/rules/ledger/importedState.ts';
import type { Steps } from '../../../../../src/platform/http/readQueue.ts';
import { sha256 } from '../../../../../src/subjects/calls/server/ledger/ledger.ts';
import { board, list, submit, trade } from '../../../../support/callsApp.ts';
import { checked, ledgerOf, madeLedger, saidLines } from '../../../../support/ledgerStage.ts';
import { openMemoryDb } from '../../../../support/memoryDb.ts';
import { scenarios } from '../../../../support/scenario.ts';
import { createTestApp, type TestApp } from '../../../../support/testApp.ts';

describe('GET /calls/ledger', () => {
  const of = (query: string) => ({ method: 'GET', url: `/api/calls/ledger${query}` }) as const;
  scenarios([
    { name: 'guest, while nothing happened', ...of(''), status: 200, json: { lines: [], head: null } },
    { name: 'free user', ...of('?after=0&limit=1000'), as: 'free', status: 200 },
    { name: 'a page that is too long', ...of('?limit=1001'), status: 400 },
    { name: 'a page of nothing', ...of('?limit=0'), status: 400 },
    { name: 'a place before the first', ...of('?after=-1'), status: 400 },
    { name: 'a place that is none', ...of('?after=x'), status: 400 },
  ]);

  test('gives pages in order, with the head, and 304 to who has one', async () => {
    const app = createTestApp();
    list(app);
    for (let posted = 0; posted < 3; posted += 1) await submit(app);
    const first = await app.request('GET', '/api/calls/ledger?limit=2');
    const { lines, head } = first.json as { lines: unknown[]; head: { number: number; hash: string } };
    expect(lines).toHaveLength(2);
    expect(head).toEqual((await board(app)).ledger as never);
    expect(head.number).toBe(3);
    const etag = first.headers.get('etag') ?? '';
    const again = await app.request('GET', '/api/calls/ledger?limit=2', {
      headers: { 'if-none-match': etag },
    });
    expect(again.status).toBe(304);
    expect((await app.request('GET', '/api/calls/ledger?after=3')).json).toEqual({ lines: [], head });
    app.close();
  });

  test('is limited by address, before anything is read', async () => {
    const app = createTestApp();
    let refused = 0;
    for (let asked = 0; asked < 603; asked += 1) {
      const { status } = await app.request('GET', '/api/calls/ledger', { from: '203.0.113.9' });
      if (status === 429) refused += 1;
    }
    expect(refused).toBe(3);
    expect((await app.request('GET', '/api/calls/ledger', { from: '203.0.113.10' })).status).toBe(200);
    app.close();
  });
});

/** All steps at once. */
function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

test('a page has the times of the call’s market, where its clock is not the server’s', async () => {
  const app = createTestApp();
  list(app);
  await submit(app);
  trade(app, 'BHP', 40);
  const DAY = 86_400_000;
  const store = ledgerStore(app.db);
  const asked = { after: 0, limit: 10 };
  const steps = readLedgerPage(store, asked, (source, wall) =>
    source === app.source.name ? wall + DAY : wall,
  );
  const { lines } = finish(steps);
  const [posted, entered] = lines.map((row, index) => lineWords(row, index + 1));
  expect(posted?.time).toBe(app.clock.now() - 1000 + DAY);
  expect(entered?.text).toBe(`First trade after posting at 40, ${formatMoment(app.clock.now() + DAY)}`);
  const plain = finish(readLedgerPage(store, asked, (_, wall) => wall));
  expect(plain.lines.every((row) => row.marketTimes === undefined)).toBe(true);
  app.close();
});

describe('GET /calls/ledger/rows', () => {
  const of = (query: string) => ({ method: 'GET', url: `/api/calls/ledger/rows${query}` }) as const;
  scenarios([
    { name: 'guest, while nothing happened', ...of(''), status: 200 },
    { name: 'a page that is too long', ...of('?limit=2001'), status: 400 },
    { name: 'a place that is none', ...of('?after=x'), status: 400 },
  ]);

  test('gives the lines of the pages with their hashes and openings, packed for who takes it so', async () => {
    const app = createTestApp();
    list(app);
    for (let posted = 0; posted < 3; posted += 1) await submit(app);
    const told = await ledgerOf(app);
    expect(told.some(({ openings }) => openings.length > 0)).toBe(true);
    const { text, headers } = await app.request('GET', '/api/calls/ledger/rows');
    expect(headers.get('cache-control')).toBe('no-store');
    const bytes = new TextEncoder().encode(text);
    expect(headOfRows(bytes)).toEqual((await board(app)).ledger as never);
    expect(readRows(bytes)?.map(({ line, hash, openings }) => ({ line, hash, openings }))).toEqual([...told]);
    const [first, second] = (await app.request('GET', '/api/calls/ledger/rows?after=1&limit=1')).text.split(
      '\n',
    );
    expect(first).toStartWith('3 ');
    expect(second).toStartWith(told[1]?.hash ?? 'none');
    const packed = await app.request('GET', '/api/calls/ledger/rows', {
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    app.close();
  });
});

describe('GET /calls/ledger/file', () => {
  test('is the whole, a line a row, as they were hashed', async () => {
    const app = createTestApp();
    expect((await app.request('GET', '/api/calls/ledger/file')).text).toBe('');
    const rows = madeLedger(1203);
    const store = ledgerStore(app.db);
    store.inTransaction(() => rows.forEach(({ line, hash }, index) => store.insert(index + 1, line, hash)));
    const answer = await app.request('GET', '/api/calls/ledger/file');
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.text).toBe(rows.map(({ line }) => `${line}\n`).join(''));
    expect(await ledgerOf(app, 500)).toEqual(rows);
    app.close();
  });

  test('is limited by address', async () => {
    const app = createTestApp();
    const statuses: number[] = [];
    for (let asked = 0; asked < 7; asked += 1) {
      statuses.push((await app.request('GET', '/api/calls/ledger/file')).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429]);
    app.close();
  });
});

test('an address has one budget of bytes for all routes of the ledger, whichever account asks', async () => {
  const app = createTestApp();
  // Five million lines of 200 bytes, as far as the sizes go.
  const line = JSON.stringify({ text: 'x'.repeat(188) });
  app.db.$client.run('INSERT INTO call_ledger (number, line, hash) VALUES (5000000, ?, ?)', [line, 'h']);
  const ask = (path: string, as: 'guest' | 'free' | 'admin', from = '203.0.113.9') =>
    app.open('GET', `/api/calls/ledger${path}`, { as, from });
  const statusOf = async (...asked: Parameters<typeof ask>) => {
    const { status, body } = await ask(...asked);
    await body?.cancel();
    return status;
  };
  expect(await statusOf('/file', 'guest')).toBe(200);
  expect(await statusOf('/file', 'free')).toBe(200);
  for (const path of ['/file', '/rows?limit=2000', '?limit=1000']) {
    expect([path, await statusOf(path, 'admin')]).toEqual([path, 429]);
  }
  expect(await statusOf('/file', 'guest', '203.0.113.10')).toBe(200);
  app.close();
});

describe('calls that were made without the ledger', () => {
  /** A database with a call and no line, as a version of before leaves it. */
  async function oldDatabase() {
    const db = openMemoryDb();
    const app = createTestApp({ db });
    list(app);
    await submit(app);
    await submit(app, 'free', { symbol: 'CBA' });
    trade(app, 'BHP', 45);
    app.close();
    db.$client.run('DELETE FROM call_ledger');
    db.$client.run('DELETE FROM call_ledger_people');
    db.$client.run('UPDATE calls SET rationale_salt = NULL');
    return db;
  }

  test('are one line, with a hash over how they stand; what happens to them then is a line as any', async () => {
    const db = await oldDatabase();
    const rows = db.select().from(calls).orderBy(calls.id).all();
    const app: TestApp = createTestApp({ db });
    list(app);
    const state = sha256(rows.map((row) => `${importedText(row, toState(row), row)}\n`).join(''));
    expect(saidLines(db.$client)).toMatchObject([
      { number: 1, kind: 'imported', calls: 2, state, from: 'before the ledger' },
    ]);
    app.parts.calls.service.resume();
    expect(saidLines(db.$client)).toHaveLength(1);
    trade(app, 'BHP', 37);
    expect(saidLines(db.$client).map(({ kind }) => kind)).toEqual(['imported', 'stop']);
    expect(checked(await ledgerOf(app)).fault).toBeNull();
    app.close();
    db.$client.close();
  });

  test('are none in a new installation, whose ledger is empty', () => {
    const app = createTestApp();
    expect(saidLines(app.db.$client)).toEqual([]);
    app.close();
  });

  test('of the demonstration are one line too', async () => {
    const app = createTestApp({ env: { BELLBIRD_TEST: '1' } });
    const stock = (index: number) => ({
      code: `D${index}`,
      last: 0.2 + index,
      securityType: 'stock' as const,
    });
    app.source.give(Array.from({ length: 40 }, (_, index) => stock(index)));
    app.tick.run();
    await app.request('POST', '/api/test/seed', { body: { username: 'demo' } });
    await app.request('POST', '/api/test/seed', { body: { username: 'demo' } });
    const count = app.db.select().from(calls).all().length;
    expect(saidLines(app.db.$client)).toMatchObject([
      { kind: 'imported', calls: count, from: 'demonstration' },
    ]);
    app.close();
  });
});

test('a backup of before that is restored shows its break against a head that was published', async () => {
  const app = createTestApp();
  list(app);
  await submit(app);
  const backup = app.db.$client.serialize();
  await submit(app, 'free', { symbol: 'CBA' });
  await submit(app, 'basic');
  const published = (await board(app)).ledger ?? { number: 0, hash: '' };
  app.close();
  const db = drizzle(Database.deserialize(backup, { strict: true }));
  const restored = createTestApp({ db });
  list(restored);
  const short = checked(await ledgerOf(restored));
  expect(short).toMatchObject({ fault: null, checked: 1 });
  expect(short.hashOf(published.number)).toBeNull();
  for (let posted = 0; posted < 3; posted += 1) await submit(restored, 'premium');
  const long = checked(await ledgerOf(restored));
  expect(long.fault).toBeNull();
  expect(long.hashOf(published.number)).not.toBe(published.hash);
  restored.close();
  db.$client.close();
});
