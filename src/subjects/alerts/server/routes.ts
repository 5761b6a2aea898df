import { serve } from '#platform/http/routes.ts';
import { ALERTS } from '../contract.ts';
import type { Rehearsals } from './rehearsal/service.ts';
import type { Alerts } from './service.ts';

const CONFLICT = 'This alert was changed meanwhile, in another window or by a chat.';
const LATE = 'Too late to undo: this alert is armed.';
/** How many triggers are shown of an alert. */
const MAX_TRIGGERS = 20;

/** Trying conditions on the past, before they are saved. */
const rehearsalRoutes = (rehearsals: Rehearsals) =>
  serve(ALERTS, { 'POST /api/alerts/rehearse': ({ user, body }) => rehearsals.rehearse(user.id, body) });

/** Looking at alerts: whether they hold now, and when they fired. */
const lookingRoutes = (alerts: Alerts) =>
  serve(ALERTS, {
    'GET /api/alerts/:id/evaluation': ({ user, params }) => {
      const { at, ...evaluation } = alerts.evaluation(user.id, params.id);
      return { ...evaluation, at: at === null ? null : new Date(at).toISOString() };
    },
    'GET /api/alerts/:id/triggers': ({ user, params }) => ({
      triggers: alerts.triggerViews(alerts.triggers(user.id, params.id, MAX_TRIGGERS)),
    }),
  });

/** Changing an alert, and taking a change back. */
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

/** Alerts (specification 7.4). */
export const alertRoutes = (alerts: Alerts, rehearsals: Rehearsals) => [
  ...serve(ALERTS, {
    'GET /api/alerts': ({ user, query }) => ({ alerts: alerts.listViews(user.id, query.symbol) }),
    'POST /api/alerts': ({ user, body }) => alerts.view(alerts.create(user.id, body)),
    'DELETE /api/alerts/:id': ({ user, params }) => {
      alerts.remove(user.id, params.id);
      return { success: true as const };
    },
  }),
  ...changingRoutes(alerts),
  ...lookingRoutes(alerts),
  ...rehearsalRoutes(rehearsals),
];
