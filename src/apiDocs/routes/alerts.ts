import { t } from 'elysia';
import type { RouteDescriptions } from '../description.ts';
import { alert, alertChoice, evaluation, listedTrigger, logic, trigger } from '../schemas.ts';

const GONE = 'The alert does not exist any more.';
const LOGIC = {
  op: 'AND',
  conditions: [{ lhs: { type: 'field', key: 'last' }, op: '>', rhs: { type: 'number', value: 50 } }],
};

/** Above a price, and in a saved scan. */
const WITH_SCAN = {
  op: 'AND',
  conditions: [
    ...LOGIC.conditions,
    { lhs: { type: 'scan', id: 1 }, op: 'crosses_above', rhs: { type: 'number', value: 0.5 } },
  ],
};

/** Alerts. */
export const ALERTS: RouteDescriptions = {
  'GET /api/alerts': {
    tag: 'Alerts',
    summary: 'List the alerts',
    answer: t.Object({ alerts: t.Array(alert) }),
    example: { query: { symbol: 'BHP' } },
  },
  'POST /api/alerts': {
    tag: 'Alerts',
    summary: 'Add an alert',
    description:
      'Its symbol is put on the watchlist. What is already true fires after five seconds (`arms_in_ms`). Operators and ' +
      'operands: docs/alerts.md.',
    body: t.Object({ ...alertChoice, symbol: t.String(), logic_json: logic }),
    answer: alert,
    example: { body: { symbol: 'BHP', name: 'Breakout', persistent: true, logic_json: WITH_SCAN } },
  },
  'PATCH /api/alerts/:id': {
    tag: 'Alerts',
    summary: 'Change an alert',
    description:
      'With `version`, a change that another one came before is answered 409 with the alert as it stands.',
    body: t.Object({
      ...alertChoice,
      symbol: t.Optional(t.String()),
      logic_json: t.Optional(logic),
      snoozed_until: t.Optional(
        t.Nullable(
          t.String({ format: 'date-time', description: 'At most 24 hours ahead; null ends a snooze.' }),
        ),
      ),
      version: t.Optional(t.Integer()),
    }),
    answer: alert,
    refusals: { 404: GONE, 409: 'The alert was changed meanwhile.' },
    refusalForms: { 409: t.Object({ error: t.String(), alert }) },
    example: { params: { id: '1' }, body: { active: false } },
  },
  'POST /api/alerts/:id/undo': {
    tag: 'Alerts',
    summary: 'Take back a change that would fire at once',
    description:
      'As long as the alert has `arms_in_ms`. It goes on with the conditions it had, or is switched off where it was new or ' +
      'off before.',
    body: t.Object({ version: t.Optional(t.Integer()) }),
    answer: alert,
    refusals: { 404: GONE, 409: 'The alert is armed already, or was changed meanwhile.' },
    refusalForms: { 409: t.Object({ error: t.String(), alert }) },
    example: { params: { id: '1' }, body: { version: 1 } },
  },
  'DELETE /api/alerts/:id': {
    tag: 'Alerts',
    summary: 'Delete an alert',
    refusals: { 404: GONE },
    example: { params: { id: '1' } },
  },
  'GET /api/alerts/:id/evaluation': {
    tag: 'Alerts',
    summary: 'See what the conditions of an alert see now',
    answer: evaluation,
    refusals: { 404: GONE },
    example: { params: { id: '1' } },
  },
  'GET /api/alerts/:id/triggers': {
    tag: 'Alerts',
    summary: 'See when an alert fired',
    answer: t.Object({ triggers: t.Array(trigger) }),
    refusals: { 404: GONE },
    example: { params: { id: '1' } },
  },
  'GET /api/alerts/triggers': {
    tag: 'Alerts',
    summary: 'See when all alerts fired, those on whole scans too',
    description:
      'Newest first, 50 at once or `limit`, at most 100. `next` is the `before` of the next page, null on the last one.',
    answer: t.Object({ triggers: t.Array(listedTrigger), next: t.Nullable(t.String()) }),
    example: { query: { limit: '20' } },
  },
  'POST /api/alerts/rehearse': {
    tag: 'Alerts',
    summary: 'Try conditions on the past of a stock',
    body: t.Object({ symbol: t.String(), logic_json: logic }),
    refusals: {
      429: 'A newer rehearsal of the same user took its place, or too many in a minute.',
      503: 'Much waits to be read, of all callers.',
    },
    example: { body: { symbol: 'BHP', logic_json: LOGIC } },
  },
  'GET /api/user/alerts/stream': {
    tag: 'Alerts',
    summary: 'Follow your alerts live',
    description:
      'Server-sent events: `alert_triggered`, `alert_changed`, `scan_alert_triggered`, `scan_alert_changed`, `calls_changed` (your own) and `ping`. Who names the `id` of the last event gets the triggers of the last day since then, of alerts on stocks and on scans, at most 20 each. An `EventSource` sends no headers, so the token ' +
      'may stand in the query as `token`; it is written down nowhere.',
    answerType: 'text/event-stream',
    refusals: {
      429: 'As many streams are open as this server allows, or too many were opened from the address in a minute.',
      503: 'The server is stopping.',
    },
    example: {},
  },
};
