import { ModelWatch } from '../admin/selfCheck/server/modelWatch.ts';
import { createPhrases } from '../subjects/conditions/server/index.ts';
import { createModelUse } from '../subjects/model/server/index.ts';
import { createQuestions } from '../subjects/questions/server/index.ts';
import { createSummaries } from '../subjects/announcements/server/summaries/index.ts';
import { createModel } from '../platform/model/index.ts';
import type { App, Part } from '#platform/app.ts';
import type { CalendarPart, CallsPart, MarketParts } from './market.ts';
import type { RequestParts } from './people.ts';

/** The model that everything asks; null without one. */
function createModelWatch(app: App) {
  const model = createModel(app);
  const watch = model && new ModelWatch(model, { ...app, log: app.log.child('model') });
  return {
    name: 'modelWatch',
    service: watch,
    ...(watch && { start: () => watch.start(), stop: () => watch.stop() }),
  } satisfies Part;
}

/** What a model is asked for, where one is configured. */
export function createModelParts(
  app: App,
  { calls, calendar, ...made }: RequestParts & CalendarPart & CallsPart & MarketParts,
) {
  const market = made.market.service;
  const announcements = made.announcements.service;
  const modelWatch = createModelWatch(app);
  const model = modelWatch.service;
  const modelUse = createModelUse(app);
  const summaries = createSummaries(app, {
    market,
    model,
    announcements,
    modelUse: modelUse.service,
  });
  const questions = createQuestions(app, {
    market,
    model,
    announcements,
    calls: calls.service,
    calendar: calendar.service,
    modelUse: modelUse.service,
  });
  const phrases = createPhrases(app, {
    market,
    model,
    catalog: made.indicators.service.catalog,
    modelUse: modelUse.service,
  });
  return { modelWatch, modelUse, questions, summaries, phrases } satisfies Record<string, Part>;
}

export type ModelParts = ReturnType<typeof createModelParts>;
