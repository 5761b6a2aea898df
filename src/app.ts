import { Elysia, t } from 'elysia';
import type { Deps } from './deps.ts';
import { accounts } from './features/accounts/index.ts';
import { appInfo } from './features/appInfo/index.ts';
import { calls } from './features/calls/index.ts';
import { seedCalls } from './features/calls/seed.ts';
import { data } from './features/data/index.ts';
import { indicators } from './features/indicators/index.ts';
import { ingest } from './features/ingest/index.ts';
import { settings } from './features/settings/index.ts';
import { testMode } from './features/testMode/index.ts';
import { auth } from './http/auth.ts';
import { errors } from './http/errors.ts';
import { requestLog } from './http/requestLog.ts';

const health = t.Object({
  ok: t.Literal(true),
  pid: t.Integer(),
  uptimeSec: t.Number(),
  version: t.String(),
  commit: t.String(),
});

const healthz = (deps: Deps) =>
  new Elysia({ name: 'healthz' }).use(auth(deps)).get(
    '/healthz',
    () => {
      const { pid, startedAt, version, commit } = deps.about;
      const uptimeSec = Math.max(0, Math.round((deps.clock.now() - startedAt) / 1000));
      return { ok: true as const, pid, uptimeSec, version, commit };
    },
    { anyone: true, response: { 200: health } },
  );

const api = (deps: Deps) =>
  new Elysia({ name: 'api', prefix: '/api' })
    .use(appInfo(deps))
    .use(accounts(deps))
    .use(calls(deps))
    .use(data(deps))
    .use(indicators(deps))
    .use(ingest(deps))
    .use(settings(deps))
    .use(testMode(deps, [seedCalls]));

/**
 * Composes the features' routes into one application: everything under /api, and /healthz beside it.
 * It holds no HTML and opens no port, so that a test can call `handle` on it.
 */
export const createApp = (deps: Deps) =>
  // A host name of one or two letters ("http://pi/") is shorter than Elysia assumes by default.
  new Elysia({ name: 'bellbird', handler: { standardHostname: false } })
    .use(errors(deps))
    .use(requestLog(deps))
    .headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
    .use(healthz(deps))
    .use(api(deps));

export type App = ReturnType<typeof createApp>;
