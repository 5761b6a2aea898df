import { Elysia } from 'elysia';
import type { Auth } from '#platform/http/auth.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import { SCAN_ALERTS } from '#subjects/alerts/contract.ts';
import type { ScanRehearsals } from './rehearsal.ts';
import type { ScanAlerts } from './service.ts';

const CONFLICT = 'This alert was changed in another window or a chat meanwhile. Open it again.';

/** What a scan alert told, and would have told. */
const lookingRoutes = (auth: Auth, alerts: ScanAlerts, rehearsals: ScanRehearsals) =>
  new Elysia({ name: 'scanAlerts.looking' })
    .use(auth)
    .get(
      '/scan-alerts/:id/triggers',
      ({ user, params }) => ({ triggers: alerts.triggers(user.id, params.id) }),
      { minLevel: 1, ...routeSchemas(SCAN_ALERTS['GET /api/scan-alerts/:id/triggers']) },
    )
    .post(
      '/scan-alerts/:id/mutes',
      ({ user, params, body }) => alerts.view(alerts.mute(user.id, params.id, body.symbol, body.muted)),
      { minLevel: 1, ...routeSchemas(SCAN_ALERTS['POST /api/scan-alerts/:id/mutes']) },
    )
    .post(
      '/scan-alerts/rehearse',
      ({ user, body, request }) => rehearsals.rehearse(user.id, body, request.signal),
      {
        minLevel: 1,
        ...routeSchemas(SCAN_ALERTS['POST /api/scan-alerts/rehearse']),
      },
    );

/** Alerts on whole scans. */
export const scanAlertRoutes = (auth: Auth, alerts: ScanAlerts, rehearsals: ScanRehearsals) =>
  new Elysia({ name: 'scanAlerts' })
    .use(auth)
    .get('/scan-alerts', ({ user }) => alerts.list(user.id), {
      minLevel: 1,
      ...routeSchemas(SCAN_ALERTS['GET /api/scan-alerts']),
    })
    .post('/scan-alerts', ({ user, body }) => alerts.view(alerts.create(user.id, body)), {
      minLevel: 1,
      ...routeSchemas(SCAN_ALERTS['POST /api/scan-alerts']),
    })
    .patch(
      '/scan-alerts/:id',
      ({ user, params, body, status }) => {
        const { kind, alert } = alerts.change(user.id, params.id, body);
        const view = alerts.view(alert);
        return kind === 'conflict' ? status(409, { error: CONFLICT, scan_alert: view }) : view;
      },
      { minLevel: 1, ...routeSchemas(SCAN_ALERTS['PATCH /api/scan-alerts/:id']) },
    )
    .delete(
      '/scan-alerts/:id',
      ({ user, params }) => {
        alerts.remove(user.id, params.id);
        return { success: true as const };
      },
      { minLevel: 1, ...routeSchemas(SCAN_ALERTS['DELETE /api/scan-alerts/:id']) },
    )
    .use(lookingRoutes(auth, alerts, rehearsals));
