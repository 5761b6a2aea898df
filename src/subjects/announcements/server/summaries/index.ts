import { NEWS } from '#subjects/announcements/contract.ts';
import { serve } from '#platform/http/routes.ts';
import type { App, Part } from '#platform/app.ts';
import { Summaries } from './service.ts';

const routesOf = (summaries: Summaries) =>
  serve(NEWS, {
    'POST /api/data/news/summarise': ({ user, body }) => summaries.summarise(user, body.symbol),
  });

/** Summaries of announcements (specification 7.6). */
export function createSummaries(app: App) {
  const service = new Summaries(app);
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
