import { Elysia } from 'elysia';
import { NEWS } from '#subjects/announcements/contract.ts';
import type { Auth } from '#platform/http/auth.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import type { Model } from '#platform/model/model.ts';
import type { Core, Part } from '#src/part.ts';
import type { SummariesDeps } from './deps.ts';
import { createDocumentReader } from './document.ts';
import { Summaries } from './service.ts';
import { summaryStore } from './store.ts';

/** The least plan that may ask for summaries (specification, section 9). */
const SUMMARY_LEVEL = 2;

const routesOf = (auth: Auth, summaries: Summaries) =>
  new Elysia({ name: 'summaries' })
    .use(auth)
    .post('/data/news/summarise', ({ user, body }) => summaries.summarise(user, body.symbol), {
      minLevel: SUMMARY_LEVEL,
      ...routeSchemas(NEWS['POST /api/data/news/summarise']),
    });

export type SummariesNeeds = Pick<SummariesDeps, 'announcements' | 'market' | 'modelUse' | 'randomToken'> & {
  auth: Auth;
  model: Model | null;
};

/** Summaries of announcements (specification 7.6). */
export function createSummaries({ db, clock, http, log }: Core, { auth, ...needs }: SummariesNeeds) {
  const service = new Summaries({
    ...needs,
    clock,
    log: log.child('summaries'),
    store: summaryStore(db, needs.announcements.source ?? 'none'),
    readDocument: createDocumentReader(http),
  });
  return {
    name: 'summaries',
    service,
    routes: () => routesOf(auth, service),
    stop: () => service.stop(),
    inspect: () => ({
      label: 'Summaries',
      description: 'Summaries of announcements that a model writes.',
      summary: service.figures(),
      data: () => service.figures(),
    }),
  } satisfies Part;
}
