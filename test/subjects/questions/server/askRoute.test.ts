import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type FakeModel, type ModelReply, startFakeModel, toolReply } from '#support/fakeModel.ts';
import { type Scenario, scenarios } from '#support/scenario.ts';
import { createTestApp, type TestAnswer, type TestApp } from '#support/testApp.ts';
import { eq } from 'drizzle-orm';
import { users } from '#platform/db/schema.ts';

describe('the route', () => {
  const fake = startFakeModel();
  afterAll(fake.stop);

  const withModel = {
    env: { BELLBIRD_AI_URL: fake.url, BELLBIRD_AI_MODEL: 'fake-model', BELLBIRD_AI_KEY: 'k3y' },
  };
  const url = '/api/admin/askai';
  const QUESTION = { question: 'What is BHP worth?', forceAccessLevel: 3 };
  const byAdmin = { as: 'admin', method: 'POST', url } as const;

  const listBhp = (app: TestApp): void => {
    app.source.apply([
      { code: 'BHP', name: 'BHP Group', last: 50.6, close: 49.75, open: 50, status: 'Open' },
    ]);
  };
  const prompt = (): string => fake.requests.at(-1)?.messages.at(-1)?.content ?? '';

  describe('access', () => {
    scenarios([
      {
        ...byAdmin,
        name: 'an administrator gets the answer with its cost',
        app: withModel,
        body: QUESTION,
        setup: (app) => {
          listBhp(app);
          fake.reply(toolReply('quote', { symbol: 'bhp' }), 'BHP was at $50.60 (By hand, 11:00 Sydney).');
        },
        status: 200,
        json: {
          response: 'BHP was at $50.60 (By hand, 11:00 Sydney).',
          meta: {
            model: 'fake-model',
            promptTokens: 200,
            completionTokens: 40,
            ms: 0,
            tools: [{ name: 'quote', arguments: { symbol: 'bhp' }, ms: 0, ok: true }],
            level: 3,
          },
        },
        after: () => {
          expect(fake.requests.at(-1)?.authorization).toBe('Bearer k3y');
          expect(prompt()).toContain('"source":"By hand"');
          expect(prompt()).toContain('"as_of":"11:00 on Wednesday 18 November 2026, Sydney time"');
        },
      },
    ]);
  });

  describe('valid questions', () => {
    const wrong = (name: string, body: unknown, error: string, field: string): Scenario => ({
      ...byAdmin,
      name,
      body,
      app: withModel,
      status: 400,
      json: { error, field },
    });
    const required = 'Question is required';
    const range = 'Access Level must be between 0 and 4';
    const [question, level] = ['question', 'forceAccessLevel'];
    const tooLong = 'Question may have at most 2000 characters';
    const of = (forceAccessLevel: unknown): unknown => ({ question: 'Why?', forceAccessLevel });
    scenarios([
      wrong('no question', { forceAccessLevel: 3 }, required, question),
      wrong('an empty question', { question: ' \n ', forceAccessLevel: 3 }, required, question),
      wrong('a level below', of(-1), range, level),
      wrong('a level above', of(5), range, level),
      wrong('a question of 2,001 characters', { question: '🙂'.repeat(2001) }, tooLong, question),
      {
        ...byAdmin,
        name: 'a request without a body',
        app: withModel,
        status: 400,
        json: { error: required, field: question },
      },
      {
        ...byAdmin,
        name: 'a question without a model',
        body: QUESTION,
        status: 400,
        json: { error: 'Questions need an AI model. Set BELLBIRD_AI_URL and BELLBIRD_AI_MODEL.' },
      },
    ]);

    const asked = (name: string, body: unknown, expected: number): Scenario => ({
      ...byAdmin,
      name,
      body,
      app: withModel,
      status: 200,
      setup: () => fake.reply('An answer.'),
      after: (_, { json }) => expect(json).toMatchObject({ meta: { level: expected } }),
    });
    scenarios([
      asked('no level is the own one', { question: 'Why?' }, 4),
      asked('a level as text', of('2'), 2),
      asked('2,000 characters', { question: '🙂'.repeat(2000) }, 4),
    ]);
  });

  describe('tools by level', () => {
    const ALL = ['quote', 'leaderboard', 'movers', 'announcements', 'calendar'];
    const levels: [number, string[]][] = [
      [1, ['quote', 'leaderboard']],
      [2, ALL],
    ];
    scenarios(
      levels.map(([forceAccessLevel, tools]): Scenario => {
        const isPublic = forceAccessLevel < 2;
        return {
          ...byAdmin,
          name: `level ${forceAccessLevel}`,
          app: withModel,
          status: 200,
          body: { question: 'What moves?', forceAccessLevel },
          setup: (app) => {
            listBhp(app);
            fake.reply(toolReply('movers', { scanner: 'intraDayMidLarge' }), 'Nothing.');
          },
          after: (_, { json }) => {
            expect(fake.requests.at(-2)?.tools).toEqual(tools);
            expect(prompt()).toContain(
              isPublic ? 'Unknown tool "movers". The tools are quote, leaderboard.' : 'Top Movers above $1',
            );
            expect(json).toMatchObject({ meta: { tools: [{ name: 'movers', ok: !isPublic }] } });
          },
        };
      }),
    );
  });
});

describe('models', () => {
  let fake: FakeModel;
  let app: TestApp;

  beforeEach(() => {
    fake = startFakeModel();
    app = createTestApp({ env: { BELLBIRD_AI_URL: fake.url, BELLBIRD_AI_MODEL: 'fake-model' } });
    app.source.apply([
      { code: 'BHP', name: 'BHP Group', last: 50.6, close: 49.75, open: 50, value: 9e6, status: 'Open' },
    ]);
  });
  afterEach(async () => {
    app.close();
    await fake.stop();
  });

  const ask = (question = 'What is BHP worth?', forceAccessLevel = 4): Promise<TestAnswer> =>
    app.request('POST', '/api/admin/askai', { as: 'admin', body: { question, forceAccessLevel } });
  const promptsOf = (role: string): string[] =>
    (fake.requests.at(-1)?.messages ?? []).filter((one) => one.role === role).map(({ content }) => content);
  const promptTokens = (): number =>
    app.db.select({ spent: users.promptTokens }).from(users).where(eq(users.username, 'admin')).get()
      ?.spent ?? 0;

  describe('an answer', () => {
    test('has its tokens, which are counted for the user', async () => {
      fake.reply({ kind: 'text', text: 'So.', usage: { prompt: 300, completion: 7 } });
      expect((await ask()).json).toMatchObject({ meta: { promptTokens: 300, completionTokens: 7 } });
      expect(promptTokens()).toBe(300);
    });

    test('that was cut at the maximum length is marked', async () => {
      fake.reply({ kind: 'text', text: 'BHP was at', finish: 'length' });
      expect((await ask()).json).toMatchObject({
        response: 'BHP was at\n(The answer was cut off here because it became too long.)',
      });
    });
  });

  describe('a model that fails', () => {
    const cases: [name: string, reply: ModelReply, status: number, sentence: RegExp][] = [
      ['breaks off', { kind: 'cut', text: 'BHP was' }, 502, /closed the connection|cut off/],
      ['returns only invisible text', { kind: 'text', text: '\u200b' }, 502, /empty answer/],
      [
        'accepts no more requests',
        { kind: 'status', status: 429, headers: { 'retry-after': '7' } },
        503,
        /in 7 seconds/,
      ],
    ];
    for (const [name, reply, status, sentence] of cases) {
      test(`${name}: is explained and does not count for the day`, async () => {
        fake.reply(reply);
        const answer = await ask();
        expect(answer).toMatchObject({ status, json: { error: expect.stringMatching(sentence) } });
        expect(answer.text).not.toContain(new URL(fake.url).port);
        fake.reply('Again.');
        expect((await ask()).status).toBe(200);
      });
    }

    test('hangs: is explained when the time is up', async () => {
      fake.script((_, at) => {
        if (at > 0) return { kind: 'hang' };
        // The time left for the next step.
        app.clock.advance(59_950);
        return toolReply('quote', { symbol: 'BHP' });
      });
      expect(await ask()).toMatchObject({
        status: 504,
        json: { error: 'The model did not answer in time. Try again later.' },
      });
    });
  });

  describe('a model with wrong tool calls', () => {
    const cases: [name: string, call: { name: string; arguments: string }, said: string][] = [
      ['an odd name', { name: 'rm -rf /\n'.repeat(99), arguments: '{}' }, 'Unknown tool "rm -rf'],
      ['an unknown code', { name: 'quote', arguments: '{"symbol":"XYZ"}' }, 'XYZ is not in the live list.'],
      [
        'odd members',
        { name: 'quote', arguments: '{"__proto__":{"a":[1]},"symbol":"XYZ"}' },
        'XYZ is not in',
      ],
    ];
    for (const [name, call, said] of cases) {
      test(`${name}: gets an error, and the call is counted`, async () => {
        fake.reply({ kind: 'tools', calls: [call] }, 'I could not find that.');
        const { status, json } = await ask();
        expect({ status, json }).toMatchObject({
          status: 200,
          json: { meta: { tools: [{ name: expect.any(String), ok: false }] } },
        });
        expect(promptsOf('tool')[0]).toContain(said);
        // Model servers parse the arguments that are sent back to them and are strict about names.
        const sent = JSON.stringify(fake.requests.at(-1)?.body['messages']);
        const [args, toolName] = [
          /"arguments":"((?:[^"\\]|\\.)*)"/.exec(sent)?.[1],
          /"name":"([^"]*)"/.exec(sent)?.[1],
        ];
        expect(() => JSON.parse(JSON.parse(`"${args}"`))).not.toThrow();
        expect(toolName).toMatch(/^[\w-]{1,64}$/);
      });
    }

    test('without end: must answer after six calls, and is then aborted', async () => {
      fake.reply(toolReply('quote', { symbol: 'BHP' }));
      const answer = await ask();
      expect(answer).toMatchObject({
        status: 502,
        json: { error: expect.stringContaining('kept requesting data') },
      });
      expect(fake.requests).toHaveLength(7);
      expect(fake.requests.at(-1)?.tools).toEqual([]);
      expect(promptsOf('tool')).toHaveLength(6);
    });
  });

  test('a server without tools gets the data in the prompt, fenced', async () => {
    fake.set({ refuses: ['tools'] });
    fake.reply('BHP was at $50.60.');
    const { json } = await ask('Is BHP or $xyz up? IT is');
    expect(json).toMatchObject({
      response: 'BHP was at $50.60.',
      meta: { tools: [{ name: 'quote', arguments: { symbol: 'BHP' }, ok: true }, {}, {}, {}, {}] },
    });
    expect(promptsOf('user')[0]).toMatch(/^Is BHP or \$xyz up\? IT is\n\n/);
    expect(promptsOf('user')[0]).toContain('<data>\n{"source":"By hand"');
    expect(promptsOf('system')[0]).toContain('only from the data in the question');
  });
});
