import { Elysia } from 'elysia';
import { SETTINGS } from '../contract.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import type { Auth } from '#platform/http/auth.ts';
import { refusingWith } from '#platform/http/errors.ts';
import type { Core, Part } from '#src/part.ts';
import { saveColumns } from './columns.ts';
import { columnsKind, quotePreference } from './transfer.ts';
import { readSettings, saveQuoteLink, type SettingsDeps } from './service.ts';

/** GET /settings, POST /settings/quote-site and POST /settings/table-columns (specification 7.1). */
const routesOf = (auth: Auth, deps: SettingsDeps) =>
  new Elysia({ name: 'settings', prefix: '/settings' })
    .use(auth)
    .get('/', ({ user }) => ({ ...readSettings(deps, user.id), lacksSecondFactor: user.lacksSecondFactor }), {
      minLevel: 1,
      ...routeSchemas(SETTINGS['GET /api/settings/']),
    })
    .post(
      '/quote-site',
      ({ user, body }) =>
        refusingWith({ success: false }, () => {
          saveQuoteLink(deps, user.id, body.site);
          return { success: true as const, error: null };
        }),
      { minLevel: 1, ...routeSchemas(SETTINGS['POST /api/settings/quote-site']) },
    )
    .post('/table-columns', ({ user, body }) => saveColumns(deps, user.id, body), {
      minLevel: 1,
      ...routeSchemas(SETTINGS['POST /api/settings/table-columns']),
    });

export type SettingsNeeds = Omit<SettingsDeps, 'db'> & { auth: Auth };

/** A user's own settings. */
export function createSettings({ db }: Pick<Core, 'db'>, { auth, indicators }: SettingsNeeds) {
  const deps = { db, indicators };
  return {
    name: 'settings',
    service: { transfer: columnsKind(deps), quotePreference: quotePreference(deps) },
    routes: () => routesOf(auth, deps),
  } satisfies Part;
}
