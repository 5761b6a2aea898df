import { Elysia } from 'elysia';
import type { Redactor } from '#lib/redact.ts';
import type { Core, Part } from '#src/part.ts';
import type { Auth } from '#platform/http/auth.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import { SERVER_SETTINGS } from '../contract.ts';
import { settingRows } from '../rules/settingRows.ts';

/** The settings that the server was started with, to be read; without secrets. */
export function createServerSettings(
  { config }: Core,
  { auth, redactor }: { auth: Auth; redactor: Redactor },
) {
  const rows = () =>
    settingRows(config.settings, config.replay.chosen).map((row) => ({
      ...row,
      value: row.value && redactor.text(row.value),
    }));
  const routes = () =>
    new Elysia({ name: 'serverSettings' }).use(auth).get('/admin/settings', () => ({ settings: rows() }), {
      minLevel: 4,
      ...routeSchemas(SERVER_SETTINGS['GET /api/admin/settings']),
    });
  return { name: 'serverSettings', routes } satisfies Part;
}
