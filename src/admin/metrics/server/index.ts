import { NotFoundError } from 'elysia';
import type { App, Part } from '#platform/app.ts';
import { AppError } from '#platform/http/errors.ts';
import { createKeyCheck } from '#platform/http/keyChecks.ts';
import { serve } from '#platform/http/routes.ts';
import { METRICS } from '../contract.ts';
import { CONTENT_TYPE, exposition } from './metric.ts';
import { collectMetrics } from './metrics.ts';

const WRONG_KEY = 'The metrics key is missing or wrong. Send it as "Authorization: Bearer <key>".';

/** GET /metrics: figures for a collector such as Prometheus. The address exists only if a key is configured. */
export function createMetrics(app: App) {
  const { metricsKey } = app.config;
  const log = app.log.child('metrics');
  const isKey = metricsKey === null ? null : createKeyCheck(metricsKey);
  const failed = (error: unknown): void => log.warn('Could not read a metric', { error });
  const routes = () =>
    serve(METRICS, {
      'GET /metrics': ({ request }) => {
        if (isKey === null) throw new NotFoundError();
        if (!isKey(request.headers.get('authorization'))) {
          throw new AppError(401, WRONG_KEY, { headers: { 'www-authenticate': 'Bearer' } });
        }
        const text = exposition(collectMetrics(app, failed));
        return new Response(text, { headers: { 'content-type': CONTENT_TYPE, 'cache-control': 'no-store' } });
      },
    });
  return { name: 'metrics', routes } satisfies Part;
}
