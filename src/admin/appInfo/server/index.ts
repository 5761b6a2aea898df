import { Elysia, t } from 'elysia';
import type { About } from '../../../about.ts';
import type { Auth } from '../../../platform/http/auth.ts';
import type { Core, Part } from '../../../part.ts';

const appInfoView = t.Object({
  test: t.Boolean(),
  donateUrl: t.Nullable(t.String()),
  /** Whether summaries and questions can be had. */
  hasModel: t.Boolean(),
  version: t.String(),
  commit: t.String(),
});

export type AppInfoCore = { config: Pick<Core['config'], 'testMode' | 'donateUrl' | 'ai'> };
export type AppInfoNeeds = { auth: Auth; about: Pick<About, 'version' | 'commit'> };

const routesOf = ({ config }: AppInfoCore, { auth, about }: AppInfoNeeds) =>
  new Elysia({ name: 'appInfo' }).use(auth).get(
    '/app',
    () => ({
      test: config.testMode,
      donateUrl: config.donateUrl,
      hasModel: config.ai.url !== null && config.ai.model !== null,
      version: about.version,
      commit: about.commit,
    }),
    { anyone: true, response: { 200: appInfoView } },
  );

/** GET /app: which program this is, and what its operator has set that every page needs. */
export const createAppInfo = (core: AppInfoCore, needs: AppInfoNeeds) =>
  ({ name: 'appInfo', routes: () => routesOf(core, needs) }) satisfies Part;
