import { describe, expect, test } from 'bun:test';
import { eachApp } from '#support/eachApp.ts';
import { createTestApp } from '#support/testApp.ts';

const app = eachApp(() =>
  createTestApp({ env: { BELLBIRD_TEST: '1', BELLBIRD_INGEST_KEY: 'a key that only tests use' } }),
);

const routes = (() => {
  const { api, close } = createTestApp({ env: { BELLBIRD_TEST: '1' } });
  const writing = api.routes.filter(({ method }) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method));
  close();
  // Bridges send any content type and larger bodies, with a key.
  return writing.filter(({ path }) => path !== '/api/ingest/market');
})();
const addressOf = (path: string): string => path.replaceAll(/:[a-zA-Z]{1,40}/g, '1');

/** Member names that any route reads, so that a value gets as far as possible. */
const MEMBERS =
  'identifier username password email platform setupToken site tableKey columns refs name logic symbol callType ' +
  'entryPrice targetPrice stopLossType stopLoss pocketedValue adminStatus';
const withEach = (value: unknown): string =>
  JSON.stringify(Object.fromEntries(MEMBERS.split(' ').map((name) => [name, value])));

describe('only JSON is accepted', () => {
  const others = [
    ['application/x-www-form-urlencoded', 'identifier=x&password=y'],
    ['text/plain', '{"identifier":"x","password":"y"}'],
    ['', '{"identifier":"x","password":"y"}'],
  ] as const;
  for (const { method, path } of routes) {
    test(`${method} ${path}`, async () => {
      for (const [type, rawBody] of others) {
        const headers = { 'content-type': type };
        const answer = await app.request(method, addressOf(path), { as: 'admin', rawBody, headers });
        expect([type, answer.status, answer.json]).toEqual([
          type,
          415,
          { error: 'The request body is not JSON. Send JSON, with the content type application/json.' },
        ]);
      }
    });
  }
});

describe('size', () => {
  const ofSize = (bytes: number): string => `${' '.repeat(bytes - 2)}{}`;

  test.each([
    [64, '/api/test/seed'],
    [4, '/api/login'],
    [4, '/api/register'],
    [4, '/api/login/'],
  ])('%d KB are accepted at %s, one byte more is not', async (kilobytes, path) => {
    const send = (bytes: number) => app.request('POST', path, { rawBody: ofSize(bytes) });
    expect((await send(kilobytes * 1024)).status).toBe(400);
    const { status, json } = await send(kilobytes * 1024 + 1);
    expect(status).toBe(413);
    expect(json).toEqual({
      error: `The request body is larger than ${kilobytes} KB. Send less at once.`,
    });
  });

  test('2,000 values are accepted, more are not: lists and objects counted together', async () => {
    const send = (count: number) => {
      const x = Object.fromEntries(Array.from({ length: count / 2 }, (_, index) => [`k${index}`, 1]));
      const y = Array.from({ length: count / 2 }, () => 1);
      return app.request('POST', '/api/settings/quote-site', { as: 'free', body: { site: 'asx', x, y } });
    };
    expect((await send(2000)).status).toBe(200);
    const { status, json } = await send(2002);
    expect([status, json]).toEqual([
      400,
      { error: 'The request body has more than 2000 values. Send less at once.' },
    ]);
  });
});

describe('errors do not repeat the request', () => {
  const MARK = 'tell-nobody-'.repeat(400);
  const hostile: [string, string][] = [
    ['a long text', withEach(MARK)],
    ['a list', withEach([MARK, { [MARK]: MARK }])],
    [
      'an object',
      withEach({ [MARK]: { [MARK]: MARK }, id: MARK, type: MARK, op: MARK, conditions: [{ op: MARK }] }),
    ],
    ['a text instead of an object', JSON.stringify([MARK])],
    ['broken JSON', `{"identifier":"${MARK}`],
  ];
  for (const { method, path } of routes) {
    // It reads no body, and takes seconds.
    if (path === '/api/admin/support') continue;
    test(`${method} ${path}`, async () => {
      for (const [what, rawBody] of hostile) {
        for (const as of ['guest', 'admin'] as const) {
          const answer = await app.request(method, addressOf(path), { as, rawBody });
          if (answer.status < 400) continue;
          expect([what, answer.status]).not.toEqual([what, 500]);
          // A rule may quote an unknown word, shortened, but never to a caller without a login.
          const mark = as === 'guest' ? 'tell-nobody' : MARK.slice(0, 60);
          expect([what, answer.text.includes(mark)]).toEqual([what, false]);
        }
      }
      const logged = JSON.stringify(app.lines.filter(({ level }) => level !== 'info'));
      expect(logged).not.toContain('tell-nobody');
    });
  }
});
