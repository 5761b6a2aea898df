import { Elysia } from 'elysia';
import type { Deps } from '../../deps.ts';
import { auth } from '../../http/auth.ts';
import { notSaved, quoteSiteBody, saved, settingsView } from './model.ts';
import { readSettings, saveQuoteSite } from './service.ts';

/** GET /settings and POST /settings/quote-site (specification 7.1). */
export const settings = (deps: Deps) =>
  new Elysia({ name: 'settings', prefix: '/settings' })
    .use(auth(deps))
    .get('/', ({ user }) => readSettings(deps, user.id), { minLevel: 1, response: { 200: settingsView } })
    .post(
      '/quote-site',
      ({ user, body, status }) => {
        const error = saveQuoteSite(deps, user.id, body.site);
        return error === null ? { success: true as const } : status(400, { success: false as const, error });
      },
      { minLevel: 1, body: quoteSiteBody, response: { 200: saved, 400: notSaved } },
    );
