import { Elysia } from 'elysia';
import type { About } from '#platform/install/about.ts';
import type { Auth } from '#platform/http/auth.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import { APP_INFO } from '../contract.ts';
import type { Core, Part } from '#src/part.ts';

export type AppInfoNeeds = { auth: Auth; about: Pick<About, 'version' | 'commit'> };

const routesOf = ({ config }: Core, { auth, about }: AppInfoNeeds) =>
  new Elysia({ name: 'appInfo' }).use(auth).get(
    '/app',
    () => ({
      test: config.testMode,
      donateUrl: config.donateUrl,
      hasModel: config.ai.url !== null && config.ai.model !== null,
      version: about.version,
      commit: about.commit,
    }),
    { anyone: true, ...routeSchemas(APP_INFO['GET /api/app']) },
  );

/** GET /app: which program this is, and what its operator has set that every page needs. */
export const createAppInfo = (core: Core, needs: AppInfoNeeds) =>
  ({ name: 'appInfo', routes: () => routesOf(core, needs) }) satisfies Part;
