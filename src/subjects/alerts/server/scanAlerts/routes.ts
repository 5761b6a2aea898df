import { serve } from '#platform/http/routes.ts';
import { SCAN_ALERTS } from '#subjects/alerts/contract.ts';
import type { Rehearsals } from '../rehearsal/service.ts';
import type { ScanAlerts } from './service.ts';

const CONFLICT = 'This alert was changed in another window or a chat meanwhile. Open it again.';

/** What a scan alert told, and would have told. */
const lookingRoutes = (alerts: ScanAlerts, rehearsals: Rehearsals) =>
  serve(SCAN_ALERTS, {
    'GET /api/scan-alerts/:id/triggers': ({ user, params }) => ({
      triggers: alerts.triggers(user.id, params.id),
    }),
    'POST /api/scan-alerts/:id/mutes': ({ user, params, body }) =>
      alerts.view(alerts.mute(user.id, params.id, body.symbol, body.muted)),
    'POST /api/scan-alerts/rehearse': ({ user, body, request }) =>
      rehearsals.rehearseScan(user.id, body, request.signal),
  });

/** Alerts on whole scans. */
export const scanAlertRoutes = (alerts: ScanAlerts, rehearsals: Rehearsals) => [
  ...serve(SCAN_ALERTS, {
    'GET /api/scan-alerts': ({ user }) => alerts.list(user.id),
    'POST /api/scan-alerts': ({ user, body }) => alerts.view(alerts.create(user.id, body)),
    'PATCH /api/scan-alerts/:id': ({ user, params, body, status }) => {
      const { kind, alert } = alerts.change(user.id, params.id, body);
      const view = alerts.view(alert);
      return kind === 'conflict' ? status(409, { error: CONFLICT, scan_alert: view }) : view;
    },
    'DELETE /api/scan-alerts/:id': ({ user, params }) => {
      alerts.remove(user.id, params.id);
      return { success: true as const };
    },
  }),
  ...lookingRoutes(alerts, rehearsals),
];
