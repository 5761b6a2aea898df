import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { users } from '#platform/db/schema.ts';
import { createPlatformValues } from '#sources/quotes/tradingview/index.ts';
import { RSI } from '#support/conditions.ts';
import { createTestApp, type TestApp } from '#support/testApp.ts';

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

let app: TestApp;
beforeEach(() => {
  app = createTestApp();
});
afterEach(() => app.close());

type As = 'free' | 'basic';
const get = async <T>(path: string, as: As = 'free'): Promise<T> =>
  (await app.request('GET', `/api${path}`, { as })).json as T;
const send = (method: string, path: string, body?: unknown, as: As = 'free') =>
  app.request(method, `/api${path}`, { as, ...(body === undefined ? {} : { body }) });
const inUse = () => app.parts.indicators.service.demand.current();

describe('GET /api/indicators/catalog/tv', () => {
  type Catalog = {
    catalog: { indicators: Record<string, { timeframes: string[] }>; fetchedAt: number };
    timeframes: { key: string; label: string }[];
    unavailable: string[];
  };
  const timeframesOf = ({ catalog }: Catalog, family: string) => catalog.indicators[family]?.timeframes;

  test('offers 3 minutes and no patterns if values are computed', async () => {
    const found = await get<Catalog>('/indicators/catalog/tv');
    expect(Object.keys(found.catalog.indicators)).toHaveLength(159);
    expect(found.catalog.fetchedAt).toBe(Date.UTC(2026, 6, 1));
    expect(timeframesOf(found, 'rsi')).toContain('3');
    expect(timeframesOf(found, 'candle-doji')).not.toContain('3');
    expect(found.unavailable).toContain('candle-doji');
    expect(found.unavailable).not.toContain('macd-signal');
    expect(found.timeframes).toContainEqual({ key: 'D', label: '1D' });
  });

  test("offers patterns, and no 3 minutes or texts, if the values are the platform's", async () => {
    app.close();
    app = createTestApp({ source: { ownValues: createPlatformValues() } });
    const found = await get<Catalog>('/indicators/catalog/tv');
    expect(timeframesOf(found, 'rsi')).not.toContain('3');
    expect(found.unavailable.toSorted()).toEqual(['time', 'update-mode']);
  });
});

describe('chosen indicators', () => {
  test('are saved normalised, and visible only to their owner', async () => {
    expect(await get('/indicators/prefs')).toEqual({ prefs: { refs: [] } });
    const saved = await send('POST', '/indicators/prefs', { refs: [RSI_SHORT, HTF] });
    expect([saved.status, saved.json]).toEqual([200, { refs: [RSI, HTF] }]);
    expect(await get('/indicators/prefs')).toEqual({ prefs: { refs: [RSI, HTF] } });
    expect(await get('/indicators/prefs', 'basic')).toEqual({ prefs: { refs: [] } });
    expect(inUse()).toHaveLength(2);
  });

  test.each([
    [{ refs: 7 }, 'The field "refs" of the request body is missing or invalid.', 'refs'],
    [
      { refs: [{ family: 'magic', tf: 'D' }] },
      'The indicator "magic" is not in the catalog.',
      'refs[0].family',
    ],
    [{ refs: Array(61).fill(RSI) }, 'You can choose at most 60 indicators.', 'refs'],
  ])('are refused, number %#', async (body, error, field) => {
    const refused = await send('POST', '/indicators/prefs', body);
    expect([refused.status, refused.json]).toEqual([400, { error, field }]);
  });
});

describe('saved scans', () => {
  const save = (name: string, as: As = 'free') =>
    send('POST', '/indicators/scans', { name, logic: LOGIC }, as);

  test('are saved by name and listed to their owner, and keep their values in use until deleted', async () => {
    expect(await save('  Breakout ')).toMatchObject({ status: 200, json: { scan: { name: 'Breakout' } } });
    expect(await get('/indicators/scans')).toMatchObject({
      scans: [{ name: 'Breakout', logic: LOGIC, problem: null }],
    });
    expect(await get('/indicators/scans', 'basic')).toEqual({ scans: [] });
    expect(inUse()).toHaveLength(2);
    const others = await send('PUT', '/indicators/scans/1', { name: 'Mine', logic: LOGIC }, 'basic');
    expect(others).toMatchObject({
      status: 404,
      json: { error: 'That scan no longer exists. Reload the list.' },
    });
    const deleted = await send('DELETE', '/indicators/scans/1');
    expect([deleted.status, deleted.json]).toEqual([200, { success: true }]);
    expect(inUse()).toEqual([]);
  });

  test('have a unique name per user in any case, and errors name the wrong member', async () => {
    for (const as of ['free', 'basic'] as const) expect((await save('Breakout', as)).status).toBe(200);
    const twice = await save('BREAKOUT');
    const error = 'You already have a scan named "BREAKOUT". Choose another name.';
    expect([twice.status, twice.json]).toEqual([400, { error, field: 'name' }]);
    const logic = { op: 'AND', conditions: [{ lhs: 'last', op: '=', rhs: 1 }] };
    const wrong = await send('POST', '/indicators/scans', { name: 'A', logic });
    expect([wrong.status, wrong.json]).toEqual([
      400,
      { error: 'Condition 1: Unknown comparison "=".', field: 'logic.conditions[0].op' },
    ]);
  });
});

describe('POST /api/settings/table-columns', () => {
  const column = { id: 'indicator:60:rsi_14', enabled: true, type: 'indicator', indicator: RSI_SHORT };
  const save = (...columns: unknown[]) =>
    send('POST', '/settings/table-columns', { tableKey: 'custom', columns });

  test('saves normalised columns, and enabled indicators are in use', async () => {
    const { json } = await save({ id: 'value', enabled: false, type: 'base' }, column);
    const { columnPreferences } = json as {
      columnPreferences: { custom: { id: string; enabled: boolean }[] };
    };
    expect(columnPreferences.custom.map(({ id, enabled }) => [id, enabled])).toEqual([
      ['value', false],
      ['indicator:60:rsi_14', true],
      ...['name', 'last', 'volume'].map((id) => [id, true]),
      ...['day', 'sector', 'high52w', 'low52w', 'indicativeClose'].map((id) => [id, false]),
    ]);
    expect(inUse()).toHaveLength(1);
    expect(await get('/settings')).toMatchObject({ columnPreferences });
    await save({ ...column, enabled: false });
    expect(inUse()).toEqual([]);
  });

  test('refuses the whole request if an indicator is not in the catalog', async () => {
    const refused = await save(column, { ...column, indicator: { family: 'magic', tf: 'D' } });
    expect(refused).toMatchObject({ status: 400, json: { field: 'columns[1].indicator.family' } });
    expect((await get<{ columnPreferences: object }>('/settings')).columnPreferences).toEqual({});
  });

  test('opens an older layout without removed columns, and lists those', async () => {
    await app.user('free');
    const indicator = { family: 'old', params: {}, tf: 'D', key: 'old_1' };
    const gone = { ...column, id: 'indicator:D:old_1', indicator };
    app.db
      .update(users)
      .set({ columnPreferences: { custom: [gone, column], lost: [] } })
      .run();
    const { text } = await app.request('GET', '/api/settings', { as: 'free' });
    expect(text).toContain('"custom":[{"id":"indicator:60:rsi_14"');
    expect(text).toContain(
      '"droppedColumns":{"custom":[{"id":"indicator:D:old_1","reason":"The indicator \\"old\\" is not in the catalog."}]}',
    );
    expect(text).not.toContain('"lost"');
  });
});
