import type { TriggerKind } from '#platform/outbox/rules/delivery.ts';
import { serve } from '#platform/http/routes.ts';
import { ALERTS, SCAN_ALERTS } from '../contract.ts';
import { boundBehind, readPlace, triggerPage, TRIGGERS_AT_ONCE } from '../rules/trigger.ts';
import type { ScanAlerts } from './scanAlerts/service.ts';
import type { Alerts } from './service.ts';
import type { Backtests } from './backtest/service.ts';

export function triggerRoutes(alerts: Alerts, scanAlerts: ScanAlerts) {
  function page(userId: number, before: string | undefined, limit: number) {
    const place = before === undefined ? null : readPlace(before);
    const bound = (kind: TriggerKind) => boundBehind(place, kind);
    // One more than the limit shows whether there are further pages.
    const found = [
      ...alerts.listedTriggers(userId, bound('alert'), limit + 1),
      ...scanAlerts.listedTriggers(userId, bound('scan'), limit + 1),
    ];
    return triggerPage(found, limit);
  }
  return serve(ALERTS, {
    'GET /api/alerts/triggers': ({ user, query: { before, limit = TRIGGERS_AT_ONCE } }) =>
      page(user.id, before, limit),
  });
}

const SCAN_CONFLICT = 'This alert was changed in another window or a chat. Open it again.';

const scanLookingRoutes = (alerts: ScanAlerts, backtests: Backtests) =>
  serve(SCAN_ALERTS, {
    'GET /api/scan-alerts/:id/triggers': ({ user, params }) => ({
      triggers: alerts.triggers(user.id, params.id),
    }),
    'POST /api/scan-alerts/:id/mutes': ({ user, params, body }) =>
      alerts.view(alerts.mute(user.id, params.id, body.symbol, body.muted)),
    'POST /api/scan-alerts/rehearse': ({ user, body, request }) =>
      backtests.backtestScan(user.id, body, request.signal),
  });

export const scanAlertRoutes = (alerts: ScanAlerts, backtests: Backtests) => [
  ...serve(SCAN_ALERTS, {
    'GET /api/scan-alerts': ({ user }) => alerts.list(user.id),
    'POST /api/scan-alerts': ({ user, body }) => alerts.view(alerts.create(user.id, body)),
    'PATCH /api/scan-alerts/:id': ({ user, params, body, status }) => {
      const { kind, alert } = alerts.change(user.id, params.id, body);
      const view = alerts.view(alert);
      return kind === 'conflict' ? status(409, { error: SCAN_CONFLICT, scan_alert: view }) : view;
    },
    'DELETE /api/scan-alerts/:id': ({ user, params }) => {
      alerts.remove(user.id, params.id);
      return { success: true as const };
    },
  }),
  ...scanLookingRoutes(alerts, backtests),
];

const CONFLICT = 'This alert was changed in another window or a chat.';
const LATE = 'Too late to undo: this alert is already active.';
const MAX_TRIGGERS = 20;

const backtestRoutes = (backtests: Backtests) =>
  serve(ALERTS, {
    'POST /api/alerts/rehearse': ({ user, body, request }) =>
      backtests.runBacktest(user.id, body, request.signal),
  });

const checkRoutes = (alerts: Alerts) =>
  serve(ALERTS, {
    'GET /api/alerts/:id/evaluation': ({ user, params }) => {
      const { at, ...evaluation } = alerts.evaluation(user.id, params.id);
      return { ...evaluation, at: at === null ? null : new Date(at).toISOString() };
    },
    'GET /api/alerts/:id/triggers': ({ user, params }) => ({
      triggers: alerts.triggerViews(alerts.triggers(user.id, params.id, MAX_TRIGGERS)),
    }),
  });

const changingRoutes = (alerts: Alerts) =>
  serve(ALERTS, {
    'PATCH /api/alerts/:id': ({ user, params, body, status }) => {
      const { kind, alert } = alerts.change(user.id, params.id, body);
      const view = alerts.view(alert);
      return kind === 'changed' ? view : status(409, { error: CONFLICT, alert: view });
    },
    'POST /api/alerts/:id/undo': ({ user, params, body, status }) => {
      const { kind, alert } = alerts.undo(user.id, params.id, body.version);
      const view = alerts.view(alert);
      return kind === 'changed'
        ? view
        : status(409, { error: kind === 'late' ? LATE : CONFLICT, alert: view });
    },
  });

export const alertRoutes = (alerts: Alerts, backtests: Backtests) => [
  ...serve(ALERTS, {
    'GET /api/alerts': ({ user, query }) => ({ alerts: alerts.listViews(user.id, query.symbol) }),
    'POST /api/alerts': ({ user, body }) => alerts.view(alerts.create(user.id, body)),
    'DELETE /api/alerts/:id': ({ user, params }) => {
      alerts.remove(user.id, params.id);
      return { success: true as const };
    },
  }),
  ...changingRoutes(alerts),
  ...checkRoutes(alerts),
  ...backtestRoutes(backtests),
];
