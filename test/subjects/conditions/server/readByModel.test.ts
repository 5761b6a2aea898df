import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { startFakeModel } from '../../../support/fakeModel.ts';
import { type Scenario, scenarios } from '../../../support/scenario.ts';
import { createTestApp } from '../../../support/testApp.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

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
const byPremium = { as: 'premium', method: 'POST', url, body: BODY, app: withModel } as const;

beforeEach(() => fake.say(ANSWER));

describe('what the model answers', () => {
  scenarios([
    {
      ...{ ...byPremium, name: 'premium gets proposals', status: 200 },
      json: { proposals: [{ logic: { op: 'AND', conditions: [CONDITION] }, said }], missed: [] },
      after: () => expect(fake.requests.at(-1)?.messages.at(-1)?.content).toContain(said),
    },
    {
      ...{ ...byPremium, name: 'an answer of another form is shown to nobody', status: 502, loggedErrors: 1 },
      setup: () => fake.say('I would buy BHP.'),
      json: { error: expect.stringContaining('did not answer in the form') },
    },
    {
      ...{ ...byPremium, name: 'a model that fails says so', status: 502, loggedErrors: 1 },
      setup: () => fake.say({ kind: 'status', status: 500 }),
      json: { error: 'The model server failed with status 500. Try again later.' },
    },
    {
      ...{ ...byPremium, name: 'a server without a model says so', app: {}, status: 400 },
      json: { error: 'This server has no model that could be asked.' },
    },
    ...[
      { ...BODY, text: 'a'.repeat(301) },
      { ...BODY, pieces: [] },
      { ...BODY, pieces: Array.from({ length: 21 }, () => 'a') },
      { ...BODY, kind: 'order' },
      { text: said },
    ].map((body, at): Scenario => ({ ...byPremium, name: `a body that is none, ${at}`, body, status: 400 })),
  ]);
});

const asked = (app: ReturnType<typeof createTestApp>) =>
  app.request('POST', url, { as: 'premium', body: BODY });

describe('what it costs', () => {
  test('counts as a question of the day, and its tokens for good; a failure costs tokens alone', async () => {
    const app = createTestApp(withModel);
    await asked(app);
    fake.say('no form');
    await asked(app);
    const rows = app.db.$client.query('select questions from model_use').all();
    expect(rows).toEqual([{ questions: 1 }]);
    const [tokens] = app.db.$client
      .query('select prompt_tokens as sum from users where prompt_tokens > 0')
      .all();
    expect(tokens).toEqual({ sum: 200 });
  });

  test('is bounded: one phrase of a user at a time, and six a minute', async () => {
    const app = createTestApp(withModel);
    await app.user('premium');
    const release = fake.hold();
    const before = fake.requests.length;
    const first = asked(app);
    await waitUntil('the model’s request', () => fake.requests.length > before);
    expect((await asked(app)).json).toMatchObject({ error: 'The model is still reading your last phrase.' });
    release();
    expect((await first).status).toBe(200);
    for (let count = 0; count < 4; count += 1) expect((await asked(app)).status).toBe(200);
    const tooMany = await asked(app);
    expect(tooMany.status).toBe(429);
    expect(tooMany.json).toMatchObject({ error: expect.stringContaining('Too many phrases') });
  });

  test('a stop fails what is under way', async () => {
    const app = createTestApp(withModel);
    await app.user('premium');
    const release = fake.hold();
    const before = fake.requests.length;
    const pending = asked(app);
    await waitUntil('the model’s request', () => fake.requests.length > before);
    await app.parts.phrases.stop();
    expect((await pending).status).toBe(502);
    expect((await asked(app)).status).toBe(503);
    release();
  });
});
