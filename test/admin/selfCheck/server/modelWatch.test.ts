import { expect, test } from 'bun:test';
import { ModelWatch } from '../../../../src/admin/selfCheck/server/modelWatch.ts';
import { loadConfig } from '../../../../src/config.ts';
import { createHttpClient } from '../../../../src/lib/httpClient/client.ts';
import { createLog, type LogLine } from '../../../../src/lib/log.ts';
import { type Model, type ModelAnswer, ModelError } from '../../../../src/platform/model/model.ts';
import { createHandScheduler } from '../../../support/handScheduler.ts';

const ANSWER: ModelAnswer = {
  ...{ text: 'ok', toolCalls: [], finish: 'stop', durationMs: 1 },
  usage: { promptTokens: 1, completionTokens: 1 },
};
const REQUEST = { messages: [], maxTokens: 100, timeoutMs: 1000 };

function setUp() {
  const time = createHandScheduler(0);
  const lines: LogLine[] = [];
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
  const log = createLog((line) => lines.push(line));
  const watch = new ModelWatch(model, {
    ...{ config, http, clock: time, log, schedule: time.schedule, random: () => 0.5 },
  });
  /** Lets time pass, and what is asked then be answered. */
  const pass = async (ms: number): Promise<void> => {
    time.advance(ms);
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  };
  const ask = () => watch.complete(REQUEST).catch(() => null);
  return { ask, lines, pass, state, watch };
}

test('is not known before it was asked, and costs nothing while its list is there', async () => {
  const { pass, state, watch } = setUp();
  watch.start();
  expect(watch.finding()).toBe(null);
  await pass(60_000);
  expect(watch.finding()).toMatchObject({ state: 'ok', says: 'small answers.' });
  for (let n = 0; n < 6; n += 1) await pass(10 * 60_000);
  expect(state).toMatchObject({ asked: 0, listed: 7 });
  watch.stop();
});

test('whose list is refused is asked for one token, and refuses the key until it is right', async () => {
  const { pass, state, watch } = setUp();
  Object.assign(state, { listStatus: 401, failure: 'refused' });
  watch.start();
  await pass(60_000);
  expect(watch.finding()).toMatchObject({
    ...{ state: 'wrong', says: 'It is refused.', remedy: expect.stringContaining('BELLBIRD_AI_KEY') },
  });
  state.failure = null;
  await pass(10 * 60_000);
  expect(watch.finding()).toMatchObject({ state: 'ok' });
  watch.stop();
});

test.each(['timeout', 'refused'] as const)(
  'that fails a question with %s is asked again soon, then later and later, until it answers',
  async (kind) => {
    const { ask, pass, state, watch } = setUp();
    watch.start();
    await pass(60_000);
    state.failure = kind;
    await ask();
    expect(watch.finding()?.state).toBe(kind === 'refused' ? 'wrong' : 'warning');
    await pass(30_000);
    expect(state.asked).toBe(2);
    for (let n = 0; n < 24; n += 1) await pass(5 * 60_000);
    expect(state.asked).toBeLessThan(25);
    state.failure = null;
    await pass(10 * 60_000);
    expect(watch.finding()?.state).toBe('ok');
    watch.stop();
  },
);

test('is not to blame for a question that is too long, was filtered or was not waited for', async () => {
  const { ask, pass, state, watch } = setUp();
  watch.start();
  await pass(60_000);
  for (const kind of ['tooLong', 'noTools', 'cutOff', 'empty'] as const) {
    state.failure = kind;
    await ask();
    expect(watch.finding()?.state).toBe('ok');
  }
  // A content filter refuses one question; the next token shows that the server works.
  state.failure = 'refused';
  await ask();
  state.failure = null;
  await pass(30_000);
  expect(watch.finding()?.state).toBe('ok');
  watch.stop();
});
