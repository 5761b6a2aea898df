import type { About } from '#platform/install/about.ts';
import { serve } from '#platform/http/routes.ts';
import { APP_INFO } from '../contract.ts';
import type { App, Part } from '#platform/app.ts';

export type AppInfoNeeds = { about: Pick<About, 'version' | 'commit'> };

const routesOf = ({ config }: App, { about }: AppInfoNeeds) =>
  serve(APP_INFO, {
    'GET /api/app': () => ({
      test: config.testMode,
      donateUrl: config.donateUrl,
      hasModel: config.ai.url !== null && config.ai.model !== null,
      version: about.version,
      commit: about.commit,
    }),
  });

/** GET /app: which program this is, and what its operator has set that every page needs. */
export const createAppInfo = (app: App, needs: AppInfoNeeds) =>
  ({ name: 'appInfo', routes: () => routesOf(app, needs) }) satisfies Part;
