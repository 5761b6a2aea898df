import { Elysia, t } from 'elysia';
import type { Deps } from '../../deps.ts';
import { auth } from '../../http/auth.ts';

const appInfoView = t.Object({
  test: t.Boolean(),
  donateUrl: t.Nullable(t.String()),
  version: t.String(),
  commit: t.String(),
});

/** GET /app: what this installation tells everybody. */
export const appInfo = (deps: Deps) =>
  new Elysia({ name: 'appInfo' }).use(auth(deps)).get(
    '/app',
    () => ({
      test: deps.config.testMode,
      donateUrl: deps.config.donateUrl,
      version: deps.about.version,
      commit: deps.about.commit,
    }),
    { anyone: true, response: { 200: appInfoView } },
  );
