import { createModelUse } from '../subjects/model/server/index.ts';
import { createQuestions } from '../subjects/questions/server/index.ts';
import { createSummaries } from '../subjects/announcements/server/summaries/index.ts';
import { createModel } from '../platform/model/index.ts';
import type { Core, Part } from '../part.ts';
import type { MarketParts } from './market.ts';
import type { CallsPart, Routed, Runtime, WithCalendar } from './runtime.ts';

/** What a model is asked for, where one is configured. */
export function createModelParts(
  core: Core,
  { keepOpen, randomToken }: Runtime,
  needs: Routed & WithCalendar & CallsPart & MarketParts,
) {
  const { auth, calls, calendar, announcements } = needs;
  const market = needs.market.service;
  const model = createModel(core);
  const modelUse = createModelUse(core);
  const summaries = createSummaries(core, {
    ...{ auth, market, model, randomToken },
    announcements: announcements.service,
    modelUse: modelUse.service,
  });
  const questions = createQuestions(core, {
    ...{ auth, market, keepOpen, model },
    calls: calls.service,
    announcements: announcements.service,
    calendar: calendar.service,
    modelUse: modelUse.service,
  });
  return { modelUse, questions, summaries } satisfies Record<string, Part>;
}

export type ModelParts = ReturnType<typeof createModelParts>;
