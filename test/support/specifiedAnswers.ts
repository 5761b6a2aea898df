/**
 * The answers of the specification's section 7 that the product reads, with just the members that sections 3 and 7
 * name: what a server of another version gives at least. A feature that reads another answer adds it here; the tests
 * of all screens then run on it, and on variants of it.
 */

import { OWN_CALL_ANSWERS, SPECIFIED_CALL_ANSWERS } from './specifiedCalls.ts';
import { OWN_CHAT_ANSWERS, SPECIFIED_CHAT_ANSWERS } from './specifiedChats.ts';
import { OWN_CHANNEL_ANSWERS, SPECIFIED_CHANNEL_ANSWERS } from './specifiedChannels.ts';
import { CALENDAR_ANSWERS, CPI, OWN_CALENDAR, OWN_EVENTS } from './specifiedCalendar.ts';
import { OWN_ALERT_ANSWERS, SPECIFIED_ALERT_ANSWERS } from './specifiedAlerts.ts';
import {
  BHP_NEWS,
  OWN_BHP_NEWS,
  OWN_NEWS_ANSWERS,
  OWN_NEWS_SOURCE,
  SPECIFIED_NEWS_ANSWERS,
} from './specifiedNews.ts';
import { OWN_STATE_ANSWERS, SPECIFIED_STATE_ANSWERS } from './specifiedState.ts';
import { OWN_USER_ANSWERS, SPECIFIED_USER_ANSWERS } from './specifiedUsers.ts';

/** A stock in the intraday scanner for $1 and over, with news of today and yesterday. */
const BHP = {
  name: 'BHP GROUP',
  code: 'BHP',
  status: 'Open',
  open: 42,
  close: 41.5,
  last: 42.5,
  change: 1,
  change_percent: 2.4,
  vwap: 42.2,
  value: 9_000_000,
  match_price: null,
  match_vol: null,
  match_value: null,
  marketCap: 500_000_000,
  marketCapCategory: 'mid',
  relativeVolume: 1.25,
  sensitiveAnnouncements: 1,
  news: BHP_NEWS,
  preOpen: {
    snapshot: { capturedAt: '2026-11-19T22:59:00Z', indicativeChangePercent: 1.2, match_value: 60_000 },
  },
  indicators: { '60': { rsi_14: { now: 55.1, '1': 54 } } },
  htf: { '3M': { high: 45 } },
};

/** A stock in the pre-open with a positive gap, of which little else is known. */
const XYZ = {
  name: 'XYZ LIMITED',
  code: 'XYZ',
  status: 'Pre Open',
  open: null,
  close: 0.5,
  last: null,
  match_price: 0.55,
  match_vol: 100_000,
  match_value: 55_000,
  indicativeChangePercent: 10,
};

/** Events of GET /api/data/stream (7.3), by name. */
export const SPECIFIED_EVENTS = {
  snapshot: {
    stocks: { BHP, XYZ },
    meta: { stockCount: 2, dateToday: '2026-11-20', flags: { ignoreStatus: false } },
    fx: { data: { cpi: CPI }, lastUpdated: 1_795_136_400_000 },
  },
  delta_update: {
    stocks: { upsert: { BHP: { last: 42.6, change: 1.1 } }, delete: ['XYZ'] },
    meta: { stockCount: 1 },
    fx: { upsert: { cpi: { actual: 3.2 } }, delete: [], lastUpdated: 1_795_136_460_000 },
  },
  ping: {},
};

const SIGNED_IN = { authenticated: true, accessToken: 'token', accessLevel: 2, error: null };

const COLUMNS = [
  { id: 'name', enabled: true, mandatory: true, type: 'base', label: 'Name' },
  { id: 'last', enabled: true, mandatory: true, type: 'base', label: 'Last' },
  {
    id: 'indicator:60:rsi_14',
    enabled: true,
    mandatory: false,
    type: 'indicator',
    label: 'RSI(14) 1h',
    valueKey: 'now',
    indicator: { family: 'rsi', params: { length: '14' }, tf: '60', key: 'rsi_14' },
  },
  {
    id: 'custom:htf_candle:3M:high',
    enabled: true,
    mandatory: false,
    type: 'custom',
    label: '3M high',
    custom: { family: 'htf_candle', params: { period: '3M', field: 'high' }, key: '3M:high' },
  },
];

const RSI = {
  label: 'RSI',
  params: [
    {
      type: 'enum',
      label: 'Length',
      values: ['9', '14'],
      default: '14',
      required: true,
      readOnly: false,
      allowNone: false,
    },
    { type: 'number', label: 'Factor', min: 0, max: 10, step: 0.5, default: 2, required: false },
    { type: 'string', label: 'Note', default: '', allowNone: true, noneLabel: 'None' },
  ],
  defaultTimeframes: ['60', 'D'],
  tvPrefix: 'RSI',
  separator: '',
  ignoreParam: '14',
  delaysAvailable: [1, 2],
  familySlug: 'rsi',
  type: 'number',
  hasTimeframes: true,
};

/** By method and path. */
export const SPECIFIED_ANSWERS = {
  ...SPECIFIED_CHANNEL_ANSWERS,
  // 7.1
  'POST /api/login': SIGNED_IN,
  'POST /api/register': SIGNED_IN,
  'GET /api/test/status': { test: true },
  'POST /api/test/seed': {
    success: true,
    accessToken: 'seeded',
    user: { role: 'premium', isAdmin: false },
  },
  'GET /api/settings': {
    username: 'maggie',
    subscriptionType: 'basic',
    requestedSubscriptionType: null,
    quoteSite: 'hotcopper',
    columnPreferences: { intraDayMidLarge: COLUMNS },
  },
  // The answer is not read.
  'POST /api/settings/request-upgrade': {},
  'POST /api/settings/quote-site': { success: true, error: null },
  'POST /api/settings/table-columns': { columnPreferences: { intraDayMidLarge: COLUMNS } },
  ...SPECIFIED_CHAT_ANSWERS,
  // 7.2
  'GET /api/indicators/catalog/tv': {
    catalog: {
      indicators: { rsi: RSI },
      fields: [{ key: 'last', label: 'Last' }],
      fetchedAt: 1_795_136_400_000,
    },
    timeframes: [
      { key: '60', label: '1h' },
      { key: 'D', label: '1D' },
    ],
  },
  'GET /api/indicators/catalog/custom': {
    catalog: { families: { htf_candle: { label: 'HTF candle' } }, version: 1 },
  },
  'GET /api/indicators/prefs': {
    prefs: {
      refs: [{ type: 'indicator', family: 'rsi', params: { Length: '14' }, tf: '60', key: 'rsi_14' }],
    },
  },
  'POST /api/indicators/prefs': { refs: [] },
  // 7.4
  ...SPECIFIED_ALERT_ANSWERS,
  // 7.5
  ...SPECIFIED_CALL_ANSWERS,
  // 7.6
  ...SPECIFIED_NEWS_ANSWERS,
  // 7.7
  ...SPECIFIED_STATE_ANSWERS,
  // 7.7: users and log files
  ...SPECIFIED_USER_ANSWERS,
  'GET /api/admin/upgrade-requests': {
    requests: [{ id: 7, username: 'maggie', requestedSubscriptionType: 'premium' }],
  },
  'POST /api/admin/approve-upgrade': {},
  // Not specified: this product's own, as it gives them at least.
  'GET /api/settings/sessions': { sessions: [{ id: 'one', current: true }, { id: 'two' }] },
  ...CALENDAR_ANSWERS,
  'GET /api/app': { test: true, donateUrl: null, version: '0.1.0', commit: 'abc1234' },
  'GET /api/admin/server/info': {
    pid: 4711,
    node: 'v22.4.0',
    branch: 'main',
    commit: 'abc1234',
    uptimeSec: 90,
  },
  'POST /api/admin/server/restart': { restarting: true },
  'GET /healthz': { ok: true },
  'GET /api/indicators/scans': {
    scans: [
      {
        id: 1,
        name: 'Over forty',
        logic: {
          op: 'AND',
          conditions: [{ lhs: { type: 'field', key: 'last' }, op: '>', rhs: { type: 'number', value: 40 } }],
        },
      },
    ],
  },
};

export type SpecifiedAnswer = keyof typeof SPECIFIED_ANSWERS;

/** What this product says besides in the specified answers; variants of it must not break a page either. */
export const OWN_ANSWERS = {
  ...OWN_CHANNEL_ANSWERS,
  ...OWN_CHAT_ANSWERS,
  'GET /api/app': {
    test: true,
    donateUrl: 'https://example.com/donate',
    version: '0.1.0',
    commit: 'abc1234',
    hasModel: true,
  },
  ...OWN_STATE_ANSWERS,
  'GET /api/admin/server/info': {
    ...{ pid: 4711, node: 'Bun 1.4.5, linux arm64', branch: null, commit: 'abc1234', uptimeSec: 90 },
    ...{ version: '0.1.0', startedAt: 1_795_136_400_000, supervisor: 'parent' },
    ...{ noRestart: null, onTrial: false },
  },
  ...OWN_NEWS_ANSWERS,
  ...OWN_USER_ANSWERS,
  snapshot: {
    ...SPECIFIED_EVENTS.snapshot,
    stocks: {
      XYZ,
      BHP: { ...BHP, news: OWN_BHP_NEWS },
    },
    meta: {
      ...SPECIFIED_EVENTS.snapshot.meta,
      announcements: OWN_NEWS_SOURCE,
      feed: {
        name: 'tradingview',
        label: 'Delayed 20 min',
        delayMinutes: 20,
        lastUpdate: 1_795_136_400_000,
        healthy: false,
        problem: 'TradingView refuses requests.',
      },
      calendar: OWN_CALENDAR,
      marketTime: 1_795_136_400_000,
      clockOffsetMs: 0,
      clockSpeed: 1,
    },
    fx: OWN_EVENTS,
  },
  ...OWN_CALL_ANSWERS,
  ...OWN_ALERT_ANSWERS,
  'GET /api/indicators/catalog/tv': {
    catalog: {
      indicators: {
        rsi: { ...RSI, fullName: 'Relative Strength Index', timeframes: ['60', 'D'], tvSuffix: '' },
      },
      fields: [],
      fetchedAt: null,
    },
    timeframes: [],
    unavailable: ['rsi'],
  },
};
