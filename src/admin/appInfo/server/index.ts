import { serve } from '#platform/http/routes.ts';
import { APP_INFO } from '../contract.ts';
import type { App, Part } from '#platform/app.ts';

const routesOf = ({ config, about }: App) =>
  serve(APP_INFO, {
    'GET /api/app': () => ({
      test: config.testMode,
      donateUrl: config.donateUrl,
      visitorScanner: config.visitorScanner,
      shortCalls: config.shortCalls,
      hasModel: config.ai.url !== null && config.ai.model !== null,
      version: about.version,
      commit: about.commit,
    }),
  });

/** GET /app: the program's version, and the operator's settings that every page needs. */
export const createAppInfo = (app: App) => ({ name: 'appInfo', routes: () => routesOf(app) }) satisfies Part;
