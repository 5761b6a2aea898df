import { Elysia } from 'elysia';
import type { Auth } from '#platform/http/auth.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import { ALERTS } from '../contract.ts';
import type { Rehearsals } from './rehearsal/service.ts';
import type { Alerts } from './service.ts';

const CONFLICT = 'This alert was changed meanwhile, in another window or by a chat.';
const LATE = 'Too late to undo: this alert is armed.';
/** How many triggers are shown of an alert. */
const MAX_TRIGGERS = 20;

/** Trying conditions on the past, before they are saved. */
const rehearsalRoutes = (auth: Auth, rehearsals: Rehearsals) =>
  new Elysia({ name: 'alerts.rehearsal' })
    .use(auth)
    .post('/alerts/rehearse', ({ user, body }) => rehearsals.rehearse(user.id, body), {
      minLevel: 1,
      ...routeSchemas(ALERTS['POST /api/alerts/rehearse']),
    });

/** Looking at alerts: whether they hold now, and when they fired. */
const lookingRoutes = (auth: Auth, alerts: Alerts) =>
  new Elysia({ name: 'alerts.looking' })
    .use(auth)
    .get(
      '/alerts/:id/evaluation',
      ({ user, params }) => {
        const { at, ...evaluation } = alerts.evaluation(user.id, params.id);
        return { ...evaluation, at: at === null ? null : new Date(at).toISOString() };
      },
      { minLevel: 1, ...routeSchemas(ALERTS['GET /api/alerts/:id/evaluation']) },
    )
    .get(
      '/alerts/:id/triggers',
      ({ user, params }) => ({
        triggers: alerts.triggerViews(alerts.triggers(user.id, params.id, MAX_TRIGGERS)),
      }),
      { minLevel: 1, ...routeSchemas(ALERTS['GET /api/alerts/:id/triggers']) },
    );

/** Changing an alert, and taking a change back. */
const changingRoutes = (auth: Auth, alerts: Alerts) =>
  new Elysia({ name: 'alerts.changing' })
    .use(auth)
    .patch(
      '/alerts/:id',
      ({ user, params, body, status }) => {
        const { kind, alert } = alerts.change(user.id, params.id, body);
        const view = alerts.view(alert);
        return kind === 'changed' ? view : status(409, { error: CONFLICT, alert: view });
      },
      { minLevel: 1, ...routeSchemas(ALERTS['PATCH /api/alerts/:id']) },
    )
    .post(
      '/alerts/:id/undo',
      ({ user, params, body, status }) => {
        const { kind, alert } = alerts.undo(user.id, params.id, body.version);
        const view = alerts.view(alert);
        return kind === 'changed'
          ? view
          : status(409, { error: kind === 'late' ? LATE : CONFLICT, alert: view });
      },
      { minLevel: 1, ...routeSchemas(ALERTS['POST /api/alerts/:id/undo']) },
    );

/** Alerts (specification 7.4). */
export const alertRoutes = (auth: Auth, alerts: Alerts, rehearsals: Rehearsals) =>
  new Elysia({ name: 'alerts' })
    .use(auth)
    .get('/alerts', ({ user, query }) => ({ alerts: alerts.listViews(user.id, query.symbol) }), {
      minLevel: 1,
      ...routeSchemas(ALERTS['GET /api/alerts']),
    })
    .post('/alerts', ({ user, body }) => alerts.view(alerts.create(user.id, body)), {
      minLevel: 1,
      ...routeSchemas(ALERTS['POST /api/alerts']),
    })
    .delete(
      '/alerts/:id',
      ({ user, params }) => {
        alerts.remove(user.id, params.id);
        return { success: true as const };
      },
      { minLevel: 1, ...routeSchemas(ALERTS['DELETE /api/alerts/:id']) },
    )
    .use(changingRoutes(auth, alerts))
    .use(lookingRoutes(auth, alerts))
    .use(rehearsalRoutes(auth, rehearsals));
