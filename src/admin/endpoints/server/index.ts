import { serve } from '#platform/http/routes.ts';
import { ENDPOINT_CALLS } from '../contract.ts';
import { AppError } from '#platform/http/errors.ts';
import type { App, Part } from '#platform/app.ts';
import { EndpointCalls } from './service.ts';

/** @throws AppError 400 for a day that no calendar has */
function existing(date: string | undefined): string | undefined {
  if (date === undefined) return undefined;
  const time = Date.parse(`${date}T00:00:00Z`);
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(date)) return date;
  throw new AppError(400, { field: 'date', message: 'There is no such day.' });
}

/** External Endpoint Activity (specification 7.7). */
const routesOf = (calls: EndpointCalls) =>
  serve(ENDPOINT_CALLS, {
    'GET /api/admin/external-metrics': ({ query }) => {
      const { date, days, counts } = calls.day(existing(query.date));
      const metrics = counts.map(({ date: _date, totalMs, ...count }) => ({
        ...count,
        averageMs: Math.round(totalMs / count.count),
      }));
      return { metrics, date, days };
    },
  });

/**
 * Calls to other servers, counted by Sydney day for 30 days. They are counted from the moment it is made; `stop` writes
 * what is not on disk yet.
 */
export function createEndpointCalls(app: App) {
  const service = new EndpointCalls(app);
  app.outgoing.listen(service.note);
  return {
    name: 'endpointCalls',
    service,
    routes: () => routesOf(service),
    stop: () => service.end(),
    prune: () => ({ removed: service.prune(), hasMore: false }),
    inspect: () => ({
      label: 'Calls to other servers',
      description: 'Every request to a provider, platform or model, counted by endpoint. Today’s are shown.',
      type: 'list' as const,
      summary: service.totals(),
      data: () => service.day().counts,
    }),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    endpointCalls: EndpointCalls;
  }
}
