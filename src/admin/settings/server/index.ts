import type { App, Part } from '#platform/app.ts';
import { serve } from '#platform/http/routes.ts';
import { SERVER_SETTINGS } from '../contract.ts';
import { settingRows } from '../answers/settings.ts';

export function createServerSettings({ config, redactor }: App) {
  const rows = () =>
    settingRows(config.settings, config.replay.chosen).map((row) => ({
      ...row,
      value: row.value && redactor.text(row.value),
    }));
  const routes = () => serve(SERVER_SETTINGS, { 'GET /api/admin/settings': () => ({ settings: rows() }) });
  return { name: 'serverSettings', routes } satisfies Part;
}
