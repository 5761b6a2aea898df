import { describe, expect, test } from 'bun:test';
import type { DemandItem } from '../../../../src/market/indicators/rules/demandItem.ts';
import {
  addAlert,
  changeAlert,
  indicatorAbove,
  lastAbove,
  watchlistOf,
  withListed,
} from '../../../support/alertsApp.ts';
import { createTestApp, type TestApp } from '../../../support/testApp.ts';

const RSI = indicatorAbove('rsi', { length: '14' }, '60');
const HTF = {
  op: 'AND',
  conditions: [{ lhs: 'last', op: '>', rhs: { type: 'htf', period: '3M', field: 'high' } }],
};

const textOf = (item: DemandItem): string =>
  item.kind === 'htf'
    ? `${item.choice.period} ${item.choice.field}`
    : `${item.choice.family} ${item.choice.tf} ${item.choice.delay}`;
const inUse = (app: TestApp): string[] => app.parts.indicators.service.demand.current().map(textOf).sort();

describe('what an active alert reads is in use', () => {
  test('while it is on, until it reads something else, is deleted, or its symbol leaves the watchlist', () =>
    withListed(async (app) => {
      await addAlert(app, { logic_json: RSI });
      await addAlert(app, { logic_json: HTF, symbol: 'CBA' });
      await addAlert(app, { logic_json: indicatorAbove('mom', {}, 'D'), active: false });
      expect(inUse(app)).toEqual(['3M high', 'rsi 60 0']);
      await changeAlert(app, 1, { active: false });
      expect(inUse(app)).toEqual(['3M high']);
      await changeAlert(app, 1, { active: true });
      expect(inUse(app)).toEqual(['3M high', 'rsi 60 0']);
      await changeAlert(app, 1, { logic_json: lastAbove(50) });
      expect(inUse(app)).toEqual(['3M high']);
      await changeAlert(app, 1, { logic_json: RSI });
      await app.request('DELETE', '/api/alerts/1', { as: 'free' });
      expect(inUse(app)).toEqual(['3M high']);
      const item = (await watchlistOf(app)).find(({ symbol }) => symbol === 'CBA');
      await app.request('DELETE', `/api/watchlist/${item?.id}`, { as: 'free' });
      expect(inUse(app)).toEqual([]);
    }));

  test('as long as any alert or column of anybody reads it', () =>
    withListed(async (app) => {
      await addAlert(app, { logic_json: RSI });
      await addAlert(app, { logic_json: RSI }, 'basic');
      const [ref] = RSI.conditions.map(({ lhs }) => lhs);
      await app.request('POST', '/api/indicators/prefs', { as: 'free', body: { refs: [ref] } });
      await app.request('DELETE', '/api/alerts/1', { as: 'free' });
      await app.request('DELETE', '/api/alerts/2', { as: 'basic' });
      expect(inUse(app)).toEqual(['rsi 60 0']);
      await app.request('POST', '/api/indicators/prefs', { as: 'free', body: { refs: [] } });
      expect(inUse(app)).toEqual([]);
    }));

  test('after a restart', () =>
    withListed(async (app) => {
      await addAlert(app, { logic_json: RSI });
      await addAlert(app, { logic_json: HTF, active: false });
      const next = createTestApp({ db: app.db, clock: app.clock });
      next.parts.indicators.start();
      expect(inUse(next)).toEqual(['rsi 60 0']);
      next.close();
    }));
});

describe('a user’s alerts count among the 100 indicator values that one user reads', () => {
  const TIMEFRAMES = ['5', '15', '30', '60', '120', '240', 'D', 'W', 'M'];
  const values = (family: string, count = TIMEFRAMES.length) => ({
    op: 'AND',
    conditions: TIMEFRAMES.slice(0, count).flatMap((tf) => indicatorAbove(family, {}, tf).conditions),
  });
  const FAMILIES = ['rsi', 'ema', 'sma', 'mom', 'cci', 'atr', 'adx', 'roc', 'uo', 'hull-ma', 'ao'];

  test('one value too many is refused with a sentence, whether it is added, changed or switched on', () =>
    withListed(async (app) => {
      for (const family of FAMILIES) await addAlert(app, { logic_json: values(family) }, 'basic');
      expect(inUse(app)).toHaveLength(99);
      const post = (count: number, more: object = {}) =>
        app.request('POST', '/api/alerts', {
          as: 'basic',
          body: { symbol: 'BHP', logic_json: values('w-r', count), ...more },
        });
      const refused = await post(2);
      expect([refused.status, refused.json]).toEqual([
        400,
        {
          error:
            'Your columns, chosen indicators, scans and alerts would read 101 indicator values together; at most 100 are served. Take some out first.',
          field: 'logic_json',
        },
      ]);
      expect((await post(1)).status).toBe(200);
      expect((await post(9, { active: false })).status).toBe(200);
      const change = (id: number, body: object) =>
        app.request('PATCH', `/api/alerts/${id}`, { as: 'basic', body });
      expect((await change(13, { active: true })).status).toBe(400);
      expect((await change(12, { logic_json: values('w-r', 2) })).status).toBe(400);
      expect((await change(12, { name: 'Still mine' })).status).toBe(200);
      const scan = { name: 'Scan', logic: values('stoch-k', 1) };
      const refusedScan = await app.request('POST', '/api/indicators/scans', { as: 'basic', body: scan });
      expect(refusedScan.status).toBe(400);
      await change(1, { active: false });
      expect((await change(13, { active: true })).status).toBe(200);
      expect(inUse(app)).toHaveLength(99);
    }));
});
