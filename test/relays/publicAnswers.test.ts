import { afterEach, expect, test } from 'bun:test';
import { PrimaryClient } from '#src/relays/relay/primaryClient.ts';
import { PublicAnswers } from '#src/relays/relay/server.ts';

const servers: { stop(force: boolean): unknown }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.stop(true);
});

const caller = { address: '203.0.113.7', isHttps: false };

/** The answer cache with a primary made by the test, and a manual stopwatch. */
function before(primary: (request: Request) => Response | Promise<Response>, answerMs?: number) {
  const asked: { path: string; match: string | null }[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => {
      const { pathname, search } = new URL(request.url);
      asked.push({ path: pathname + search, match: request.headers.get('if-none-match') });
      return primary(request);
    },
  });
  servers.push(server);
  let now = 0;
  const url = `http://127.0.0.1:${server.port}`;
  const answers = new PublicAnswers(new PrimaryClient(url, 'a secret'), { monotonic: () => now }, answerMs);
  const get = (path: string, headers: Record<string, string> = {}) =>
    answers.answer(
      new Request(`http://relay${path}`, { headers: { 'accept-encoding': 'identity', ...headers } }),
      caller,
    );
  return { asked, answers, get, wait: (ms: number) => (now += ms) };
}

/** An answer with an entity tag, which is 304 for a caller that has it. */
const tagged =
  (state: { text: string }, more: Record<string, string> = {}) =>
  (request: Request): Response => {
    const headers = {
      etag: `W/"${state.text}"`,
      'cache-control': 'private, no-cache',
      vary: 'accept-encoding',
      ...more,
    };
    return request.headers.get('if-none-match') === headers.etag
      ? new Response(null, { status: 304, headers })
      : new Response(state.text, { headers: { ...headers, 'content-type': 'application/json' } });
  };

const textOf = async (answer: Response | null): Promise<string | undefined> => answer?.text();

test('public answers cost the primary one request for a hundred simultaneous callers, and for all within a second', async () => {
  const { asked, get, wait } = before(async (request) => {
    await Bun.sleep(20);
    return tagged({ text: 'calls' })(request);
  });
  const all = await Promise.all(Array.from({ length: 100 }, () => get('/api/calls?page=1').then(textOf)));
  expect(new Set(all)).toEqual(new Set(['calls']));
  wait(900);
  expect(await textOf(await get('/api/calls?page=1'))).toBe('calls');
  expect(asked).toEqual([{ path: '/api/calls?page=1', match: null }]);
});

test('public answers are requested again after a second, with a body only if they changed', async () => {
  const state = { text: 'one' };
  const { asked, get, wait } = before(tagged(state));
  expect(await textOf(await get('/api/calls'))).toBe('one');
  wait(1001);
  expect(await textOf(await get('/api/calls'))).toBe('one');
  state.text = 'two';
  expect(await textOf(await get('/api/calls'))).toBe('one');
  wait(1001);
  expect(await textOf(await get('/api/calls'))).toBe('two');
  expect(asked.map(({ match }) => match)).toEqual([null, 'W/"one"', 'W/"one"']);
});

test.each([
  ['a token', { authorization: 'a token' }],
  ['a range', { range: 'bytes=0-1' }],
])('public answers are never used for a caller who sends %s', async (_, headers) => {
  const { asked, get } = before(tagged({ text: 'public' }));
  await get('/api/calls');
  expect(await get('/api/calls', headers)).toBeNull();
  expect(asked).toHaveLength(1);
});

test.each([
  ['must not be cached', { 'cache-control': 'no-store' }],
  ['varies by another header', { vary: 'accept-language' }],
  ['sets a cookie', { 'set-cookie': 'a=b' }],
])('public answers are not cached if the answer %s', async (_, more) => {
  const { answers, get } = before(tagged({ text: 'single' }, more as Record<string, string>));
  expect(await textOf(await get('/api/single'))).toBe('single');
  // Cached from now on.
  expect(await get('/api/single')).toBeNull();
  expect(answers.bytes()).toBe(0);
});

test('public answers are not cached if refused, and callers who waited ask for themselves', async () => {
  const { asked, get } = before(async () => {
    await Bun.sleep(20);
    return Response.json({ error: 'Too much.' }, { status: 429 });
  });
  const all = await Promise.all([get('/api/calls'), get('/api/calls')]);
  expect(all.map((answer) => answer?.status)).toEqual([429, undefined]);
  expect(asked).toHaveLength(1);
  expect((await get('/api/calls'))?.status).toBe(429);
});

test('public answers take at most 32 MB: the least recently used are dropped', async () => {
  const text = 'x'.repeat(3 << 20);
  const { answers, asked, get } = before(() => new Response(text, { headers: { etag: '"e"' } }));
  for (let page = 0; page < 15; page += 1) {
    await get(`/api/calls?page=${page}`);
    await get('/api/calls?page=0');
  }
  expect(answers.bytes()).toBeLessThanOrEqual(32 << 20);
  expect(answers.bytes()).toBeGreaterThan(24 << 20);
  expect(asked).toHaveLength(15);
});
