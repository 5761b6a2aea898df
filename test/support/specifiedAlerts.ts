import { addedAnswer, itemsAnswer, removedAnswer } from '../../src/subjects/alerts/answers/watchlist.ts';
import type { Wire } from '../../src/lib/contract/fields.ts';
import { bareAnswer } from './contractAnswers.ts';

/** The answers of the watchlist and of alerts, with just the members that the specification names; see `specifiedAnswers.ts`. */

const ALERT = {
  id: 7,
  symbol: 'BHP',
  active: true,
  persistent: false,
  logic_json: {
    op: 'AND',
    conditions: [
      { lhs: { type: 'field', key: 'last' }, op: '>', rhs: { type: 'number', value: 50 } },
      {
        lhs: {
          type: 'indicator',
          key: 'rsi_14',
          family: 'rsi',
          params: { Length: '14' },
          tf: '60',
          timeframes: ['60', 'D'],
        },
        op: 'crosses_above',
        rhs: 'close',
      },
    ],
  },
  destinations: { telegram: true },
  last_triggered_at: '2026-11-19T23:42:00Z',
};

const SEEN = [
  {
    left: { text: 'Last', value: 50.61, before: 50.48 },
    op: 'crosses_above',
    right: { text: '50.5', value: 50.5, before: 50.5 },
    holds: true,
  },
];
const EVALUATION = {
  at: '2026-11-20T01:00:00Z',
  notEvaluated: null,
  conditions: [...SEEN, { ...SEEN[0], holds: null }],
  holds: true,
};
const TRIGGERS = {
  triggers: [
    {
      id: 5,
      timestamp: '2026-11-19T23:42:00Z',
      marketTime: '2026-11-19T23:42:00Z',
      seen: SEEN,
      quoteTime: '2026-11-19T23:41:58Z',
      source: 'simulator',
      delayMinutes: 0,
      deactivated: true,
      silent: false,
      delivery: 'sent',
    },
  ],
};
const REHEARSAL = {
  minutes: {
    from: 1_794_790_800_000,
    to: 1_795_136_400_000,
    tradingDays: 5,
    fired: 1,
    times: [1_794_790_800_000, 1_795_136_400_000],
    closes: [49.5, 50.6],
  },
  days: null,
  firings: [{ at: 1_795_136_400_000, price: 50.6, period: 'minutes' }],
  perDay: 0.2,
  busiestDay: 1,
  tooOften: false,
  notRehearsed: ['Sector is not rehearsed: no past of it is kept.'],
};

const SCAN_ALERT = { id: 3, scan: { type: 'scanner', key: 'preMarket' } };
const OWN_SCAN_ALERTS = [
  {
    ...SCAN_ALERT,
    name: 'Gaps',
    event: 'enters',
    scope: 'market',
    cooldown_minutes: 30,
    day_maximum: 3,
    minute_maximum: 5,
    active: true,
    destinations: { telegram: true, discord: false, devices: [] },
    last_triggered_at: '2026-11-19T23:42:00Z',
    last_triggered_market_time: '2026-11-19T23:55:00Z',
    version: 2,
    snoozed_until: '2026-11-20T02:00:00Z',
    muted_today: ['BHP', 'CBA'],
    in_scan: 14,
    problem: null,
  },
  {
    id: 4,
    scan: { type: 'scan', id: 7, name: 'Breakouts' },
    event: 'leaves',
    scope: 'watchlist',
    problem: 'Your scan "Breakouts" does not exist any more. Choose another one.',
  },
];
const SCAN_TRIGGER = { id: 9, timestamp: '2026-11-19T23:42:00Z' };

const OWN_OF_ITEM = { untilOpen: 0, listId: 1, note: null, target: null };
const ITEMS: Wire<typeof itemsAnswer> = {
  items: [
    { id: 1, symbol: 'BHP', alertCount: 1, ...OWN_OF_ITEM },
    { id: 2, symbol: 'XYZ', alertCount: 0, ...OWN_OF_ITEM },
  ],
};
const ADDED: Wire<typeof addedAnswer> = { id: 3, symbol: 'CBA', alertCount: 0, ...OWN_OF_ITEM };
const REMOVED: Wire<typeof removedAnswer> = { success: true };

/** Specification 7.4; below them what is this product's own. */
export const SPECIFIED_ALERT_ANSWERS = {
  'GET /api/watchlist': bareAnswer(itemsAnswer, ITEMS),
  'POST /api/watchlist': bareAnswer(addedAnswer, ADDED),
  'DELETE /api/watchlist/1': bareAnswer(removedAnswer, REMOVED),
  'GET /api/alerts': { alerts: [ALERT] },
  'POST /api/alerts': { id: 8, active: true, last_triggered_at: null },
  'PATCH /api/alerts/7': { active: true },
  'DELETE /api/alerts/7': {},
  'GET /api/alerts/7/evaluation': EVALUATION,
  'GET /api/alerts/7/triggers': TRIGGERS,
  'POST /api/alerts/rehearse': REHEARSAL,
  // Not specified: this product's own, as it gives them at least.
  'GET /api/scan-alerts': { scan_alerts: [SCAN_ALERT], limit: 10 },
  'POST /api/scan-alerts': SCAN_ALERT,
  'PATCH /api/scan-alerts/3': SCAN_ALERT,
  'DELETE /api/scan-alerts/3': {},
  'GET /api/scan-alerts/3/triggers': { triggers: [{ ...SCAN_TRIGGER, symbol: 'BHP' }] },
  'POST /api/scan-alerts/3/mutes': SCAN_ALERT,
  'POST /api/scan-alerts/rehearse': { fired: 1, stocks: 1, days: 20 },
};

/** What this product says besides. */
export const OWN_ALERT_ANSWERS = {
  'GET /api/alerts': {
    alerts: [
      {
        ...ALERT,
        name: 'Breakout',
        version: 3,
        snoozed_until: '2026-11-20T02:00:00Z',
        stopped_reason: 'It fired 15 times in 3 minutes.',
        delivery: 'failed',
      },
    ],
  },
  'GET /api/scan-alerts': { scan_alerts: OWN_SCAN_ALERTS, limit: 10 },
  'GET /api/scan-alerts/3/triggers': {
    triggers: [
      {
        ...SCAN_TRIGGER,
        symbol: 'BHP',
        symbols: [],
        event: 'enters',
        scan: 'Pre-Market Scan',
        marketTime: '2026-11-19T23:42:00Z',
        seen: SEEN,
        quoteTime: '2026-11-19T23:41:58Z',
        source: 'simulator',
        delayMinutes: 0,
        silent: true,
      },
      { ...SCAN_TRIGGER, id: 8, symbol: null, symbols: ['CBA', 'NAB'], event: 'leaves' },
    ],
  },
  'POST /api/scan-alerts/rehearse': {
    fired: 14,
    stocks: 9,
    days: 20,
    busiestDay: 4,
    newest: [{ symbol: 'BHP', date: '2026-11-18' }],
    notRehearsed: ['Sector is not rehearsed: no past of it is kept.'],
  },
};
