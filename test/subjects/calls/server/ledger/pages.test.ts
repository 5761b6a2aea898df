import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ledgerStore } from '#subjects/calls/server/ledger/store.ts';
import { latestOfRows, readRows } from '#subjects/calls/rules/ledger/rows.ts';
import { board, list, submit, trade } from '#support/callsApp.ts';
import { ledgerOf, madeLedger } from '#support/ledgerFixture.ts';
import { createTestApp } from '#support/testApp.ts';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createRandom } from '#lib/random.ts';
import { temporaryFolder } from '#support/executable.ts';
import { eachApp } from '#support/eachApp.ts';

const app = eachApp();

describe('GET /calls/ledger', () => {
  test('is empty at first, and refuses invalid positions', async () => {
    const ask = (query: string) => app.request('GET', `/api/calls/ledger${query}`);
    expect((await ask('')).json).toEqual({ lines: [], head: null });
    for (const query of ['?limit=1001', '?limit=0', '?after=-1', '?after=x', '/rows?limit=2001']) {
      expect([query, (await ask(query)).status]).toEqual([query, 400]);
    }
  });

  test('returns pages in order with the latest entry, and 304 for a current copy', async () => {
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
  });
});

test('GET /calls/ledger/rows returns the entries with hashes and revealed texts, compressed on request', async () => {
  list(app);
  for (let posted = 0; posted < 3; posted += 1) await submit(app);
  const own = await ledgerOf(app);
  expect(own.some(({ openings }) => openings.length > 0)).toBe(true);
  const { text, headers } = await app.request('GET', '/api/calls/ledger/rows');
  expect(headers.get('cache-control')).toBe('no-store');
  const bytes = new TextEncoder().encode(text);
  expect(latestOfRows(bytes)).toEqual((await board(app)).ledger as never);
  expect(readRows(bytes)?.map(({ line, hash, openings }) => ({ line, hash, openings }))).toEqual([...own]);
  const [first, second] = (await app.request('GET', '/api/calls/ledger/rows?after=1&limit=1')).text.split(
    '\n',
  );
  expect(first).toStartWith('3 ');
  expect(second).toStartWith(own[1]?.hash ?? 'none');
  const packed = await app.request('GET', '/api/calls/ledger/rows', {
    headers: { 'accept-encoding': 'gzip' },
  });
  expect(packed.headers.get('content-encoding')).toBe('gzip');
});

test('GET /calls/ledger/file returns all entries as hashed, one per line', async () => {
  expect((await app.request('GET', '/api/calls/ledger/file')).text).toBe('');
  const rows = madeLedger(1203);
  const store = ledgerStore(app.db);
  store.inTransaction(() => rows.forEach(({ line, hash }, index) => store.insert(index + 1, line, hash)));
  const answer = await app.request('GET', '/api/calls/ledger/file');
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.text).toBe(rows.map(({ line }) => `${line}\n`).join(''));
  expect(await ledgerOf(app, 500)).toEqual(rows);
});

test('an address has one byte budget for all ledger routes, whatever the account', async () => {
  // Counts as five million entries of 200 bytes.
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
});

describe('the verification script', () => {
  const PAGE = join(import.meta.dir, '../../../../..', 'docs', 'ledger.md');

  let folder = '';
  let file = '';
  let head: string[] = [];

  async function programOf(): Promise<string> {
    const text = await Bun.file(PAGE).text();
    return /```js\n([\s\S]{0,5000}?)```/.exec(text)?.[1] ?? '';
  }

  async function verify(content: string | Uint8Array, noted: readonly string[] = []) {
    const path = join(folder, `${crypto.randomUUID()}.jsonl`);
    await Bun.write(path, content);
    const child = Bun.spawn([process.execPath, join(folder, 'verify.mjs'), path, ...noted], {
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const output = await new Response(child.stdout).text();
    return { code: await child.exited, output: output.trim() };
  }

  beforeAll(async () => {
    folder = await temporaryFolder();
    await Bun.write(join(folder, 'verify.mjs'), await programOf());
    const ended = createTestApp();
    list(ended);
    for (const as of ['free', 'basic', 'premium'] as const)
      await submit(ended, as, { rationale: 'Größer – 鉄' });
    for (const price of [40, 45, 37]) trade(ended, 'BHP', price);
    file = (await ended.request('GET', '/api/calls/ledger/file')).text;
    const { number, hash } = ended.parts.calls.service.ledger.head() ?? { number: 0, hash: '' };
    head = [String(number), hash];
    ended.close();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('verifies a real ledger and prints its latest entry', async () => {
    const output = `${head[0]} entries verified. Latest: ${head.join(' ')}`;
    expect(await verify(file)).toEqual({ code: 0, output });
    expect(await verify(file, [...head, '1', 'f'.repeat(64)])).toMatchObject({ code: 1 });
    expect(await verify(file, [head[0] ?? '', (head[1] ?? '').slice(0, 12)])).toMatchObject({ code: 0 });
    expect(await verify(file, ['99', 'f'.repeat(64)])).toMatchObject({
      code: 1,
      output: `There is no entry 99: the latest is ${head[0]}.`,
    });
    expect(await verify('')).toMatchObject({ code: 0 });
  });

  test('detects any changed byte, with a saved entry', async () => {
    const random = createRandom(7);
    const bytes = new TextEncoder().encode(file);
    const places = Array.from({ length: 16 }, () => Math.floor(random() * bytes.length));
    const found = await Promise.all(
      places.map((place) => {
        const changed = bytes.slice();
        changed[place] = ((changed[place] ?? 0) + 1 + Math.floor(random() * 255)) % 256;
        return verify(changed, head);
      }),
    );
    expect(found.map(({ code }) => code)).toEqual(places.map(() => 1));
  });
});
