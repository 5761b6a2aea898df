import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createCaller } from '../../../web/api/caller.ts';

type Asked = { address: string; init: RequestInit };
/** Any path and any method, as nothing here describes them. */
type Calls = { [part: string]: Calls } & ((...given: unknown[]) => Calls & Promise<unknown>);

const real = globalThis.fetch;
let asked: Asked[];
let answer: () => Response;
beforeEach(() => {
  asked = [];
  answer = () => Response.json({ ok: 1 });
  const fake = async (address: string | URL | Request, init: RequestInit = {}) => {
    asked.push({ address: address instanceof Request ? address.url : String(address), init });
    return answer();
  };
  globalThis.fetch = Object.assign(fake, { preconnect: real.preconnect });
});
afterEach(() => {
  globalThis.fetch = real;
});

const caller = createCaller('http://here', () => ({ authorization: 'abc' })) as Calls;
const at = (...parts: string[]): Calls => parts.reduce((calls, part) => calls[part] as Calls, caller);

test('a path is asked with its query, in which null and what is missing are left out', async () => {
  const query = { symbol: 'A&B', before: null, tf: undefined, limit: 0, kind: ['a', 'b c'] };
  expect(await at('data', 'day-lines', 'get')({ query })).toEqual({
    data: { ok: 1 },
    error: null,
    status: 200,
    response: expect.any(Response),
  });
  const [{ address, init } = { address: '', init: {} }] = asked;
  expect(address).toBe('http://here/data/day-lines?symbol=A%26B&limit=0&kind=a&kind=b%20c');
  expect(init).toEqual({ method: 'GET', headers: { authorization: 'abc' } });
});

test('a body goes out as JSON, to the path that its parameter completes', async () => {
  const alert = at('alerts')({ id: 7 });
  const options = { headers: { 'idempotency-key': 'one' }, fetch: { keepalive: true } };
  await (alert['patch'] as Calls)({ on: true }, options);
  await (alert['delete'] as Calls)();
  expect(asked).toEqual([
    {
      address: 'http://here/alerts/7',
      init: {
        method: 'PATCH',
        keepalive: true,
        headers: { authorization: 'abc', 'idempotency-key': 'one', 'content-type': 'application/json' },
        body: '{"on":true}',
      },
    },
    { address: 'http://here/alerts/7', init: { method: 'DELETE', headers: { authorization: 'abc' } } },
  ]);
});

test('what is no success is an error with its body, as text where it is none of JSON', async () => {
  answer = () => new Response('Slow down', { status: 429 });
  expect(await at('app', 'get')()).toMatchObject({
    data: null,
    error: { status: 429, value: 'Slow down' },
    status: 429,
  });
});

test('a server that is not reached answers 503 with the reason', async () => {
  const reason = new TypeError('Failed to fetch');
  answer = () => {
    throw reason;
  };
  expect(await at('app', 'get')()).toEqual({
    data: null,
    error: { status: 503, value: reason },
    status: 503,
    response: undefined,
  });
});
