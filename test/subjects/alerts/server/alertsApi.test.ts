import { describe, expect, test } from 'bun:test';
import { MAX_ALERTS } from '../../../../src/subjects/alerts/rules/alertRules.ts';
import {
  addAlert,
  ALERT,
  alertsOf,
  changeAlert,
  lastAbove,
  watchlistOf,
  withListed,
} from '../../../support/alertsApp.ts';
import { list } from '../../../support/callsApp.ts';
import { scenarios } from '../../../support/scenario.ts';
import type { TestApp } from '../../../support/testApp.ts';

/** The free user's alert on BHP. */
async function withAlert(app: TestApp): Promise<void> {
  list(app);
  await addAlert(app);
}

const VIEW = {
  id: 1,
  symbol: 'BHP',
  name: 'Breakout',
  active: true,
  persistent: true,
  logic_json: lastAbove(50),
  destinations: { telegram: false, discord: false, devices: [] },
  last_triggered_at: null,
  last_triggered_market_time: null,
  version: 1,
  snoozed_until: null,
  stopped_reason: null,
  note: null,
  expires_at: null,
  event_guard: null,
  cooldown_minutes: 1,
  urgent: false,
  group: null,
  sound: null,
  arms_in_ms: null,
  delivery: null,
  problem: null,
  until_open: false,
};

describe('POST /api/alerts', () => {
  const post = { method: 'POST', url: '/api/alerts', setup: list, as: 'free' } as const;
  scenarios([
    { ...post, as: 'guest', name: 'guest', body: ALERT, status: 401 },
    {
      ...post,
      as: { token: 'eyJhbGciOiJIUzI1NiJ9.e30.x' },
      name: 'a forged token',
      body: ALERT,
      status: 401,
    },
    ...(['free', 'basic', 'premium', 'admin'] as const).map((as) => ({
      ...post,
      name: `${as} user`,
      as,
      body: ALERT,
      status: 200,
      json: VIEW,
      after: async (app: TestApp) =>
        expect(await watchlistOf(app, as)).toEqual([{ id: 1, symbol: 'BHP', alertCount: 1 }]),
    })),
    {
      ...post,
      name: 'the least that is needed, in the short forms of a condition',
      body: { symbol: ' cba', logic_json: { op: 'AND', conditions: [{ lhs: 'last', op: '>', rhs: 50 }] } },
      status: 200,
      json: { ...VIEW, symbol: 'CBA', name: null, persistent: false },
    },
    {
      ...post,
      name: 'destinations, a blank name, switched off from the start',
      body: { ...ALERT, name: '  ', active: false, destinations: { telegram: true } },
      status: 200,
      json: {
        ...VIEW,
        name: null,
        active: false,
        destinations: { telegram: true, discord: false, devices: [] },
      },
    },
    {
      name: 'while nothing is listed',
      method: 'POST',
      url: '/api/alerts',
      as: 'free',
      body: ALERT,
      status: 400,
      json: { error: 'Live symbol list unavailable. Try again shortly.', field: 'symbol' },
    },
    {
      ...post,
      name: 'a symbol that is not listed',
      body: { ...ALERT, symbol: 'ZZZ' },
      status: 400,
      json: { error: 'Select a symbol from the live list', field: 'symbol' },
    },
  ]);

  const condition = { lhs: 'last', op: '>', rhs: 50 };
  const withCondition = (change: object) => ({
    logic_json: { op: 'AND', conditions: [condition, { ...condition, ...change }] },
  });
  const refused: Record<string, [body: object, error: string, field: string]> = {
    'no conditions': [
      { logic_json: { op: 'AND', conditions: [] } },
      'An alert needs at least one condition.',
      'logic_json.conditions',
    ],
    'no logic': [
      { logic_json: undefined },
      'An alert is a list of conditions joined by AND.',
      'logic_json.conditions',
    ],
    'another op': [
      { logic_json: { op: 'OR', conditions: [condition] } },
      'An alert is a list of conditions joined by AND.',
      'logic_json.conditions',
    ],
    '21 conditions, those of a group included': [
      {
        logic_json: {
          op: 'AND',
          conditions: [
            ...Array.from({ length: 19 }, () => condition),
            { op: 'OR', conditions: [condition, condition] },
          ],
        },
      },
      'An alert has at most 20 conditions.',
      'logic_json.conditions',
    ],
    'a number that is not finite': [
      withCondition({ rhs: { type: 'number', value: null } }),
      'Condition 2: The number of a condition must be finite.',
      'logic_json.conditions[1].rhs.value',
    ],
    'an indicator without a timeframe': [
      withCondition({ lhs: { type: 'indicator', family: 'rsi', params: {} } }),
      'Condition 2: Select a timeframe for the indicator "rsi".',
      'logic_json.conditions[1].lhs.tf',
    ],
    'a name of 81 characters': [
      { name: 'x'.repeat(81) },
      'The name of an alert has at most 80 characters.',
      'name',
    ],
    'a name with a control character': [
      { name: 'a\u0000b' },
      'The name of an alert is one line of plain text, without invisible characters.',
      'name',
    ],
    'a name that is no text': [{ name: 5 }, 'The name of an alert is a text.', 'name'],
    'a destination that is no switch': [
      { destinations: { telegram: 'yes' } },
      'A destination is switched with true or false.',
      'destinations.telegram',
    ],
    'destinations as a list': [
      { destinations: 'telegram' },
      'The destinations are telegram and discord, each true or false, and devices.',
      'destinations',
    ],
    'a switch that is none': [
      { active: 'yes' },
      'An alert is switched on or off with true or false.',
      'active',
    ],
    'persistent as a number': [{ persistent: 1 }, 'Persistent is switched with true or false.', 'persistent'],
  };
  scenarios(
    Object.entries(refused).map(([name, [body, error, field]]) => ({
      ...post,
      name,
      body: { ...ALERT, ...body },
      status: 400,
      json: { error, field },
      after: async (app: TestApp) => {
        expect(await alertsOf(app)).toEqual([]);
        expect(await watchlistOf(app)).toEqual([]);
      },
    })),
  );

  test('the eight operators, between indicators, fields, candles and numbers', () =>
    withListed(async (app) => {
      const rsi = { type: 'indicator', family: 'rsi', params: { length: '14' }, tf: '60' };
      const htf = { type: 'htf', period: '3M', field: 'high' };
      const sides = [
        [rsi, 70],
        [rsi, { type: 'field', key: 'last' }],
        ['last', htf],
        [htf, 'close'],
        ['match_price', 12.5],
        ['volume', { type: 'indicator', family: 'sma', params: {}, tf: 'D', valueKey: '1' }],
      ];
      for (const op of ['>', '>=', '==', '!=', '<=', '<', 'crosses_above', 'crosses_below']) {
        const conditions = sides.map(([lhs, rhs]) => ({ lhs, op, rhs }));
        const { id } = await addAlert(app, { logic_json: { op: 'AND', conditions } });
        await app.request('DELETE', `/api/alerts/${id}`, { as: 'free' });
      }
    }));

  test('one alert too many is refused, and room is made by deleting one', () =>
    withListed(async (app) => {
      for (let index = 0; index < MAX_ALERTS; index += 1) await addAlert(app);
      const refusal = await app.request('POST', '/api/alerts', { as: 'free', body: ALERT });
      expect([refusal.status, refusal.json]).toEqual([
        400,
        { error: 'You already have 50 alerts. Delete one before you add another.' },
      ]);
      expect(await watchlistOf(app)).toEqual([{ id: 1, symbol: 'BHP', alertCount: MAX_ALERTS }]);
      await addAlert(app, {}, 'basic');
      await app.request('DELETE', '/api/alerts/7', { as: 'free' });
      await addAlert(app);
    }));
});

describe('the routes of one alert', () => {
  const OTHERS = 'That alert does not exist any more. Reload the list.';
  const routes = [
    { method: 'PATCH', url: '/api/alerts/1', body: { active: false } },
    { method: 'DELETE', url: '/api/alerts/1' },
    { method: 'POST', url: '/api/alerts/1/undo', body: {} },
    { method: 'GET', url: '/api/alerts/1/evaluation' },
    { method: 'GET', url: '/api/alerts/1/triggers' },
  ] as const;
  scenarios(
    routes.flatMap((route) => [
      { ...route, name: `${route.method} ${route.url} by a guest`, setup: withAlert, status: 401 },
      ...(['premium', 'admin'] as const).map((as) => ({
        ...route,
        name: `${route.method} ${route.url} of another user’s, by ${as}`,
        as,
        setup: withAlert,
        status: 404,
        json: { error: OTHERS },
        after: async (app: TestApp) => expect(await alertsOf(app)).toEqual([VIEW]),
      })),
      {
        ...route,
        name: `${route.method} ${route.url} once it is gone`,
        as: 'free' as const,
        status: 404,
        json: { error: OTHERS },
      },
      ...['1e999', '-1', '1.5', '99999999999999999999'].map((id) => ({
        ...route,
        name: `${route.method} with the id ${id}`,
        url: route.url.replace('/1', `/${id}`),
        as: 'free' as const,
        setup: withAlert,
        status: 404,
      })),
    ]),
  );

  test('a list is filtered by symbol in any case, and is the caller’s alone', () =>
    withListed(async (app) => {
      await addAlert(app, { symbol: 'CBA', name: 'second' });
      await addAlert(app, { name: 'first' });
      await addAlert(app, { name: 'not theirs' }, 'admin');
      const names = async (query: string) => {
        const answer = await app.request('GET', `/api/alerts${query}`, { as: 'free' });
        return (answer.json as { alerts: { name: string }[] }).alerts.map(({ name }) => name);
      };
      expect(await names('')).toEqual(['first', 'second']);
      expect(await names('?symbol=cba')).toEqual(['second']);
      expect(await names('?symbol=ZZZ')).toEqual([]);
      expect((await app.request('GET', `/api/alerts?symbol=${'x'.repeat(50)}`, { as: 'free' })).status).toBe(
        400,
      );
    }));

  test('one that is switched off says that it is not evaluated; one that never fired has no triggers', () =>
    withListed(async (app) => {
      await addAlert(app, { active: false });
      const evaluation = await app.request('GET', '/api/alerts/1/evaluation', { as: 'free' });
      expect(evaluation.json).toEqual({
        at: null,
        notEvaluated: 'The alert is switched off',
        conditions: [],
        guard: null,
        holds: null,
      });
      const triggers = await app.request('GET', '/api/alerts/1/triggers', { as: 'free' });
      expect(triggers.json).toEqual({ triggers: [] });
    }));

  test('120 changes a minute; reading is not counted', () =>
    withListed(async (app) => {
      await addAlert(app);
      for (let index = 0; index < 119; index += 1) await changeAlert(app, 1, { name: `${index}` });
      const refused = await app.request('PATCH', '/api/alerts/1', { as: 'free', body: { name: 'x' } });
      expect([refused.status, refused.json]).toEqual([
        429,
        { error: 'Too many changes to your alerts. Try again in 1 minute.' },
      ]);
      expect((await app.request('DELETE', '/api/alerts/1', { as: 'free' })).status).toBe(429);
      expect(await alertsOf(app)).toHaveLength(1);
      app.clock.advance(60_001);
      await changeAlert(app, 1, { name: 'x' });
    }));
});
