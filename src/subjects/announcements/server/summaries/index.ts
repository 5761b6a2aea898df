import { NEWS } from '#subjects/announcements/contract.ts';
import { serve } from '#platform/http/routes.ts';
import type { Model } from '#platform/model/model.ts';
import type { App, Part } from '#platform/app.ts';
import type { SummariesDeps } from './deps.ts';
import { createDocumentReader } from './document.ts';
import { Summaries } from './service.ts';
import { summaryStore } from './store.ts';

const routesOf = (summaries: Summaries) =>
  serve(NEWS, {
    'POST /api/data/news/summarise': ({ user, body }) => summaries.summarise(user, body.symbol),
  });

export type SummariesNeeds = Pick<SummariesDeps, 'announcements' | 'market' | 'modelUse'> & {
  model: Model | null;
};

/** Summaries of announcements (specification 7.6). */
export function createSummaries({ db, clock, http, log, randomToken }: App, needs: SummariesNeeds) {
  const service = new Summaries({
    ...needs,
    clock,
    randomToken,
    log: log.child('summaries'),
    store: summaryStore(db, needs.announcements.source ?? 'none'),
    readDocument: createDocumentReader(http),
  });
  return {
    name: 'summaries',
    service,
    routes: () => routesOf(service),
    stop: () => service.stop(),
    inspect: () => ({
      label: 'Summaries',
      description: 'Summaries of announcements that a model writes.',
      summary: service.figures(),
      data: () => service.figures(),
    }),
  } satisfies Part;
}
