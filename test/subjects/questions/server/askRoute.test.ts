import { afterAll, describe, expect } from 'bun:test';
import { startFakeModel, toolReply } from '../../../support/fakeModel.ts';
import { scenarios, type Scenario } from '../../../support/scenario.ts';
import { type TestApp } from '../../../support/testApp.ts';

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
  scenarios([
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
});
