import { afterAll, describe, expect, test } from 'bun:test';
import { startFakeModel, toolReply } from '../../../support/fakeModel.ts';
import { scenarios, type Scenario } from '../../../support/scenario.ts';
import { createTestApp, type TestApp } from '../../../support/testApp.ts';

const fake = startFakeModel();
afterAll(fake.stop);

const withModel = {
  env: { BELLBIRD_AI_URL: fake.url, BELLBIRD_AI_MODEL: 'fake-model', BELLBIRD_AI_KEY: 'k3y' },
};
const url = '/api/admin/askai';
const QUESTION = { question: 'What is BHP worth?', forceAccessLevel: 3 };
const byAdmin = { as: 'admin', method: 'POST', url } as const;

const listBhp = (app: TestApp): void => {
  app.source.give([{ code: 'BHP', name: 'BHP Group', last: 50.6, close: 49.75, open: 50, status: 'Open' }]);
};
const lastTold = (): string => fake.requests.at(-1)?.messages.at(-1)?.content ?? '';

describe('who may ask', () => {
  const refused = (as: 'guest' | 'free' | 'basic' | 'premium', status: number, error: string): Scenario => ({
    ...{ name: `${as} may not`, as, method: 'POST', url, body: QUESTION, app: withModel, status },
    json: { error },
  });
  scenarios([
    refused('guest', 401, 'Please log in to continue.'),
    refused('free', 403, 'This is for administrators only.'),
    refused('basic', 403, 'This is for administrators only.'),
    refused('premium', 403, 'This is for administrators only.'),
    {
      ...{ ...byAdmin, name: 'an administrator gets the answer and what it took', app: withModel },
      body: QUESTION,
      setup: (app) => {
        listBhp(app);
        fake.say(toolReply('quote', { symbol: 'bhp' }), 'BHP was at $50.60 (By hand, 11:00 Sydney).');
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
        expect(lastTold()).toContain('"source":"By hand"');
        expect(lastTold()).toContain('"as_of":"11:00 on Wednesday 18 November 2026, Sydney time"');
      },
    },
  ]);
});

describe('what may be asked', () => {
  const wrong = (name: string, body: unknown, error: string, field: string): Scenario => ({
    ...{ ...byAdmin, name, body, app: withModel, status: 400 },
    json: { error, field },
  });
  const required = 'Question is required';
  const number = 'Access Level must be a valid number';
  const range = 'Access Level must be between 0 and 4';
  const [question, level] = ['question', 'forceAccessLevel'];
  const tooLong = 'Question may have at most 2000 characters';
  const of = (forceAccessLevel: unknown): unknown => ({ question: 'Why?', forceAccessLevel });
  scenarios([
    wrong('no question', { forceAccessLevel: 3 }, required, question),
    wrong('nothing at all', {}, required, question),
    wrong('an empty question', { question: ' \n ', forceAccessLevel: 3 }, required, question),
    wrong('a question that is no text', { question: 5, forceAccessLevel: 9 }, required, question),
    wrong('a level that is a word', of('high'), number, level),
    wrong('a level that is empty', of(''), number, level),
    wrong('a level that is a list', of([3]), number, level),
    wrong('a level between two', of(2.5), number, level),
    wrong('a level below', of(-1), range, level),
    wrong('a level above', of(5), range, level),
    wrong('a question of 2,001 characters', { question: '🙂'.repeat(2001) }, tooLong, question),
    wrong('a question of nearly 64 KB', { question: 'x'.repeat(65_000) }, tooLong, question),
    {
      ...{ ...byAdmin, name: 'a question of 64 KB', app: withModel, status: 413 },
      body: { question: 'x'.repeat(64 * 1024), forceAccessLevel: 3 },
    },
    {
      ...{ ...byAdmin, name: 'a request without a body', app: withModel, status: 400 },
      json: { error: required, field: question },
    },
    {
      ...{ ...byAdmin, name: 'a question without a model', body: QUESTION, status: 400 },
      json: { error: 'Questions need a model: set BELLBIRD_AI_URL and BELLBIRD_AI_MODEL.' },
    },
  ]);

  const asked = (name: string, body: unknown, expected: number): Scenario => ({
    ...{ ...byAdmin, name, body, app: withModel, status: 200 },
    setup: () => fake.say('An answer.'),
    after: (_, { json }) => expect(json).toMatchObject({ meta: { level: expected } }),
  });
  scenarios([
    asked('no level is the own one', { question: 'Why?' }, 4),
    asked('null is the own one', of(null), 4),
    asked('a level as text', of('2'), 2),
    asked('a visitor’s', of(0), 0),
    asked('2,000 characters', { question: '🙂'.repeat(2000) }, 4),
  ]);
});

describe('tools by level', () => {
  const ALL = ['quote', 'leaderboard', 'movers', 'announcements', 'calendar'];
  const levels: [number, string[]][] = [
    [0, ['quote', 'leaderboard']],
    [1, ['quote', 'leaderboard']],
    [2, ALL],
    [3, ALL],
    [4, ALL],
  ];
  scenarios(
    levels.map(([forceAccessLevel, tools]): Scenario => {
      const isPublic = forceAccessLevel < 2;
      return {
        ...{ ...byAdmin, name: `level ${forceAccessLevel}`, app: withModel, status: 200 },
        body: { question: 'What moves?', forceAccessLevel },
        setup: (app) => {
          listBhp(app);
          fake.say(toolReply('movers', { scanner: 'intraDayMidLarge' }), 'Nothing.');
        },
        after: (_, { json }) => {
          expect(fake.requests.at(-2)?.tools).toEqual(tools);
          expect(lastTold()).toContain(
            isPublic ? 'There is no tool "movers". The tools are quote, leaderboard.' : 'Top Movers above $1',
          );
          expect(json).toMatchObject({ meta: { tools: [{ name: 'movers', ok: !isPublic }] } });
        },
      };
    }),
  );

  test('a visitor’s quote has what the Calls page shows, a user’s has more', async () => {
    const app = createTestApp(withModel);
    listBhp(app);
    for (const [forceAccessLevel, hasOpen] of [
      [0, false],
      [2, true],
    ] as const) {
      fake.say(toolReply('quote', { symbol: 'BHP' }), 'An answer.');
      await app.request('POST', url, { as: 'admin', body: { question: 'BHP?', forceAccessLevel } });
      expect(lastTold()).toContain('"last":50.6');
      expect(lastTold().includes('"open"')).toBe(hasOpen);
    }
    app.close();
  });
});
