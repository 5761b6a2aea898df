import { Elysia } from 'elysia';
import type { Stopwatch } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';

/**
 * One line per API request: method, path, status and time. The query is left out, because it may hold a token;
 * health checks are left out, because they come every few seconds.
 */
export function requestLog(deps: { log: Log; clock: Stopwatch }) {
  const log = deps.log.child('http');
  const started = new WeakMap<Request, number>();
  return new Elysia({ name: 'requestLog' })
    .onRequest(({ request }) => {
      started.set(request, deps.clock.monotonic());
    })
    .onAfterResponse({ as: 'global' }, ({ request, set, responseValue }) => {
      const path = URL.parse(request.url)?.pathname ?? '';
      if (path === '/healthz') return;
      const now = deps.clock.monotonic();
      const status = responseValue instanceof Response ? responseValue.status : (set.status ?? 200);
      log.info('Request', {
        method: request.method,
        path,
        status,
        ms: Math.round(now - (started.get(request) ?? now)),
      });
    });
}
