import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { Elysia } from 'elysia';
import type { Db } from '#platform/db/open.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { createIngest, readBody, ingestBody } from '#admin/ingest/server/index.ts';
import { createAuth } from '#platform/http/auth.ts';
import { routesPlugin } from '#platform/http/routes.ts';
import { errors } from '#platform/http/errors.ts';
import { createLog } from '#lib/log.ts';
import { createMarket } from '#market/market.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import type { MarketSink } from '#market/sources/quotes.ts';
import { createIngestSource } from '#sources/quotes/ingest/index.ts';
import { appOf, standIn } from '#support/appOf.ts';

const KEY = 'correct horse battery staple';
const START = fromSydney('2026-01-20', 9, 30);

let db: Db;
let now: number;
beforeEach(() => {
  db = openMemoryDb();
  now = START;
});
afterEach(() => db.$client.close());

const createApp = ({ key = KEY, bodyTimeoutMs }: { key?: string | null; bodyTimeoutMs?: number } = {}) => {
  const clock = { now: () => now, monotonic: () => now };
  const log = createLog(() => undefined);
  const market = createMarket({ clock });
  const source = createIngestSource({ wall: clock, log });
  const app = appOf({
    clock,
    config: { ingestKey: key },
    db,
    jwtSecret: 'a secret of this test, long enough',
    market: standIn(market),
    source,
  });
  const { routes } = createIngest(app, bodyTimeoutMs);
  const api = new Elysia().use(errors({ log })).use(routesPlugin(createAuth(app), routes()));
  const send = async (body: BodyInit | null, headers: Record<string, string> = { authorization: KEY }) => {
    const response = await api.handle(
      new Request('http://localhost/api/ingest/market', { method: 'POST', body, headers }),
    );
    return { status: response.status, headers: response.headers, json: (await response.json()) as unknown };
  };
  return { market, source, send };
};

const bhp = { code: 'BHP', close: 50, match_price: 51, match_vol: 1000, buy_surplus: 200 };

describe('POST /api/ingest/market', () => {
  test('fills the market from a bridge with the key', async () => {
    const { market, send } = createApp();
    const { status, json } = await send(JSON.stringify(bhp));
    expect([status, json]).toEqual([200, { applied: 1, rejected: [], rejectedCount: 0 }]);
    expect(market.get('BHP')).toMatchObject({ ...bhp, status: 'Pre Open', indicativeChangePercent: 2 });
  });

  test.each(['application/x-ndjson', 'multipart/form-data', 'nonsense'])(
    'accepts NDJSON sent as %s',
    async (type) => {
      const { market, send } = createApp();
      const body = `${JSON.stringify(bhp)}\n{"code":"CBA","last":"x"}\n{"code":"nem","last":60,"bid":59}\n`;
      const { json } = await send(body, { authorization: KEY, 'content-type': type });
      const error = 'The field "last" must be a number or null, not text.';
      expect(json).toEqual({
        applied: 2,
        rejectedCount: 1,
        ignored: { bid: 1 },
        rejected: [{ line: 2, code: 'CBA', error, field: 'last' }],
      });
      expect([...market.all().keys()]).toEqual(['BHP', 'NEM']);
    },
  );

  test('needs the whole key, and is not found if no key is configured', async () => {
    const { market, send } = createApp();
    const error = 'The ingest key is missing or wrong. Send it in the Authorization header.';
    for (const authorization of [undefined, KEY.slice(0, -1)]) {
      const { status, json } = await send(JSON.stringify(bhp), authorization ? { authorization } : {});
      expect([status, json]).toEqual([401, { error }]);
    }
    expect(market.all().size).toBe(0);
    const closed = await createApp({ key: null }).send(JSON.stringify(bhp), { authorization: '' });
    expect([closed.status, closed.json]).toEqual([404, { error: 'The API has no such address.' }]);
  });

  test.each(['', '{"code":"BHP","last":', new Uint8Array([255, 254, 0, 1])])(
    'rejects invalid input with a sentence: %p',
    async (body) => {
      const { status, json } = await createApp().send(body);
      expect([status, json]).toEqual([400, { error: expect.stringMatching(/\.$/) }]);
    },
  );

  test('answers 413 to a body that is too large, with or without a declared length', async () => {
    const { send, market } = createApp();
    const line = `${JSON.stringify(bhp)}\n`;
    const large = line.repeat(Math.ceil((4 * 1024 * 1024) / line.length) + 1);
    const declared = await send(large, { authorization: KEY, 'content-length': String(large.length) });
    const chunked = await send(new Blob([large]).stream());
    for (const { status, json } of [declared, chunked]) {
      expect([status, json]).toEqual([
        413,
        { error: 'The body is larger than 4 MB. Send the stocks in several requests.' },
      ]);
    }
    expect(market.all().size).toBe(0);
  });

  test('asks surplus parallel requests to retry, and has room again afterwards', async () => {
    const { send } = createApp();
    const held: ReadableStreamDefaultController<Uint8Array>[] = [];
    const slow = (): ReadableStream<Uint8Array> =>
      new ReadableStream({
        start(controller) {
          held.push(controller);
        },
      });
    const waiting = Array.from({ length: 20 }, () => send(slow()));
    const over = await send(JSON.stringify(bhp));
    expect(over.status).toBe(429);
    expect(over.headers.get('retry-after')).toBe('1');
    expect(over.json).toEqual({ error: expect.stringMatching(/Send again in a second/) });
    for (const controller of held) {
      controller.enqueue(new TextEncoder().encode(JSON.stringify(bhp)));
      controller.close();
    }
    const answers = await Promise.all(waiting);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect((await send(JSON.stringify(bhp))).status).toBe(200);
  });

  test('applies bodies in the order they arrive, however long one takes', async () => {
    const { market, send } = createApp();
    const text = new TextEncoder();
    let rest: ReadableStreamDefaultController<Uint8Array> | undefined;
    const large = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(text.encode('{"code":"BHP","close":50,"last":51}\n'));
        rest = controller;
      },
    });
    const earlier = send(large);
    const later = send('{"code":"BHP","last":52}');
    await Bun.sleep(5);
    rest?.enqueue(text.encode('{"code":"CBA","last":9}\n'.repeat(2000)));
    rest?.close();
    expect([(await earlier).status, (await later).status]).toEqual([200, 200]);
    expect(market.get('BHP')?.last).toBe(52);
  });

  test('rejects a body that does not finish in time, and never applies it after later ones', async () => {
    const { market, send } = createApp({ bodyTimeoutMs: 200 });
    let rest: ReadableStreamDefaultController<Uint8Array> | undefined;
    const stalled = send(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"code":"BHP","last":51}\n'));
          rest = controller;
        },
      }),
    );
    const behind = send('{"code":"BHP","last":52}');
    expect(await stalled).toMatchObject({
      status: 408,
      json: { error: 'The body took too long to arrive. Send it again, in smaller pieces.' },
    });
    expect((await behind).status).toBe(200);
    try {
      rest?.close();
    } catch {
      // The reader has cancelled it already.
    }
    await Bun.sleep(5);
    expect(market.get('BHP')?.last).toBe(52);
  });
});

test('a body is read up to its limit, with umlauts that span chunks', async () => {
  const bytes = new TextEncoder().encode('äöü');
  const chunks = [bytes.slice(0, 1), bytes.slice(1, 4), bytes.slice(4)];
  const bodyOf = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
  const request = (): Request => new Request('http://localhost', { method: 'POST', body: bodyOf() });
  expect(await readBody(request(), { maxBytes: 6, timeoutMs: 5000 })).toBe('äöü');
  expect(await readBody(request(), { maxBytes: 5, timeoutMs: 5000 })).toBeNull();
});

test('several quotes of a stock are applied one after the other', async () => {
  const taken: (number | null | undefined)[][] = [];
  const sink: Pick<MarketSink, 'apply'> = {
    apply(updates) {
      taken.push(updates.map(({ last }) => last));
      return { applied: updates.length, refused: [] };
    },
  };
  const lines = [
    { code: 'BHP', last: 1 },
    { code: 'CBA', last: 2 },
    { code: 'BHP', last: 3 },
    { code: 'BHP', last: 4 },
    { code: 'CBA', last: 5 },
  ];
  const { applied } = await ingestBody(JSON.stringify(lines), sink, () => undefined);
  expect(taken).toEqual([[1, 2], [3], [4, 5]]);
  expect(applied).toBe(5);
});

test('the ingest source shows how long ago the bridge sent data, only in trading hours', async () => {
  const { source, send } = createApp();
  expect(source.health()).toMatchObject({ healthy: false, lastSuccess: null });
  await send(JSON.stringify({ ...bhp, quoteTime: START - 1500 }));
  expect(source.health()).toEqual({ healthy: true, problem: null, lastSuccess: START, measuredLagMs: 1500 });
  now = START + 61_000;
  expect(source.health()).toMatchObject({
    healthy: false,
    problem:
      'The bridge has sent nothing for 61 seconds. Check that it is running and can reach this server.',
  });
  now = fromSydney('2026-01-20', 20, 0);
  expect(source.health().healthy).toBe(true);
});
