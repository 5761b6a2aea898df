import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import {
  afterFailure,
  afterSuccess,
  backoff,
  beforeAttempt,
  type Circuit,
  CLOSED,
  PollLoop,
  type PollResult,
} from '#lib/httpClient/pollLoop.ts';
import {
  createHttpClient,
  type Fetch,
  type HttpCall,
  type HttpRequest,
  retryAfterMs,
} from '#lib/httpClient/client.ts';
import { createLog } from '#lib/log.ts';
import { createHandScheduler, type HandScheduler } from '../support/handScheduler.ts';

const NOW = Date.UTC(2026, 0, 20, 1);
const TOKEN = '123456:very-secret';

let hand: HandScheduler;
let calls: HttpCall[];
let answer: (request: Request) => Response | Promise<Response>;
let server: ReturnType<typeof Bun.serve>;

beforeEach(() => {
  hand = createHandScheduler(NOW);
  calls = [];
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => answer(request) });
});
afterEach(() => server.stop(true));

const client = (more: Partial<Parameters<typeof createHttpClient>[0]> = {}) =>
  createHttpClient({ clock: hand, schedule: hand.schedule, onCall: (call) => calls.push(call), ...more });

const request = (more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url: `http://127.0.0.1:${server.port}/bot${TOKEN}/getMe`,
  endpoint: 'api.telegram.org/bot<token>/getMe',
  timeoutMs: 5000,
  maxBytes: 1000,
  ...more,
});

test.each([
  'file:///etc/hostname',
  'data:text/plain,a',
  'blob:a',
  's3://a/b',
  'FILE:///etc/hostname',
  '/etc/hostname',
])('does not request an address that is not http: %s', async (url) => {
  const asked: string[] = [];
  const spying: Fetch = async (given) => {
    asked.push(given);
    return new Response('a');
  };
  for (const own of [client(), client({ fetch: spying })]) {
    expect(await own.text(request({ url }))).toEqual({ kind: 'network', code: 'UNSUPPORTED_PROTOCOL' });
  }
  expect(asked).toEqual([]);
});

test('stops reading an answer that is too large', async () => {
  answer = () => new Response('x'.repeat(1001));
  expect(await client().text(request())).toMatchObject({ kind: 'tooLarge', maxBytes: 1000 });
  let pulled = 0;
  const endless = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(1000));
      },
    });
  const fetch = async () => new Response(endless());
  expect((await client({ fetch }).text(request())).kind).toBe('tooLarge');
  expect(pulled).toBeLessThan(10);
});

test('limits a compressed answer by its unpacked size', async () => {
  const packings = {
    gzip: (text: string) => gzipSync(text),
    deflate: (text: string) => deflateSync(text),
    br: (text: string) => brotliCompressSync(text),
    zstd: (text: string) => zstdCompressSync(text),
  };

  for (const [encoding, pack] of Object.entries(packings)) {
    const packed = pack('x'.repeat(2_000_000));
    for (const status of [200, 500]) {
      answer = () => new Response(packed, { status, headers: { 'content-encoding': encoding } });
      const outcome = await client().text(request({ maxBytes: 100_000 }));
      expect(outcome).toMatchObject(status === 200 ? { kind: 'tooLarge' } : { kind: 'httpError', text: '' });
    }
  }
});

describe('an error answer', () => {
  test('has its status, the start of its text and the time to wait', async () => {
    const headers = { 'retry-after': new Date(NOW + 90_000).toUTCString() };
    answer = () => new Response('slow down', { status: 429, headers });
    const outcome = await client().json(request());
    expect(outcome).toMatchObject({
      kind: 'httpError',
      status: 429,
      text: 'slow down',
      retryAfterMs: 90_000,
    });
    answer = () => new Response('x'.repeat(70_000), { status: 500 });
    const large = await client().text(request());
    expect(large).toMatchObject({ kind: 'httpError', status: 500, text: '', retryAfterMs: null });
  });

  test('includes redirects, so cookie and token are not sent elsewhere', async () => {
    const visited: string[] = [];
    answer = (sent) => {
      visited.push(new URL(sent.url).pathname);
      return Response.redirect('/elsewhere', 302);
    };
    const outcome = await client().text(request({ headers: { cookie: 'a=b' } }));
    expect(outcome).toMatchObject({ kind: 'httpError', status: 302 });
    expect(visited).toHaveLength(1);
  });
});

describe('no answer', () => {
  const hanging = (): Promise<Response> => new Promise(() => undefined);
  const wait = async (): Promise<void> => {
    while (hand.planned().length === 0) await Bun.sleep(1);
  };

  test('ends the call at the time limit, even while the body arrives', async () => {
    answer = hanging;
    const late = client().text(request());
    await wait();
    hand.advance(5000);
    expect(await late).toEqual({ kind: 'timeout', afterMs: 5000 });
    const { promise: began, resolve } = Promise.withResolvers<void>();
    answer = () =>
      new Response(
        new ReadableStream({
          start: (controller) => {
            controller.enqueue(new Uint8Array(1));
            resolve();
          },
        }),
      );
    const stuck = client().text(request());
    await began;
    hand.advance(5000);
    expect(await stuck).toEqual({ kind: 'timeout', afterMs: 5000 });
    expect(hand.planned()).toEqual([]);
  });

  test('returns a code, never the text of an error, if the server is unreachable', async () => {
    await server.stop(true);
    const outcome = await client().text(request());
    expect(outcome).toEqual({ kind: 'network', code: 'ECONNREFUSED' });
    const fetch = async (): Promise<Response> => {
      throw Object.assign(new TypeError(`invalid header: ${TOKEN}`), { code: `a code with ${TOKEN}` });
    };
    expect(await client({ fetch }).text(request())).toEqual({ kind: 'network', code: null });
  });
});

const RULES = { openAfter: 3, intervalMs: 10_000, maxWaitMs: 300_000 };

describe('circuit', () => {
  test('opens after repeated failures, stays open if a probe fails, and closes on success', () => {
    let circuit: Circuit = CLOSED;
    circuit = afterFailure(circuit, 0, 20_000, RULES);
    circuit = afterFailure(circuit, 0, 40_000, RULES);
    expect(circuit).toEqual({ state: 'closed', failures: 2 });
    circuit = afterFailure(circuit, 1000, 80_000, RULES);
    expect(circuit).toEqual({ state: 'open', failures: 3, until: 81_000 });
    expect(beforeAttempt(circuit, 80_999)).toEqual(circuit);
    circuit = beforeAttempt(circuit, 81_000);
    expect(circuit).toEqual({ state: 'half-open', failures: 3 });
    circuit = afterFailure(circuit, 81_000, 160_000, RULES);
    expect(circuit).toEqual({ state: 'open', failures: 4, until: 241_000 });
    expect(afterSuccess()).toEqual({ state: 'closed', failures: 0 });
  });

  test('doubles its waits within ±25 % up to a limit, never shorter than the server asked', () => {
    const input = [fc.integer({ min: 1, max: 200 }), fc.double({ min: 0, max: 0.999, noNaN: true })] as const;
    fc.assert(
      fc.property(...input, fc.option(fc.integer({ min: 0, max: 10_000_000 })), (failures, random, asked) => {
        const wait = backoff(failures, asked, RULES, random);
        const doubled = Math.min(RULES.maxWaitMs, RULES.intervalMs * 2 ** failures);
        expect(wait).toBeGreaterThanOrEqual(Math.max(doubled * 0.75, asked ?? 0));
        expect(wait).toBeLessThanOrEqual(Math.max(doubled * 1.25, asked ?? 0));
      }),
    );
    expect(backoff(1, 10 * 24 * 3_600_000, RULES, 0)).toBe(6 * 3_600_000);
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 0, 20, 1, 0, 0);
  const cases: [string | null, number | null][] = [
    ['120', 120_000],
    ['Tue, 20 Jan 2026 01:02:00 GMT', 120_000],
    ['Tue, 20 Jan 2026 00:00:00 GMT', 0],
    ['-5', null],
    [null, null],
  ];
  for (const [header, expected] of cases) {
    test(JSON.stringify(header), () => expect(retryAfterMs(header, now)).toBe(expected));
  }
});

test('the circuit is neither held open nor closed early by a jump of the wall clock', async () => {
  const hand = createHandScheduler(1_000_000);
  const failed: PollResult = { kind: 'failed', reason: 'answered HTTP 500', retryAfterMs: null };
  const results = [failed, failed, failed];
  let wallShift = 0;
  const loop = new PollLoop({
    name: 'The exchange',
    poll: async () => results.shift() ?? { kind: 'done', nextMs: 1000 },
    rules: { openAfter: 2, intervalMs: 1000, maxWaitMs: 60_000 },
    clock: { now: () => hand.now() + wallShift, monotonic: hand.monotonic },
    log: createLog(() => {}),
    schedule: hand.schedule,
    random: () => 0.5,
  });
  /** Lets the planned poll start and end. */
  const next = async () => {
    hand.advance(hand.planned()[0] ?? 0);
    await Bun.sleep(0);
  };
  loop.start();
  await Bun.sleep(0);
  await next();
  expect(loop.state().circuit).toEqual({ state: 'open', failures: 2, until: 6000 });
  wallShift = -40 * 365 * 86_400_000;
  await next();
  expect(loop.state().circuit).toEqual({ state: 'open', failures: 3, until: 14_000 });
  await next();
  expect(loop.state().circuit.state).toBe('closed');
});
