import { describe, expect, test } from 'bun:test';
import { auditEntries } from '#src/tables/administrationSchema.ts';
import { builtInFields } from '#market/indicators/rules/metainfo.ts';
import type { MetainfoResult } from '#subjects/indicators/server/catalog.ts';
import { failed, ok } from '#lib/result.ts';
import { createPlatformValues } from '#sources/quotes/tradingview/index.ts';
import { createTestApp, type TestApp } from '#support/testApp.ts';

describe('the platform’s catalog', () => {
  const BEFORE = { fetchedAt: Date.UTC(2026, 6, 1), totalIndicators: 159 };
  const URL = '/api/admin/indicators/catalog/tv';
  const answering = (result: MetainfoResult) => createTestApp({ runtime: { metainfo: async () => result } });
  const refresh = (app: TestApp) => app.request('POST', `${URL}/refresh`, { as: 'admin' });
  const shiny = [
    ...builtInFields(),
    { n: 'Shiny', t: 'number', r: null },
    { n: 'Shiny|60', t: 'number', r: null },
  ];

  test('is refreshed, reported, offered, and stored for the next start', async () => {
    const app = answering(ok({ fields: shiny }));
    expect((await app.request('GET', `${URL}/status`, { as: 'admin' })).json).toEqual(BEFORE);
    const catalog = { fetchedAt: app.clock.now(), totalIndicators: 160 };
    expect((await refresh(app)).json).toEqual(catalog);
    expect(app.db.select().from(auditEntries).all()).toMatchObject([
      { action: 'refresh catalog', target: 'TradingView', after: catalog, before: BEFORE },
    ]);
    const { text } = await app.request('GET', '/api/indicators/catalog/tv', { as: 'free' });
    expect(text).toContain('"shiny":{');
    const restarted = createTestApp({ db: app.db, clock: app.clock });
    expect(restarted.parts.indicators.service.catalog.status()).toEqual(catalog);
    restarted.close();
    app.close();
  });

  test.each([
    ['an error page', failed('came with HTTP status 503'), 'came with HTTP status 503'],
    ['a few columns', ok({ fields: shiny.slice(0, 40) }), 'indicator families'],
    [
      'a third of the families',
      ok({ fields: shiny.filter(({ n }) => /^(Pivot|Candle)/.test(n)).slice(0, 500) }),
      'instead of 159',
    ],
  ])('stays if the new one is unusable: %s', async (_, result, text) => {
    const app = answering(result);
    const refused = await refresh(app);
    expect(refused.status).toBe(502);
    expect(refused.text).toContain("The indicator catalog was not changed: TradingView's list ");
    expect(refused.text).toContain(text);
    expect(app.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    expect(app.parts.indicators.service.catalog.status()).toEqual(BEFORE);
    expect(app.db.select().from(auditEntries).all()).toEqual([]);
    app.close();
  });
});

test('the platform is polled only for values in a table, under its own names', async () => {
  const save = (app: TestApp, columns: unknown[]) =>
    app.request('POST', '/api/settings/table-columns', { as: 'free', body: { tableKey: 'custom', columns } });
  const indicator = (family: string, tf: string, valueKey = 'now', params = {}) => ({
    type: 'indicator',
    enabled: true,
    valueKey,
    indicator: { family, tf, params },
  });
  const values = createPlatformValues();
  const app = createTestApp({ source: { ownValues: values } });
  const htf = (period: string) => ({
    type: 'custom',
    enabled: true,
    custom: { family: 'htf_candle', params: { period, field: 'high' } },
  });
  await save(app, [
    indicator('rsi', '60', '1'),
    indicator('stoch-k', 'W', 'now', { lengths: '5_3_3' }),
    indicator('sma', 'D', 'now', { length: '50' }),
    htf('1M'),
    htf('3M'),
  ]);
  const columns = values.columns();
  expect(columns).toEqual([
    { column: 'RSI[1]|60', tf: '60', key: 'rsi_14', valueKey: '1' },
    { column: 'Stoch.K_5_3_3|1W', tf: 'W', key: 'stoch-k_5_3_3', valueKey: 'now' },
    { column: 'SMA50', tf: 'D', key: 'sma_50', valueKey: 'now' },
    { column: 'high|1M', tf: '1M', key: 'high', valueKey: '', into: 'htf' },
  ]);
  expect(values.columns()).toBe(columns);
  await save(app, []);
  expect(values.columns()).toEqual([]);
  app.close();
});

test('a column chosen through the API is computed with the next tick', async () => {
  const app = createTestApp();
  await app.parts.values.start();
  app.source.apply([{ code: 'BHP', last: 50, volume: 1000, open: 49 }]);
  app.tick.run();
  await app.request('POST', '/api/settings/table-columns', {
    as: 'free',
    body: {
      tableKey: 'intraDayMidLarge',
      columns: [{ type: 'indicator', enabled: true, indicator: { family: 'change-from-open-abs', tf: 'D' } }],
    },
  });
  expect(app.tick.run()?.upsert['BHP']).toEqual({
    indicators: { D: { 'change-from-open-abs': { now: 1 } } },
  });
  app.parts.values.stop();
  app.close();
});
