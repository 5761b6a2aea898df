import { describe, expect, test } from 'bun:test';
import { certificateFinding, clockResult, rightsCheckResults } from '#admin/selfCheck/rules/checkResults.ts';
import type { ShownCertificate } from '#lib/httpClient/probe.ts';
import { networkCheckResults } from '#admin/selfCheck/server/service.ts';
import { loadConfig } from '#src/config/config.ts';
import { createHttpClient } from '#lib/httpClient/client.ts';
import { createJobRunner } from '#platform/install/shared/jobProcess.ts';
import { ModelWatch } from '#admin/selfCheck/server/modelWatch.ts';
import { appOf } from '#support/appOf.ts';
import { createLog } from '#lib/log.ts';
import { type Model, type ModelAnswer, ModelError } from '#platform/model/model.ts';
import { createHandScheduler } from '#support/handScheduler.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 18);

describe('the clock', () => {
  test('is right within a minute, and not judged if no service returned the time', () => {
    expect(clockResult([60_000, -400_000]).state).toBe('ok');
    expect(clockResult([])).toMatchObject({ state: 'ok', says: expect.stringContaining('Not compared') });
  });
  test('is reported with its direction and consequences', () => {
    const ahead = clockResult([61_000]);
    expect(ahead.says).toContain('market hours');
    expect(ahead).toMatchObject({ state: 'wrong', says: expect.stringContaining('61 seconds ahead') });
    expect(clockResult([-3 * 3_600_000]).says).toContain('3 hours behind');
  });
});

test('the certificate is judged by its expiry, its name and its chain', () => {
  const sound: ShownCertificate = {
    validFrom: NOW - DAY,
    validTo: NOW + 60 * DAY,
    isOtherName: false,
    chainProblem: null,
  };
  const of = (change: Partial<ShownCertificate>) =>
    certificateFinding({ ...sound, ...change }, 'a.example', NOW);

  expect(of({})).toMatchObject({ state: 'ok', says: expect.stringContaining('60 more days') });
  expect(of({ validTo: NOW + 13 * DAY })).toMatchObject({ state: 'warning' });
  expect(of({ validTo: NOW + 14 * DAY })).toMatchObject({ state: 'warning' });
  expect(of({ validTo: NOW + 14 * DAY + 1 })).toMatchObject({ state: 'ok' });
  expect(of({ validTo: NOW - 2 * DAY }).says).toBe('The certificate of a.example expired 2 days ago.');
  expect(of({ validFrom: NOW + DAY }).says).toContain('not valid yet');
  expect(of({ isOtherName: true }).says).toBe('The certificate is for another name than a.example.');
  expect(of({ chainProblem: 'UNABLE_TO_VERIFY' }).says).toContain('not trusted (UNABLE_TO_VERIFY)');
  expect(of({ validTo: Number.NaN })).toMatchObject({ state: 'warning' });
});

test('the public address check tells an immediate stream from a buffered one', async () => {
  const clock = { now: () => Date.now(), monotonic: () => performance.now() };
  const health = { ok: true, pid: 1, uptimeSec: 1, startedAt: 5, version: '1', commit: 'c' };
  const streamed = (pieces: number) =>
    new ReadableStream({
      async start(controller) {
        for (let piece = 0; piece < pieces; piece += 1) {
          controller.enqueue(new TextEncoder().encode('event: ping\ndata: {}\n\n'));
          await Bun.sleep(600);
        }
        controller.close();
      },
    });
  const found = async (pieces: number) => {
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ url }) => {
        if (url.endsWith('/healthz')) return Response.json(health);
        if (!url.endsWith('/api/data/stream')) return new Response('Not found', { status: 404 });
        return new Response(streamed(pieces), { headers: { 'content-type': 'text/event-stream' } });
      },
    });
    const { config } = loadConfig({
      BELLBIRD_NEWS: 'off',
      BELLBIRD_CALENDAR: 'off',
      BELLBIRD_HOST: '127.0.0.1',
      BELLBIRD_PUBLIC_URL: `http://127.0.0.1:${server.port}`,
      BELLBIRD_PORT: String(server.port),
    });
    const runList = createJobRunner('list-target', {});
    const results = await networkCheckResults(config, { http: createHttpClient({ clock }), clock }, runList);
    await server.stop(true);
    return results.find(({ what }) => what === 'Live stream');
  };
  expect((await found(3))?.state).toBe('ok');
  expect(await found(1)).toMatchObject({
    state: 'wrong',
    remedy: expect.stringContaining('proxy_buffering'),
  });
});

const ANSWER: ModelAnswer = {
  text: 'ok',
  toolCalls: [],
  finish: 'stop',
  durationMs: 1,
  usage: { promptTokens: 1, completionTokens: 1 },
};
const REQUEST = { messages: [], maxTokens: 100, timeoutMs: 1000 };

function setUp() {
  const time = createHandScheduler(0);
  const state = { listStatus: 200, failure: null as ModelError['kind'] | null, asked: 0, listed: 0 };
  const model: Model = {
    name: 'small',
    complete() {
      state.asked += 1;
      return state.failure === null
        ? Promise.resolve(ANSWER)
        : Promise.reject(new ModelError(state.failure, `It is ${state.failure}.`));
    },
  };
  const fetchList = () => {
    state.listed += 1;
    return Promise.resolve(Response.json({ data: [{ id: 'small' }] }, { status: state.listStatus }));
  };
  const { config } = loadConfig({ BELLBIRD_AI_URL: 'http://model.example', BELLBIRD_AI_MODEL: 'small' });
  const http = createHttpClient({ clock: time, fetch: fetchList as unknown as typeof fetch });
  const log = createLog(() => {});
  const app = appOf({ config, http, clock: time, log, schedule: time.schedule });
  const watch = new ModelWatch(app, model, () => 0.5);
  /** Lets time pass and requests be answered. */
  const pass = async (ms: number): Promise<void> => {
    time.advance(ms);
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  };
  const ask = () => watch.complete(REQUEST).catch(() => null);
  return { ask, pass, state, watch };
}

test('the model is unknown before the first check, and needs no tokens while its list is available', async () => {
  const { pass, state, watch } = setUp();
  watch.start();
  expect(watch.result()).toBe(null);
  await pass(60_000);
  expect(watch.result()).toMatchObject({ state: 'ok', says: 'small answers.' });
  for (let n = 0; n < 6; n += 1) await pass(10 * 60_000);
  expect(state).toMatchObject({ asked: 0, listed: 7 });
  watch.stop();
});

test.each(['timeout', 'refused'] as const)(
  'the model is retried soon after a question fails with %s, then less often, until it answers',
  async (kind) => {
    const { ask, pass, state, watch } = setUp();
    watch.start();
    await pass(60_000);
    state.failure = kind;
    await ask();
    expect(watch.result()?.state).toBe(kind === 'refused' ? 'wrong' : 'warning');
    await pass(30_000);
    expect(state.asked).toBe(2);
    for (let n = 0; n < 24; n += 1) await pass(5 * 60_000);
    expect(state.asked).toBeLessThan(25);
    state.failure = null;
    await pass(10 * 60_000);
    expect(watch.result()?.state).toBe('ok');
    watch.stop();
  },
);

test('the model is not blamed for a question that is too long, filtered or abandoned', async () => {
  const { ask, pass, state, watch } = setUp();
  watch.start();
  await pass(60_000);
  for (const kind of ['tooLong', 'noTools', 'cutOff', 'empty'] as const) {
    state.failure = kind;
    await ask();
    expect(watch.result()?.state).toBe('ok');
  }
  // A content filter refuses one question; the next token shows that the server works.
  state.failure = 'refused';
  await ask();
  state.failure = null;
  await pass(30_000);
  expect(watch.result()?.state).toBe('ok');
  watch.stop();
});

test('the rights of the data folder get one line per kind of fault, with the fix', () => {
  const own = { path: 'bellbird.db', uid: 7, isOpen: false, isWritable: true };
  expect(rightsCheckResults([own], '/data', 7)).toMatchObject([{ state: 'ok' }]);
  expect(rightsCheckResults([], '/data', 7)[0]?.says).toContain('does not exist yet');
  const files = ['a', 'b', 'c', 'd'].map((path) => ({ path, uid: 0, isOpen: true, isWritable: false }));
  const found = rightsCheckResults(files, '/data', 7);
  expect(found.map(({ state }) => state)).toEqual(['wrong', 'wrong', 'warning']);
  expect(found[0]?.says).toContain('a, b, c and 1 more belong');
  for (const [at, remedy] of ['chown', 'u+rwX', 'go-rwx'].entries())
    expect(found[at]?.remedy).toContain(remedy);
});
