import { afterAll, beforeEach, expect, test } from 'bun:test';
import { loadConfig } from '#src/config/config.ts';
import { createHttpClient, type HttpCall } from '#lib/httpClient/client.ts';
import { createLog, type LogLine } from '#lib/log.ts';
import { createModel } from '#platform/model/index.ts';
import { type Model, ModelError, type ModelRequest } from '#platform/model/model.ts';
import { type FakeModel, type ModelReply, startFakeModel } from '#support/fakeModel.ts';
import { createFakeClock } from '#support/testApp.ts';
import { waitUntil } from '#support/waitUntil.ts';
import { appOf } from '#support/appOf.ts';

const KEY = 'a-key-of-the-tests-7261';
const fake: FakeModel = startFakeModel();
afterAll(() => fake.stop());

let lines: LogLine[] = [];
let calls: HttpCall[] = [];
beforeEach(() => {
  lines = [];
  calls = [];
  fake.requests.length = 0;
  fake.set({});
  fake.reply('An answer.');
});

function connect(): Model {
  const clock = createFakeClock();
  const { config } = loadConfig({ BELLBIRD_AI_URL: fake.url, BELLBIRD_AI_KEY: KEY, BELLBIRD_AI_MODEL: 'm' });
  const log = createLog(lines.push.bind(lines));
  const http = createHttpClient({ clock, onCall: (call) => calls.push(call) });
  const model = createModel(appOf({ config, http, clock, log }));
  if (!model) throw new Error('no model');
  return model;
}

const MESSAGES: ModelRequest['messages'] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'What happened?' },
];
const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: MESSAGES,
  maxTokens: 300,
  timeoutMs: 5000,
  ...more,
});
const TOOL = { name: 'quote', description: 'A quote.', parameters: { type: 'object', properties: {} } };

async function failure(asked: Promise<unknown>): Promise<ModelError> {
  const error = await asked.catch((reason: unknown) => reason);
  if (!(error instanceof ModelError)) throw new Error(`no ModelError but ${String(error)}`);
  const output = JSON.stringify([error.message, error.stack, lines, calls]);
  expect(output).not.toContain(KEY);
  expect(error.message).not.toContain(new URL(fake.url).host);
  return error;
}

test('an answer is streamed, with its usage', async () => {
  const answer = await connect().complete(request());
  expect(answer).toEqual({
    text: 'An answer.',
    toolCalls: [],
    finish: 'stop',
    usage: { promptTokens: 100, completionTokens: 20 },
    durationMs: 0,
  });
  const [sent] = fake.requests;
  expect(sent?.authorization).toBe(`Bearer ${KEY}`);
  expect(sent?.body).toEqual({
    model: 'm',
    messages: MESSAGES,
    max_completion_tokens: 300,
    stream: true,
    stream_options: { include_usage: true },
  });
  expect(calls).toMatchObject([{ endpoint: 'model/chat/completions', outcome: 'ok', status: 200 }]);
});

test('the library’s environment variables are ignored', async () => {
  const names = ['OPENAI_API_KEY', 'OPENAI_ORG_ID', 'OPENAI_BASE_URL', 'OPENAI_CUSTOM_HEADERS'];
  const before = names.map((name) => process.env[name]);
  try {
    for (const name of names) process.env[name] = 'http://127.0.0.1:9/other';
    process.env['OPENAI_CUSTOM_HEADERS'] = 'Authorization: other';
    await connect().complete(request());
    expect(fake.requests[0]?.authorization).toBe(`Bearer ${KEY}`);
  } finally {
    names.forEach((name, at) => {
      if (before[at] === undefined) delete process.env[name];
      else process.env[name] = before[at];
    });
  }
});

for (const refuses of [
  ['stream_options'],
  ['max_completion_tokens'],
  ['stream_options', 'max_completion_tokens'],
] as const) {
  test(`parameters are left out after a server rejects ${refuses.join(' and ')}, and not tried again`, async () => {
    fake.set({ refuses });
    const model = connect();
    expect((await model.complete(request())).text).toBe('An answer.');
    const first = fake.requests.length;
    expect(first).toBe(refuses.length + 1);
    expect((await model.complete(request())).text).toBe('An answer.');
    expect(fake.requests.length).toBe(first + 1);
    for (const member of refuses) expect(fake.requests.at(-1)?.body).not.toHaveProperty(member);
    const limit = fake.requests.at(-1)?.body;
    expect(limit?.['max_completion_tokens'] ?? limit?.['max_tokens']).toBe(300);
  });
}

const answerOf = (content: string): string =>
  JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: 'stop' }] });
const LONG = 'x'.repeat(300_000);

for (const [name, body] of Object.entries({
  'a whole answer': answerOf(LONG),
  'a chunk of a stream': `data: ${answerOf(LONG)}\n\ndata: [DONE]\n\n`,
  'a chunk of a stream of many lines': `${':\n'.repeat(200_000)}\ndata: ${answerOf('An answer.')}\n\n`,
  'a stream': `data: ${answerOf('')}\n\n`.repeat(40_000),
})) {
  test(`${name} that is too long is not passed to the library, which would parse it without a pause`, async () => {
    fake.reply({ kind: 'garbage', body });
    const error = await failure(connect().complete(request()));
    expect(error.message).toBe('The model server sent an answer that is too large.');
  });
}

test('tools are offered and called', async () => {
  fake.reply({
    kind: 'tools',
    calls: [
      { name: 'quote', arguments: '{"symbol":"BHP"}' },
      { name: 'quote', arguments: '{ not JSON', id: 'second' },
    ],
  });
  const answer = await connect().complete(request({ tools: [TOOL] }));
  expect(answer.finish).toBe('toolCalls');
  expect(answer.toolCalls).toEqual([
    { id: 'call_0', name: 'quote', argumentsText: '{"symbol":"BHP"}' },
    { id: 'second', name: 'quote', argumentsText: '{ not JSON' },
  ]);
  expect(fake.requests[0]?.tools).toEqual(['quote']);
});

test('a server without tool support has its own error', async () => {
  fake.set({ refuses: ['tools'] });
  expect((await failure(connect().complete(request({ tools: [TOOL] })))).kind).toBe('noTools');
});

const SENTENCES: readonly [string, ModelReply | string, ModelError['kind'], string][] = [
  ['a broken connection', { kind: 'cut', text: 'An ans' }, 'cutOff', 'closed the connection'],
  ['an empty answer', '', 'empty', 'an empty answer'],
  ['a content filter', { kind: 'text', text: 'An', finish: 'content_filter' }, 'refused', 'content filter'],
  ['an HTML page', { kind: 'html' }, 'unusable', 'did not send a usable answer'],
  ['JSON in another format', { kind: 'garbage', body: '{"choices":7}' }, 'unusable', 'did not send a usable'],
  ['deep JSON', { kind: 'garbage', body: '['.repeat(90_000) }, 'unusable', 'did not send a usable'],
  [
    'a wrong key',
    { kind: 'status', status: 401, body: { error: { message: KEY } } },
    'refused',
    'rejected the key',
  ],
  ['an error', { kind: 'status', status: 500 }, 'unreachable', 'failed with status 500'],
  [
    'a long text',
    { kind: 'status', status: 400, body: { error: 'maximum context length is 8192' } },
    'tooLong',
    'too long for the model',
  ],
  [
    'too many requests',
    { kind: 'status', status: 429, headers: { 'retry-after': '20' } },
    'limited',
    'Try again in 20 seconds.',
  ],
  [
    'too many requests for long',
    { kind: 'status', status: 429, headers: { 'retry-after': '600' } },
    'limited',
    'in 10 minutes.',
  ],
];
const isBegun = (reply: ModelReply | string): boolean =>
  typeof reply === 'string' || ['cut', 'ended', 'text'].includes(reply.kind);
for (const [name, reply, kind, words] of SENTENCES) {
  test(`${name}: an error sentence, and only one request`, async () => {
    fake.reply(reply);
    const error = await failure(connect().complete(request()));
    expect(error.kind).toBe(kind);
    expect(error.message).toContain(words);
    expect(error.message).toEndWith('.');
    expect(fake.requests.length).toBe(1);
    // An answer that has begun costs tokens, even if it is not delivered.
    expect(error.usage.promptTokens > 0).toBe(isBegun(reply));
  });
}

for (const kind of ['hang', 'stalled'] as const) {
  test(`a request to a server that is ${kind === 'hang' ? 'silent' : kind} times out`, async () => {
    fake.reply(kind === 'hang' ? { kind } : { kind, text: 'An ans' });
    const error = await failure(connect().complete(request({ timeoutMs: 50 })));
    expect([error.kind, error.message]).toEqual([
      'timeout',
      'The model did not answer in time. Try again later.',
    ]);
    expect(error.usage.promptTokens).toBeGreaterThan(0);
  });
}

test('the caller may cancel', async () => {
  const stop = new AbortController();
  fake.reply({ kind: 'hang' });
  const asked = failure(connect().complete(request({ signal: stop.signal })));
  await waitUntil('the request', () => fake.requests.length === 1);
  stop.abort();
  const { kind, usage } = await asked;
  expect([kind, usage.promptTokens > 0]).toEqual(['cutOff', true]);
  const late = await failure(connect().complete(request({ signal: stop.signal })));
  expect([late.kind, late.usage.promptTokens]).toEqual(['cutOff', 0]);
});
