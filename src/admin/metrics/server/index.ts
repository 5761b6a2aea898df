import { readingsOf } from './readings.ts';
import { NotFoundError } from 'elysia';
import { serve } from '#platform/http/routes.ts';
import { METRICS } from '../contract.ts';
import { AppError } from '#platform/http/errors.ts';
import { createKeyCheck } from '#platform/http/key.ts';
import type { App, Part } from '#platform/app.ts';
import { CONTENT_TYPE, exposition } from './metric.ts';
import { collectMetrics } from './metrics.ts';

const WRONG_KEY = 'The metrics key is missing or wrong. Send it as "Authorization: Bearer <key>".';

/**
 * GET /metrics: figures of the running server for a collector such as Prometheus, authorised by a key of its own. Without
 * a configured key there is no such address.
 */
export function createMetrics(app: App) {
  const { config, log } = app;
  const { metricsKey } = config;
  const readings = readingsOf(app);
  const isKey = metricsKey === null ? null : createKeyCheck(metricsKey);
  const failed = (error: unknown): void => log.child('metrics').warn('A metric could not be read', { error });
  const routes = () =>
    serve(METRICS, {
      'GET /metrics': ({ request }) => {
        if (isKey === null) throw new NotFoundError();
        if (!isKey(request.headers.get('authorization'))) {
          throw new AppError(401, WRONG_KEY, { headers: { 'www-authenticate': 'Bearer' } });
        }
        const text = exposition(collectMetrics(readings, failed));
        return new Response(text, { headers: { 'content-type': CONTENT_TYPE, 'cache-control': 'no-store' } });
      },
    });
  return { name: 'metrics', routes } satisfies Part;
}
