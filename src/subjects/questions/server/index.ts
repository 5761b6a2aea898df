import { QUESTIONS } from '../contract.ts';
import { checkQuestion } from '../rules/question.ts';
import { serve } from '#platform/http/routes.ts';
import { accepted } from '#platform/http/errors.ts';
import type { Inspection } from '#lib/inspection.ts';
import type { App, Part } from '#platform/app.ts';
import { Questions } from './service.ts';

/** Administrators' questions (specification 7.7). */
const routesOf = (questions: Questions, { keepOpen }: App) =>
  serve(QUESTIONS, {
    'POST /api/admin/askai': ({ user, body, request }) => {
      const { question, level } = accepted(checkQuestion(body ?? {}, user.level));
      // The connection is silent until the model answers.
      keepOpen(request);
      return questions.ask({
        userId: user.id,
        question,
        level,
        minLevel: 4,
        signal: request.signal,
      });
    },
  });

/**
 * Questions that a model answers with read-only tools. `stop` aborts running ones and runs before the bots stop, which notify
 * the users.
 */
export function createQuestions(app: App) {
  const service = new Questions(app);
  return {
    name: 'questions',
    service,
    routes: () => routesOf(service, app),
    stop: () => service.stop(),
    inspect: (): Inspection => ({
      label: 'Questions to the model',
      description: 'What people ask the model, and how many are under way.',
      summary: { model: app.model?.name ?? null, ...service.counts() },
      data: () => service.counts(),
    }),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    questions: Questions;
  }
}
