import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { startFakeModel } from '#support/fakeModel.ts';
import { eachApp } from '#support/eachApp.ts';
import { createTestApp } from '#support/testApp.ts';
import { waitUntil } from '#support/waitUntil.ts';

const fake = startFakeModel();
afterAll(fake.stop);

const withModel = { env: { BELLBIRD_AI_URL: fake.url, BELLBIRD_AI_MODEL: 'fake-model' } };
const url = '/api/conditions/read';
const said = 'buyers are piling in';
const BODY = { text: said, pieces: [said], kind: 'alert' };
const CONDITION = {
  lhs: { type: 'field', key: 'relativeVolume' },
  op: '>=',
  rhs: { type: 'number', value: 3 },
};
const ANSWER = JSON.stringify({ conditions: [{ said, ...CONDITION }] });
beforeEach(() => fake.reply(ANSWER));

const app = eachApp(() => createTestApp(withModel));
const asked = (body: object = BODY) => app.request('POST', url, { as: 'premium', body });

describe('the model’s answer', () => {
  test('contains its proposals, with their words', async () => {
    expect((await asked()).json).toEqual({
      proposals: [{ logic: { op: 'AND', conditions: [CONDITION] }, said }],
      missed: [],
    });
    expect(fake.requests.at(-1)?.messages.at(-1)?.content).toContain(said);
  });

  test.each([
    ['is hidden if it has another format', 'I would buy BHP.', /answer had the wrong format/],
    [
      'is an error if the model fails',
      { kind: 'status', status: 500 } as const,
      /^The model server failed with status 500\./,
    ],
  ])('%s', async (_, answer, error) => {
    fake.reply(answer);
    expect(await asked()).toMatchObject({ status: 502, json: { error: expect.stringMatching(error) } });
    expect(app.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  test('a server without a model explains that', async () => {
    const without = createTestApp();
    const error = 'This server has no AI model.';
    const answer = await without.request('POST', url, { as: 'premium', body: BODY });
    expect(answer).toMatchObject({ status: 400, json: { error } });
    without.close();
  });

  test.each([
    { ...BODY, text: 'a'.repeat(301) },
    { ...BODY, pieces: [] },
    { ...BODY, pieces: Array.from({ length: 21 }, () => 'a') },
    { ...BODY, kind: 'order' },
    { text: said },
  ])('refuses an invalid body, number %#', async (body) => expect((await asked(body)).status).toBe(400));
});

describe('the cost', () => {
  test('is a question of the day with its tokens; a failure costs only the tokens', async () => {
    await asked();
    fake.reply('no form');
    await asked();
    const rows = app.db.$client.query('select questions from model_use').all();
    expect(rows).toEqual([{ questions: 1 }]);
    const [tokens] = app.db.$client
      .query('select prompt_tokens as sum from users where prompt_tokens > 0')
      .all();
    expect(tokens).toEqual({ sum: 200 });
  });

  test('is limited to one phrase per user at a time, and six per minute', async () => {
    await app.user('premium');
    const release = fake.hold();
    const before = fake.requests.length;
    const first = asked();
    await waitUntil('the model’s request', () => fake.requests.length > before);
    expect((await asked()).json).toMatchObject({ error: 'The model is still reading your last phrase.' });
    release();
    expect((await first).status).toBe(200);
    for (let count = 0; count < 4; count += 1) expect((await asked()).status).toBe(200);
    const tooMany = await asked();
    expect(tooMany.status).toBe(429);
    expect(tooMany.json).toMatchObject({ error: expect.stringContaining('Too many phrases') });
  });

  test('a stop fails the running request', async () => {
    await app.user('premium');
    const release = fake.hold();
    const before = fake.requests.length;
    const pending = asked();
    await waitUntil('the model’s request', () => fake.requests.length > before);
    await app.parts.phrases.stop();
    expect((await pending).status).toBe(502);
    expect((await asked()).status).toBe(503);
    release();
  });
});
