import type { Model, ModelRequest } from '../../src/platform/model/model.ts';
import type { QuestionsDeps } from '../../src/subjects/questions/server/deps.ts';
import { Questions } from '../../src/subjects/questions/server/service.ts';
import { questionStore } from '../../src/subjects/questions/server/store.ts';
import { createModelUseService } from '../../src/subjects/model/server/service.ts';
import { modelUseStore } from '../../src/subjects/model/server/store.ts';
import type { UserRow } from '../../src/subjects/accounts/server/store.ts';
import { createLog } from '../../src/lib/log.ts';
import { createTestApp, type TestApp } from './testApp.ts';

export type AskStage = {
  app: TestApp;
  questions: Questions;
  /** What the model was asked, oldest first. */
  requests: ModelRequest[];
  users(count: number): Promise<UserRow[]>;
};

/** What the tools have beside the market: nothing, unless a test gives it. */
export const NO_PROVIDERS: Pick<QuestionsDeps, 'announcements' | 'calendar'> = {
  announcements: { search: () => [], info: () => null },
  calendar: { today: () => [], info: () => null },
};

/**
 * The service of questions on an application's market and database, with a model of the test's own.
 * @param complete what the model does with a request
 */
export function createAskStage(
  complete: (request: ModelRequest, at: number) => ReturnType<Model['complete']>,
  providers: Partial<typeof NO_PROVIDERS> = {},
): AskStage {
  const app = createTestApp();
  const requests: ModelRequest[] = [];
  const { db, clock, source, parts } = app;
  app.source.give([{ code: 'BHP', name: 'BHP Group', last: 50.6, close: 49.75, open: 50, status: 'Open' }]);
  const questions = new Questions({
    clock,
    source,
    log: createLog((line) => app.lines.push(line)),
    store: questionStore(db),
    model: { name: 'own-model', complete: (request) => complete(request, requests.push(request) - 1) },
    modelUse: createModelUseService({ store: modelUseStore(db), clock }),
    market: parts.market.service,
    calls: parts.calls.service,
    ...NO_PROVIDERS,
    ...providers,
  });
  const users = (count: number): Promise<UserRow[]> =>
    Promise.all(Array.from({ length: count }, (_, at) => app.addUser(`admin ${at}`, { isAdmin: true })));
  return { app, questions, requests, users };
}

/** A whole answer of a model. */
export const anAnswer = (text: string) => ({
  text,
  toolCalls: [],
  finish: 'stop' as const,
  usage: { promptTokens: 10, completionTokens: 2 },
  durationMs: 1,
});

/** An answer that calls a tool. */
export const aToolCall = (name: string, args: string | object = {}) => ({
  ...anAnswer(''),
  finish: 'toolCalls' as const,
  toolCalls: [{ id: 'call_1', name, argumentsText: typeof args === 'string' ? args : JSON.stringify(args) }],
});
