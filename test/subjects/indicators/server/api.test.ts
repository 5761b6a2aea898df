import { describe, expect } from 'bun:test';
import { users } from '../../../../src/platform/db/schema.ts';
import { createPlatformValues } from '../../../../src/sources/quotes/tradingview/platformValues.ts';
import { RSI } from '../../../support/conditions.ts';
import { scenarios } from '../../../support/scenario.ts';
import type { TestApp } from '../../../support/testApp.ts';

const RSI_SHORT = { family: 'rsi', tf: '60' };
const HTF = { type: 'htf', period: '3M', field: 'high' };
const LOGIC = {
  op: 'AND',
  conditions: [
    { lhs: { type: 'field', key: 'last' }, op: 'crosses_above', rhs: HTF },
    {
      op: 'OR',
      conditions: [
        { lhs: { type: 'field', key: 'sector' }, op: '==', rhs: { type: 'text', values: ['Energy'] } },
        { lhs: RSI, op: '<', rhs: { type: 'number', value: 30 } },
      ],
    },
  ],
};

const get = (path: string) => ({ method: 'GET', url: `/api${path}` }) as const;
const post = (path: string) => ({ method: 'POST', url: `/api${path}` }) as const;

describe('GET /api/indicators/catalog/tv', () => {
  scenarios([
    {
      ...get('/indicators/catalog/tv'),
      name: 'free user with computed values: 3 minutes are offered, patterns are not',
      as: 'free',
      status: 200,
      after: (_app, { json }) => {
        const { catalog, timeframes, unavailable } = json as {
          catalog: { indicators: Record<string, { timeframes: string[] }>; fetchedAt: number };
          timeframes: { key: string; label: string }[];
          unavailable: string[];
        };
        expect(Object.keys(catalog.indicators)).toHaveLength(159);
        expect(catalog.fetchedAt).toBe(Date.UTC(2026, 6, 1));
        expect(catalog.indicators['rsi']?.timeframes).toContain('3');
        expect(catalog.indicators['candle-doji']?.timeframes).not.toContain('3');
        expect(unavailable).toContain('candle-doji');
        expect(unavailable).not.toContain('macd-signal');
        expect(timeframes).toContainEqual({ key: 'D', label: '1D' });
      },
    },
    {
      ...get('/indicators/catalog/tv'),
      name: "free user with the platform's values: no 3 minutes, patterns, no texts",
      app: { source: { ownValues: createPlatformValues() } },
      as: 'free',
      status: 200,
      after: (_app, { json }) => {
        const { catalog, unavailable } = json as {
          catalog: { indicators: Record<string, { timeframes: string[] }> };
          unavailable: string[];
        };
        expect(catalog.indicators['rsi']?.timeframes).not.toContain('3');
        expect(unavailable.toSorted()).toEqual(['time', 'update-mode']);
      },
    },
  ]);
});

describe('chosen indicators', () => {
  const base = { ...post('/indicators/prefs'), as: 'free' } as const;
  scenarios([
    {
      ...get('/indicators/prefs'),
      name: 'nothing chosen yet',
      as: 'free',
      status: 200,
      json: { prefs: { refs: [] } },
    },
    {
      ...base,
      name: 'saved in their one form, and read again by their owner only',
      body: { refs: [RSI_SHORT, HTF] },
      status: 200,
      json: { refs: [RSI, HTF] },
      after: async (app) => {
        const own = await app.request('GET', '/api/indicators/prefs', { as: 'free' });
        expect(own.json).toEqual({ prefs: { refs: [RSI, HTF] } });
        const other = await app.request('GET', '/api/indicators/prefs', { as: 'basic' });
        expect(other.json).toEqual({ prefs: { refs: [] } });
        expect(app.parts.indicators.service.demand.current()).toHaveLength(2);
      },
    },
    ...(
      [
        [{ refs: 7 }, 'The field "refs" of the request body is missing or has the wrong form.', 'refs'],
        [
          { refs: [{ family: 'magic', tf: 'D' }] },
          'The indicator "magic" is not in the catalog.',
          'refs[0].family',
        ],
        [{ refs: Array(61).fill(RSI) }, 'At most 60 indicators can be chosen.', 'refs'],
      ] as const
    ).map(([body, error, field]) => ({ ...base, name: error, body, status: 400, json: { error, field } })),
  ]);
});

describe('saved scans', () => {
  const save = (app: TestApp, name: string, as: 'free' | 'basic' = 'free') =>
    app.request('POST', '/api/indicators/scans', { as, body: { name, logic: LOGIC } });

  scenarios([
    {
      ...post('/indicators/scans'),
      name: 'saved by name, listed to their owner, and what they read is in use',
      as: 'free',
      body: { name: '  Breakout ', logic: LOGIC },
      status: 200,
      contains: ['"name":"Breakout"'],
      after: async (app) => {
        const { json } = await app.request('GET', '/api/indicators/scans', { as: 'free' });
        expect(json).toMatchObject({ scans: [{ name: 'Breakout', logic: LOGIC, problem: null }] });
        const other = await app.request('GET', '/api/indicators/scans', { as: 'basic' });
        expect(other.json).toEqual({ scans: [] });
        expect(app.parts.indicators.service.demand.current()).toHaveLength(2);
      },
    },
    {
      ...post('/indicators/scans'),
      name: 'a name can be taken once a user, whatever its case',
      as: 'free',
      setup: async (app) => {
        await save(app, 'breakout');
        await save(app, 'Breakout', 'basic');
      },
      body: { name: 'BREAKOUT', logic: LOGIC },
      status: 400,
      json: { error: 'You already have a scan named "BREAKOUT". Choose another name.', field: 'name' },
    },
    {
      method: 'PUT',
      url: '/api/indicators/scans/1',
      name: "somebody else's can't be changed",
      as: 'basic',
      setup: async (app) => void (await save(app, 'One')),
      body: { name: 'Mine', logic: LOGIC },
      status: 404,
      json: { error: 'That scan does not exist any more. Reload the list.' },
    },
    {
      method: 'DELETE',
      url: '/api/indicators/scans/1',
      name: 'deleted, what it read is not in use any more',
      as: 'free',
      setup: async (app) => void (await save(app, 'One')),
      status: 200,
      json: { success: true },
      after: (app) => {
        expect(app.parts.indicators.service.demand.current()).toEqual([]);
      },
    },
    {
      ...post('/indicators/scans'),
      name: 'refused with the place of what is wrong',
      as: 'free',
      body: { name: 'A', logic: { op: 'AND', conditions: [{ lhs: 'last', op: '=', rhs: 1 }] } },
      status: 400,
      json: { error: 'Condition 1: The comparison "=" is not known.', field: 'logic.conditions[0].op' },
    },
  ]);
});

describe('POST /api/settings/table-columns', () => {
  const url = { ...post('/settings/table-columns'), as: 'free' } as const;
  const column = { id: 'indicator:60:rsi_14', enabled: true, type: 'indicator', indicator: RSI_SHORT };
  scenarios([
    {
      ...url,
      name: 'saved normalised; its indicators are in use while they are enabled',
      body: { tableKey: 'custom', columns: [{ id: 'value', enabled: false, type: 'base' }, column] },
      status: 200,
      after: async (app, { json }) => {
        const { columnPreferences } = json as {
          columnPreferences: { custom: { id: string; enabled: boolean }[] };
        };
        expect(columnPreferences.custom.map(({ id, enabled }) => [id, enabled])).toEqual([
          ['value', false],
          ['indicator:60:rsi_14', true],
          ['name', true],
          ['last', true],
          ['volume', true],
          ['day', false],
          ['sector', false],
          ['high52w', false],
          ['low52w', false],
          ['indicativeClose', false],
        ]);
        expect(app.parts.indicators.service.demand.current()).toHaveLength(1);
        const settings = await app.request('GET', '/api/settings', { as: 'free' });
        expect(settings.json).toMatchObject({ columnPreferences });
        await app.request('POST', '/api/settings/table-columns', {
          as: 'free',
          body: { tableKey: 'custom', columns: [{ ...column, enabled: false }] },
        });
        expect(app.parts.indicators.service.demand.current()).toEqual([]);
      },
    },
    {
      ...url,
      name: 'refused as a whole with an indicator that is not in the catalog',
      body: { tableKey: 'custom', columns: [column, { ...column, indicator: { family: 'magic', tf: 'D' } }] },
      status: 400,
      contains: ['"field":"columns[1].indicator.family"'],
      after: async (app) => {
        const settings = await app.request('GET', '/api/settings', { as: 'free' });
        expect(settings.json).toMatchObject({ columnPreferences: {} });
      },
    },
    {
      ...get('/settings'),
      name: 'a layout of an older catalog opens without what no longer exists, and says what that was',
      as: 'free',
      setup: async (app) => {
        await app.user('free');
        const gone = {
          ...column,
          id: 'indicator:D:old_1',
          indicator: { family: 'old', params: {}, tf: 'D', key: 'old_1' },
        };
        app.db
          .update(users)
          .set({ columnPreferences: { custom: [gone, column], lost: [] } })
          .run();
      },
      status: 200,
      contains: [
        '"custom":[{"id":"indicator:60:rsi_14"',
        '"droppedColumns":{"custom":[{"id":"indicator:D:old_1","reason":"The indicator \\"old\\" is not in the catalog."}]}',
      ],
      absent: ['"lost"'],
    },
  ]);
});
