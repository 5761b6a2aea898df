import { boolean, numeric, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { byRules, sent } from '#lib/contract/requests.ts';
import { NOT_IN_LIVE_LIST } from '#market/rules/liveSymbols.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { logic } from '../conditions/answers/logic.ts';
import {
  alert,
  alertConflict,
  alertsAnswer,
  evaluation,
  triggerPage,
  triggersAnswer,
} from './answers/alert.ts';
import { alertChoice, changeOnly, version } from './answers/alertChoice.ts';
import { membersOf, SCAN_OPTIONS, STOCK_OPTIONS } from './answers/options.ts';
import { backtest } from './answers/backtest.ts';
import {
  scanAlert,
  scanAlertConflict,
  scanAlertsAnswer,
  scanBacktest,
  scanTriggersAnswer,
  watchedScan,
} from './answers/scanAlert.ts';
import { removedAnswer } from './answers/watchlist.ts';
import { MAX_TRIGGERS_AT_ONCE, PLACE_FORM } from './rules/trigger.ts';

export { ALERT_ATTENTION } from './answers/attention.ts';

const params = object({ id: numeric });
const example = { params: { id: '1' } };

const GONE = 'The alert no longer exists.';
const ofAlert = { tag: 'Alerts', params, refusals: { 404: GONE }, example } as const;
const LOGIC = {
  op: 'AND',
  conditions: [{ lhs: { type: 'field', key: 'last' }, op: '>', rhs: { type: 'number', value: 50 } }],
};
/** Example conditions: above a price, and in a saved scan. */
const WITH_SCAN = {
  op: 'AND',
  conditions: [
    ...LOGIC.conditions,
    { lhs: { type: 'scan', id: 1 }, op: 'crosses_above', rhs: { type: 'number', value: 0.5 } },
  ],
};

const chosen = alertChoice(STOCK_OPTIONS);

/** Alerts on stocks, and the stream of all alerts. */
export const ALERTS = {
  'GET /api/alerts': {
    access: 1,
    tag: 'Alerts',
    summary: 'List alerts',
    query: object({ symbol: optional(sent(text, { maxLength: 40 })) }),
    answer: alertsAnswer,
    example: { query: { symbol: 'BHP' } },
  },
  'POST /api/alerts': {
    access: 1,
    tag: 'Alerts',
    summary: 'Add an alert',
    description:
      'The symbol is added to the watchlist. If the conditions already hold, the alert fires after `arms_in_ms` (see docs/alert-rules.md).',
    body: object({
      ...chosen,
      symbol: sent(text, { default: '', maxLength: 40, error: NOT_IN_LIVE_LIST }, {}),
      logic_json: byRules(logic),
    }),
    answer: alert,
    example: { body: { symbol: 'BHP', name: 'Breakout', persistent: true, logic_json: WITH_SCAN } },
  },
  'PATCH /api/alerts/:id': {
    access: 1,
    ...ofAlert,
    summary: 'Change an alert',
    description: 'Send `version` to detect conflicts: a stale version returns 409 with the current alert.',
    body: object({
      ...chosen,
      symbol: optional(sent(text, { maxLength: 40, error: NOT_IN_LIVE_LIST }, {})),
      logic_json: byRules(optional(logic)),
      ...changeOnly,
    }),
    answer: alert,
    refusals: { 404: GONE, 409: 'The alert was changed in the meantime.' },
    refusalForms: { 409: alertConflict },
    example: { ...example, body: { active: false } },
  },
  'POST /api/alerts/:id/undo': {
    access: 1,
    ...ofAlert,
    summary: 'Undo a change before the alert fires',
    description:
      'Works while the alert has `arms_in_ms`. The previous conditions return, or the alert is switched off if it was new or off.',
    body: object({ version }),
    answer: alert,
    refusals: { 404: GONE, 409: 'The undo window has ended, or the alert was changed in the meantime.' },
    refusalForms: { 409: alertConflict },
    example: { ...example, body: { version: 1 } },
  },
  'DELETE /api/alerts/:id': {
    access: 1,
    ...ofAlert,
    summary: 'Delete an alert',
    answer: removedAnswer,
  },
  'GET /api/alerts/:id/evaluation': {
    access: 1,
    ...ofAlert,
    summary: 'Read the current values of an alert’s conditions',
    answer: evaluation,
  },
  'GET /api/alerts/:id/triggers': {
    access: 1,
    ...ofAlert,
    summary: 'List triggers of an alert',
    answer: triggersAnswer,
  },
  'GET /api/alerts/triggers': {
    access: 1,
    tag: 'Alerts',
    summary: 'List triggers of all alerts',
    description: 'Newest first, 50 by default and at most 100. Pass `next` as `before` to get the next page.',
    query: object({
      before: optional(
        sent(text, {
          maxLength: 40,
          pattern: PLACE_FORM.source,
          error: '`before` is not a valid cursor.',
        }),
      ),
      limit: optional(
        sent(numeric, {
          minimum: 1,
          maximum: MAX_TRIGGERS_AT_ONCE,
          multipleOf: 1,
          error: `The limit must be a whole number from 1 to ${MAX_TRIGGERS_AT_ONCE}.`,
        }),
      ),
    }),
    answer: triggerPage,
    example: { query: { limit: '20' } },
  },
  'POST /api/alerts/rehearse': {
    access: 1,
    tag: 'Alerts',
    summary: 'Backtest conditions on a stock',
    body: object({
      symbol: sent(text, { maxLength: 20, error: 'Symbol is required' }, {}),
      logic_json: byRules(logic),
      cooldown_minutes: STOCK_OPTIONS.cooldownMinutes.chosen,
    }),
    answer: backtest,
    refusals: {
      429: 'Too many backtests in one minute.',
      503: 'The server is busy with other requests.',
    },
    example: { body: { symbol: 'BHP', logic_json: LOGIC, cooldown_minutes: 30 } },
  },
  'GET /api/user/alerts/stream': {
    access: 1,
    isStream: true,
    tag: 'Alerts',
    summary: 'Follow your alerts live',
    description:
      'Server-sent events `alert_triggered`, `alert_changed`, `scan_alert_triggered`, `scan_alert_changed`, `calls_changed`, `set_up_changed` and `ping`; `Last-Event-ID` returns missed triggers of one day, at most 20 of each kind. `EventSource` sends no headers, so the token can be sent in the query as `token`.',
    answer: null,
    answerType: 'text/event-stream',
    refusals: {
      429: 'Too many open streams for this address or account, or too many opened in one minute.',
      503: 'The server has no free stream, or is stopping.',
    },
    example: {},
  },
} as const satisfies RouteContracts;

/** Options of a scan alert that a backtest uses. */
const backtestedScan = (({ event, scope, cooldown_minutes, day_maximum }) => ({
  event,
  scope,
  cooldown_minutes,
  day_maximum,
}))(membersOf(SCAN_OPTIONS, 'chosen'));
const scanAlertChoice = alertChoice(SCAN_OPTIONS);

const SCAN_GONE = 'The scan alert no longer exists.';
const ofScanAlert = { tag: 'Alerts', params, refusals: { 404: SCAN_GONE }, example } as const;
const MOVERS = { type: 'scanner', key: 'intraDayMidLarge' };

export const SCAN_ALERTS = {
  'GET /api/scan-alerts': {
    access: 1,
    tag: 'Alerts',
    summary: 'List scan alerts',
    description: '`limit` is the number of active scan alerts in your plan.',
    answer: scanAlertsAnswer,
    example: {},
  },
  'POST /api/scan-alerts': {
    access: 1,
    tag: 'Alerts',
    summary: 'Add a scan alert',
    description: 'It fires when a stock enters or leaves a scanner or a saved scan. See docs/alert-rules.md.',
    body: object({ ...scanAlertChoice, scan: byRules(watchedScan) }),
    answer: scanAlert,
    example: {
      body: { name: 'Movers', scan: MOVERS, event: 'enters', scope: 'market', cooldown_minutes: 30 },
    },
  },
  'PATCH /api/scan-alerts/:id': {
    access: 1,
    ...ofScanAlert,
    summary: 'Change a scan alert',
    description: 'Send `version` to detect conflicts: a stale version returns 409 with the current alert.',
    body: object({
      ...scanAlertChoice,
      scan: byRules(optional(watchedScan)),
      ...changeOnly,
    }),
    answer: scanAlert,
    refusals: { 404: SCAN_GONE, 409: 'The alert was changed in the meantime.' },
    refusalForms: { 409: scanAlertConflict },
    example: { ...example, body: { active: false } },
  },
  'DELETE /api/scan-alerts/:id': {
    access: 1,
    ...ofScanAlert,
    summary: 'Delete a scan alert',
    answer: removedAnswer,
  },
  'GET /api/scan-alerts/:id/triggers': {
    access: 1,
    ...ofScanAlert,
    summary: 'List triggers of a scan alert',
    answer: scanTriggersAnswer,
  },
  'POST /api/scan-alerts/:id/mutes': {
    access: 1,
    ...ofScanAlert,
    summary: 'Mute or unmute a stock for this session',
    body: object({
      symbol: sent(text, { maxLength: 20, error: 'Symbol is required' }, {}),
      muted: sent(boolean, { error: '`muted` must be true or false.' }, {}),
    }),
    answer: scanAlert,
    example: { ...example, body: { symbol: 'BHP', muted: true } },
  },
  'POST /api/scan-alerts/rehearse': {
    access: 1,
    tag: 'Alerts',
    summary: 'Backtest a scan alert',
    body: object({ ...backtestedScan, scan: byRules(watchedScan) }),
    answer: scanBacktest,
    refusals: { 429: 'Too many backtests in one minute.' },
    example: { body: { scan: MOVERS } },
  },
} as const satisfies RouteContracts;
