import { describe, expect, test } from 'bun:test';
import { auditEntries } from '../../../../src/platform/db/administrationSchema.ts';
import { builtInFields } from '../../../../src/market/indicators/rules/builtInCatalog.ts';
import { type MetainfoResult } from '../../../../src/subjects/indicators/server/metainfo.ts';
import { failed, ok } from '../../../../src/lib/result.ts';
import { createPlatformValues } from '../../../../src/sources/quotes/tradingview/platformValues.ts';
import { scenarios } from '../../../support/scenario.ts';
import { createTestApp, type TestApp } from '../../../support/testApp.ts';

describe('the catalog of the platform', () => {
  const status = { method: 'GET', url: '/api/admin/indicators/catalog/tv/status' } as const;
  const refresh = { method: 'POST', url: '/api/admin/indicators/catalog/tv/refresh' } as const;
  const answering = (result: MetainfoResult | Promise<MetainfoResult>) => ({
    runtime: { metainfo: async () => result },
  });
  const shiny = [
    ...builtInFields(),
    { n: 'Shiny', t: 'number', r: null },
    { n: 'Shiny|60', t: 'number', r: null },
  ];

  scenarios([
    {
      ...status,
      name: 'administrator asks',
      as: 'admin',
      status: 200,
      json: { fetchedAt: Date.UTC(2026, 6, 1), totalIndicators: 159 },
    },
    {
      ...refresh,
      name: 'refreshed: told, offered, kept for the next start',
      app: answering(ok({ fields: shiny })),
      as: 'admin',
      status: 200,
      after: async (app, { json }) => {
        const told = { fetchedAt: app.clock.now(), totalIndicators: 160 };
        expect(json).toEqual(told);
        expect(app.db.select().from(auditEntries).all()).toMatchObject([
          {
            ...{ action: 'refresh catalog', target: 'TradingView', after: told },
            before: { fetchedAt: Date.UTC(2026, 6, 1), totalIndicators: 159 },
          },
        ]);
        const { text } = await app.request('GET', '/api/indicators/catalog/tv', { as: 'free' });
        expect(text).toContain('"shiny":{');
        const restarted = createTestApp({ db: app.db, clock: app.clock });
        expect(restarted.parts.indicators.service.catalog.status()).toEqual(told);
        restarted.close();
      },
    },
    ...(
      [
        ['an error page', failed('came with HTTP status 503'), 'came with HTTP status 503'],
        ['a few columns', ok(shiny.slice(0, 40)), 'indicator families'],
        [
          'a third of the families',
          ok(shiny.filter(({ n }) => /^(Pivot|Candle)/.test(n)).slice(0, 500)),
          'instead of 159',
        ],
      ] as const
    ).map(([name, result, text]) => ({
      ...refresh,
      name: `unusable, the old catalog stays: ${name}`,
      app: answering(result),
      as: 'admin' as const,
      status: 502,
      contains: ["The indicator catalog was kept as it is: TradingView's list ", text],
      loggedErrors: 1,
      after: (app: TestApp) => {
        expect(app.parts.indicators.service.catalog.status()).toEqual({
          fetchedAt: Date.UTC(2026, 6, 1),
          totalIndicators: 159,
        });
        expect(app.db.select().from(auditEntries).all()).toEqual([]);
      },
    })),
  ]);
});

test('what the platform is asked for is what somebody has in a table, in its own names, and nothing once nobody has', async () => {
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

test('a column chosen through the routes is computed with the next tick', async () => {
  const app = createTestApp();
  await app.parts.values.start();
  app.source.give([{ code: 'BHP', last: 50, volume: 1000, open: 49 }]);
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
