import { describe, expect, test } from 'bun:test';
import { customCatalog, platformCatalog } from '../../../../src/subjects/indicators/answers/catalog.ts';
import { ApiError, readRefusal } from '../../../../web/api/client.ts';
import { readLogic, readRef } from '../../../../src/subjects/conditions/answers/logic.ts';
import { readDelta, readSnapshot } from '../../../../web/live/stream/readStream.ts';
import { readSettingsChange } from '../../../../web/shared/settings.ts';
import { savedColumnsAnswer, settingsAnswer } from '../../../../src/subjects/settings/answers/settings.ts';
import {
  readAuthentication,
  readSeeded,
} from '../../../../src/subjects/accounts/web/shared/session/account.ts';
import { leaderboardAnswer, mineAnswer } from '../../../../src/subjects/calls/answers/board.ts';
import { testStatusAnswer } from '../../../../src/admin/testMode/answers/testMode.ts';
import { readerOf } from '../../../../web/api/readerOf.ts';
import { chatBotsAnswer, linkedChatsAnswer } from '../../../../src/subjects/chats/answers/linkedChats.ts';
import { prefsAnswer, scansAnswer } from '../../../../src/subjects/indicators/answers/scans.ts';
import { readAlerts } from '../../../../src/subjects/alerts/web/watchlist/savedAlert.ts';
import { evaluation } from '../../../../src/subjects/alerts/answers/alert.ts';
import { rehearsal } from '../../../../src/subjects/alerts/answers/rehearsal.ts';
import {
  scanAlertsAnswer,
  scanRehearsal,
  scanTriggersAnswer,
} from '../../../../src/subjects/alerts/answers/scanAlert.ts';
import { triggersAnswer } from '../../../../src/subjects/alerts/answers/triggers.ts';
import { addedAnswer, itemsAnswer } from '../../../../src/subjects/alerts/answers/watchlist.ts';
import { OWN_ANSWERS, SPECIFIED_ANSWERS, SPECIFIED_EVENTS } from '../../../support/specifiedAnswers.ts';
import { wholeVariants } from '../../../support/variants.ts';

const readBoard = readerOf(leaderboardAnswer);
const readMine = readerOf(mineAnswer);
const readSettings = readerOf(settingsAnswer);
const readSavedColumns = readerOf(savedColumnsAnswer);
const readPlatformCatalog = readerOf(platformCatalog);
const readCustomCatalog = readerOf(customCatalog);
const readPrefs = readerOf(prefsAnswer);
const readScans = readerOf(scansAnswer);
const NOW = Date.parse('2026-11-20T01:00:00Z');

const READERS: readonly [string, unknown, (body: unknown) => unknown][] = [
  ['POST /api/login', SPECIFIED_ANSWERS['POST /api/login'], readAuthentication],
  ['POST /api/test/seed', SPECIFIED_ANSWERS['POST /api/test/seed'], readSeeded],
  ['GET /api/test/status', SPECIFIED_ANSWERS['GET /api/test/status'], readerOf(testStatusAnswer)],
  ['GET /api/settings', SPECIFIED_ANSWERS['GET /api/settings'], readSettings],
  [
    'POST /api/settings/table-columns',
    SPECIFIED_ANSWERS['POST /api/settings/table-columns'],
    readSavedColumns,
  ],
  [
    'GET /api/indicators/catalog/tv',
    SPECIFIED_ANSWERS['GET /api/indicators/catalog/tv'],
    readPlatformCatalog,
  ],
  [
    'GET /api/indicators/catalog/custom',
    SPECIFIED_ANSWERS['GET /api/indicators/catalog/custom'],
    readCustomCatalog,
  ],
  [
    'GET /api/settings/linked-chats',
    SPECIFIED_ANSWERS['GET /api/settings/linked-chats'],
    readerOf(linkedChatsAnswer),
  ],
  ['GET /api/settings/chat-bots', SPECIFIED_ANSWERS['GET /api/settings/chat-bots'], readerOf(chatBotsAnswer)],
  ['GET /api/indicators/prefs', SPECIFIED_ANSWERS['GET /api/indicators/prefs'], readPrefs],
  ['GET /api/indicators/scans', SPECIFIED_ANSWERS['GET /api/indicators/scans'], readScans],
  ['GET /api/calls/leaderboard', SPECIFIED_ANSWERS['GET /api/calls/leaderboard'], readBoard],
  ['GET /api/calls/mine', SPECIFIED_ANSWERS['GET /api/calls/mine'], readMine],
  ['GET /api/watchlist', SPECIFIED_ANSWERS['GET /api/watchlist'], readerOf(itemsAnswer)],
  ['POST /api/watchlist', SPECIFIED_ANSWERS['POST /api/watchlist'], addedAnswer.read],
  ['GET /api/alerts', SPECIFIED_ANSWERS['GET /api/alerts'], readAlerts('BHP')],
  ['GET /api/alerts/7/evaluation', SPECIFIED_ANSWERS['GET /api/alerts/7/evaluation'], readerOf(evaluation)],
  ['GET /api/alerts/7/triggers', SPECIFIED_ANSWERS['GET /api/alerts/7/triggers'], readerOf(triggersAnswer)],
  ['POST /api/alerts/rehearse', SPECIFIED_ANSWERS['POST /api/alerts/rehearse'], readerOf(rehearsal)],
  ['GET /api/scan-alerts', OWN_ANSWERS['GET /api/scan-alerts'], scanAlertsAnswer.read],
  [
    'GET /api/scan-alerts/3/triggers',
    OWN_ANSWERS['GET /api/scan-alerts/3/triggers'],
    scanTriggersAnswer.read,
  ],
  ['POST /api/scan-alerts/rehearse', OWN_ANSWERS['POST /api/scan-alerts/rehearse'], scanRehearsal.read],
  ['snapshot', SPECIFIED_EVENTS.snapshot, (event) => readSnapshot(JSON.stringify(event), NOW)],
  ['delta_update', SPECIFIED_EVENTS.delta_update, (event) => readDelta(JSON.stringify(event))],
];
/** Other forms that mean the same. */
const SAME = ['numbers as text', 'times as ISO text', 'times as epoch'];
/** Answers with maps, where another member is another entry. */
const HAS_MAPS = ['GET /api/indicators/catalog/tv', 'snapshot', 'delta_update'];

describe.each(READERS)('%s', (answer, specified, read) => {
  const same = HAS_MAPS.includes(answer) ? SAME : [...SAME, 'members that nobody knows'];
  test.each(same)('%s read as what is specified', (name) => {
    const variant = wholeVariants(specified).find((one) => one.name === name);
    expect(variant === undefined).toBe(false);
    expect(JSON.stringify(read(variant?.answer))).toBe(JSON.stringify(read(specified)));
  });
});

describe('what is missing', () => {
  test('of the settings', () => {
    expect(readSettings({})).toEqual({
      username: '',
      subscriptionType: 'free',
      requestedSubscriptionType: null,
      upgradeDeclinedReason: null,
      accessLevel: null,
      lacksSecondFactor: false,
      quoteSite: 'none',
      columnPreferences: {},
      droppedColumns: {},
      indicatorValues: null,
      waitingColumns: {},
    });
  });
  test('of a call is null; a call without its id is none', () => {
    const { calls, leaderboard, fetchedAt } = readBoard({
      calls: [{ publicId: 'x' }, {}],
      leaderboard: [{}],
    });
    expect(fetchedAt).toBeNull();
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ symbol: '–', status: null, entryPrice: null, submittedAt: null });
    expect(leaderboard[0]?.submitter).toEqual({ display: '–' });
    expect(leaderboard[0]?.metrics.total).toBeNull();
  });
  test('of a catalog is what the specification says', () => {
    const { catalog, timeframes } = readPlatformCatalog({ catalog: { indicators: { ao: {} } } });
    expect(timeframes).toHaveLength(11);
    expect(catalog.fields.map(({ key }) => key)).toContain('match_vol');
    expect(catalog.indicators.ao).toMatchObject({
      family: 'ao',
      familySlug: 'ao',
      label: 'ao',
      fullName: 'ao',
    });
    expect(catalog.indicators.ao?.timeframes).toHaveLength(11);
    const { params } = readCustomCatalog({}).catalog.families.htf_candle;
    expect(params.map(({ name, values }) => [name, values?.length])).toEqual([
      ['period', 5],
      ['field', 4],
    ]);
  });
  test('of a login is no login', () => {
    expect(readAuthentication({ authenticated: true })).toEqual({
      authenticated: true,
      accessToken: null,
      accessLevel: 1,
      error: null,
      field: null,
    });
  });
});

test.each([null, 'text', 7, [], undefined].map((body) => ({ body })))(
  '$body is no answer at all',
  ({ body }) => {
    for (const read of [
      readSettings,
      readBoard,
      readMine,
      readPlatformCatalog,
      readPrefs,
      readAuthentication,
    ]) {
      expect(() => read(body)).toThrow(ApiError);
    }
  },
);

test('a column says what it is, or is left out', () => {
  const kept = {
    id: 'indicator:60:rsi_14',
    type: 'indicator',
    indicator: { family: 'rsi', tf: 60, key: 'rsi_14' },
  };
  const { columnPreferences } = readSettings({
    columnPreferences: {
      custom: [
        kept,
        { id: 'novel', type: 'base', enabled: 'false' },
        { id: 'indicator:60:x', type: 'indicator' },
        {
          id: 'custom:other',
          type: 'custom',
          custom: { family: 'other', params: { period: '1M', field: 'low' } },
        },
        { type: 'base' },
        { id: 'x', type: 'chart' },
        'name',
      ],
    },
  });
  expect(columnPreferences.custom).toEqual([
    {
      id: 'indicator:60:rsi_14',
      enabled: true,
      mandatory: false,
      type: 'indicator',
      label: 'indicator:60:rsi_14',
      valueKey: 'now',
      indicator: { family: 'rsi', params: {}, tf: '60', key: 'rsi_14' },
    },
    { id: 'novel', enabled: false, mandatory: false, type: 'base', label: 'novel' },
  ]);
});

test('saved columns that the answer does not repeat are not taken for none', () => {
  expect(readSavedColumns({}).columnPreferences).toBeNull();
  expect(readSavedColumns({ columnPreferences: {} }).columnPreferences).toEqual({});
});

test.each([
  [{ success: true, error: null }, null],
  [{ success: true }, null],
  [{}, null],
  [null, null],
  [{ error: 'It is closed already.' }, 'It is closed already.'],
  [{ success: false, message: 'No.' }, 'No.'],
  [{ success: false, error: '' }, 'Failed'],
  [{ success: 'false' }, 'Failed'],
])('the answer %j is refused with %p', (body, sentence) => {
  expect(readRefusal(body, 'Failed')?.message ?? null).toBe(sentence);
});

test.each([
  [{ success: false, error: 'Too low.', field: 'pocketedValue' }, 'pocketedValue'],
  [{ success: false, error: 'Too low.', field: '' }, null],
  [{ success: false, error: 'Too low.', field: {} }, null],
  [{ success: false, error: 'Too low.' }, null],
])('the refusal %j names the field %p', (body, field) => {
  expect(readRefusal(body, 'Failed')).toEqual({ field, message: 'Too low.' });
});

test('another window may say anything', () => {
  expect(readSettingsChange({ quoteSite: 'ASX', username: 'x' })).toEqual({ quoteSite: 'asx' });
  expect(readSettingsChange({ columnPreferences: { custom: 'x' } })).toEqual({
    columnPreferences: {},
  });
  expect(readSettingsChange('changed')).toEqual({});
});

describe('conditions', () => {
  const last = { type: 'field', key: 'last' };
  const above = (rhs: unknown, op: unknown = '>') => ({ op: 'AND', conditions: [{ lhs: last, op, rhs }] });
  const inGroup = (...members: unknown[]) => ({ op: 'AND', conditions: [{ op: 'OR', conditions: members }] });
  test('groups and sectors are read', () => {
    const sector = {
      lhs: { type: 'field', key: 'sector' },
      op: '==',
      rhs: { type: 'text', values: ['Energy', 'Materials'] },
    };
    const logic = inGroup(sector, { lhs: last, op: '>', rhs: { type: 'number', value: 1 } });
    expect(readLogic(logic) as unknown).toEqual(logic);
  });
  test.each([
    [12, { type: 'number', value: 12 }],
    [
      { type: 'number', value: '12.5' },
      { type: 'number', value: 12.5 },
    ],
    ['open', { type: 'field', key: 'open' }],
    [
      { type: 'field', field: 'open' },
      { type: 'field', key: 'open' },
    ],
    [
      { type: 'htf', period: '3M', field: 'high' },
      { type: 'htf', period: '3M', field: 'high' },
    ],
    [
      { type: 'indicator', family: 'rsi', params: { a: 1, b: {} }, tf: 60, key: 'rsi_1', valueKey: 1 },
      { type: 'indicator', family: 'rsi', params: { a: 1 }, tf: '60', key: 'rsi_1', valueKey: '1' },
    ],
  ])('the side %j is read', (given, operand) => {
    expect(readLogic(above(given))?.conditions[0] as unknown).toEqual({ lhs: last, op: '>', rhs: operand });
  });
  test.each([
    ['a side that is not known', above({ type: 'news' })],
    ['a side that is missing', above(undefined)],
    ['a comparison that is not known', above(1, 'between')],
    ['another way to join them', { ...above(1), op: 'OR' }],
    ['a number on the left', { op: 'AND', conditions: [{ lhs: 1, op: '>', rhs: 2 }] }],
    ['no list', { op: 'AND' }],
    ['a group in a group', inGroup({ op: 'OR', conditions: above(1).conditions })],
    ['a group with a condition that can not be read', inGroup({ lhs: last, op: '>', rhs: {} })],
    ['a group without conditions', { op: 'AND', conditions: [{ op: 'OR', conditions: [] }] }],
    ['a sector that is more than something', above({ type: 'text', values: ['Energy'] })],
  ])('a scan with %s is not read in part', (_, logic) => {
    expect(readLogic(logic)).toBeNull();
  });
  test('a reference that says too little is none', () => {
    expect(readRef({ type: 'indicator', family: 'rsi', tf: '60' })).toBeNull();
    expect(readRef({ type: 'htf', period: '5M', field: 'high' })).toBeNull();
  });
});
