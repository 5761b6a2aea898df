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
import { alertChoice, changeOnly, versionOf } from './answers/alertChoice.ts';
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

const GONE = 'The alert does not exist any more.';
const ofAlert = { tag: 'Alerts', params, refusals: { 404: GONE }, example } as const;
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

const chosen = alertChoice(STOCK_OPTIONS, 'An alert');

/** Alerts on a stock, and the stream that tells of all alerts. */
export const ALERTS = {
  'GET /api/alerts': {
    access: 1,
    tag: 'Alerts',
    summary: 'List the alerts',
    query: object({ symbol: optional(sent(text, { maxLength: 40 })) }),
    answer: alertsAnswer,
    example: { query: { symbol: 'BHP' } },
  },
  'POST /api/alerts': {
    access: 1,
    tag: 'Alerts',
    summary: 'Add an alert',
    description:
      'Its symbol is put on the watchlist. What is already true fires after five seconds (`arms_in_ms`). Operators and ' +
      'operands: docs/alert-rules.md.',
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
    description:
      'With `version`, a change that another one came before is answered 409 with the alert as it stands.',
    body: object({
      ...chosen,
      symbol: optional(sent(text, { maxLength: 40, error: NOT_IN_LIVE_LIST }, {})),
      logic_json: byRules(optional(logic)),
      ...changeOnly('an alert'),
    }),
    answer: alert,
    refusals: { 404: GONE, 409: 'The alert was changed meanwhile.' },
    refusalForms: { 409: alertConflict },
    example: { ...example, body: { active: false } },
  },
  'POST /api/alerts/:id/undo': {
    access: 1,
    ...ofAlert,
    summary: 'Take back a change that would fire at once',
    description:
      'As long as the alert has `arms_in_ms`. It goes on with the conditions it had, or is switched off where it was new or ' +
      'off before.',
    body: object({ version: versionOf('an alert') }),
    answer: alert,
    refusals: { 404: GONE, 409: 'The alert is armed already, or was changed meanwhile.' },
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
    summary: 'See what the conditions of an alert see now',
    answer: evaluation,
  },
  'GET /api/alerts/:id/triggers': {
    access: 1,
    ...ofAlert,
    summary: 'See when an alert fired',
    answer: triggersAnswer,
  },
  'GET /api/alerts/triggers': {
    access: 1,
    tag: 'Alerts',
    summary: 'See when all alerts fired, those on whole scans too',
    description:
      'Newest first, 50 at once or `limit`, at most 100. `next` is the `before` of the next page, null on the last one.',
    query: object({
      before: optional(
        sent(text, {
          maxLength: 40,
          pattern: PLACE_FORM.source,
          error: 'A page begins where the one before says.',
        }),
      ),
      limit: optional(
        sent(numeric, {
          minimum: 1,
          maximum: MAX_TRIGGERS_AT_ONCE,
          multipleOf: 1,
          error: `The limit is a whole number from 1 to ${MAX_TRIGGERS_AT_ONCE}.`,
        }),
      ),
    }),
    answer: triggerPage,
    example: { query: { limit: '20' } },
  },
  'POST /api/alerts/rehearse': {
    access: 1,
    tag: 'Alerts',
    summary: 'Try conditions on the past of a stock',
    body: object({
      symbol: sent(text, { maxLength: 20, error: 'Symbol is required' }, {}),
      logic_json: byRules(logic),
      cooldown_minutes: STOCK_OPTIONS.cooldownMinutes.chosen,
    }),
    answer: backtest,
    refusals: {
      429: 'A newer backtest of the same user took its place, or too many in a minute.',
      503: 'Much waits to be read, of all callers.',
    },
    example: { body: { symbol: 'BHP', logic_json: LOGIC, cooldown_minutes: 30 } },
  },
  'GET /api/user/alerts/stream': {
    access: 1,
    isStream: true,
    tag: 'Alerts',
    summary: 'Follow your alerts live',
    description:
      'Server-sent events: `alert_triggered`, `alert_changed`, `scan_alert_triggered`, `scan_alert_changed`, `calls_changed` (your own), `set_up_changed` (your settings, by a file) and `ping`. Who names the `id` of the last event gets the triggers of the last day since then, of alerts on stocks and on scans, at most 20 each. An `EventSource` sends no headers, so the token ' +
      'may stand in the query as `token`; it is written down nowhere.',
    answer: null,
    answerType: 'text/event-stream',
    refusals: {
      429: 'As many streams are open as an address or account may have, or too many were opened in a minute.',
      503: 'The server has as many streams open as it serves, or is stopping.',
    },
    example: {},
  },
} as const satisfies RouteContracts;

/** What a person chooses of an alert on a whole scan that is rehearsed. */
const backtestedScan = (({ event, scope, cooldown_minutes, day_maximum }) => ({
  event,
  scope,
  cooldown_minutes,
  day_maximum,
}))(membersOf(SCAN_OPTIONS, 'chosen'));
const scanAlertChoice = alertChoice(SCAN_OPTIONS, 'A scan alert');

const SCAN_GONE = 'The scan alert does not exist any more.';
const ofScanAlert = { tag: 'Alerts', params, refusals: { 404: SCAN_GONE }, example } as const;
const MOVERS = { type: 'scanner', key: 'intraDayMidLarge' };

/** Alerts on whole scans. */
export const SCAN_ALERTS = {
  'GET /api/scan-alerts': {
    access: 1,
    tag: 'Alerts',
    summary: 'List the alerts on whole scans',
    description: '`limit`: how many may be on by your plan.',
    answer: scanAlertsAnswer,
    example: {},
  },
  'POST /api/scan-alerts': {
    access: 1,
    tag: 'Alerts',
    summary: 'Add an alert on a whole scan',
    description:
      'It fires for every stock that enters (or leaves) a scanner or one of your saved scans, `{"type": "scan", "id": 7}`, within its limits: docs/alert-rules.md.',
    body: object({ ...scanAlertChoice, scan: byRules(watchedScan) }),
    answer: scanAlert,
    example: {
      body: { name: 'Movers', scan: MOVERS, event: 'enters', scope: 'market', cooldown_minutes: 30 },
    },
  },
  'PATCH /api/scan-alerts/:id': {
    access: 1,
    ...ofScanAlert,
    summary: 'Change an alert on a whole scan',
    description:
      'With `version`, a change that another one came before is answered 409 with the alert as it stands. `snoozed_until` is at most 24 hours ahead.',
    body: object({
      ...scanAlertChoice,
      scan: byRules(optional(watchedScan)),
      ...changeOnly('a scan alert'),
    }),
    answer: scanAlert,
    refusals: { 404: SCAN_GONE, 409: 'The alert was changed meanwhile.' },
    refusalForms: { 409: scanAlertConflict },
    example: { ...example, body: { active: false } },
  },
  'DELETE /api/scan-alerts/:id': {
    access: 1,
    ...ofScanAlert,
    summary: 'Delete an alert on a whole scan',
    answer: removedAnswer,
  },
  'GET /api/scan-alerts/:id/triggers': {
    access: 1,
    ...ofScanAlert,
    summary: 'See which stocks an alert on a whole scan told',
    answer: scanTriggersAnswer,
  },
  'POST /api/scan-alerts/:id/mutes': {
    access: 1,
    ...ofScanAlert,
    summary: 'Have a stock not told in this session, or told again',
    body: object({
      symbol: sent(text, { maxLength: 20, error: 'Symbol is required' }, {}),
      muted: sent(
        boolean,
        { error: 'Say with true or false whether the stock is not to be told today.' },
        {},
      ),
    }),
    answer: scanAlert,
    example: { ...example, body: { symbol: 'BHP', muted: true } },
  },
  'POST /api/scan-alerts/rehearse': {
    access: 1,
    tag: 'Alerts',
    summary: 'Try an alert on a whole scan on the days of the past',
    body: object({ ...backtestedScan, scan: byRules(watchedScan) }),
    answer: scanBacktest,
    refusals: { 429: 'A newer backtest of the same user took its place.' },
    example: { body: { scan: MOVERS } },
  },
} as const satisfies RouteContracts;
