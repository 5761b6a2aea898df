import { describe, expect, test } from 'bun:test';
import { linkedChats, outbox } from '#src/tables/alertSchema.ts';
import { UNDO_WINDOW_MS } from '#subjects/alerts/rules/alert.ts';
import type { AlertView, TriggerView } from '#subjects/alerts/rules/alertView.ts';
import { listenToAlerts } from '#support/alertStreamClient.ts';
import {
  addAlert,
  alertsOf,
  changeAlert,
  indicatorAbove,
  lastAbove,
  watchlistOf,
  withListed,
  linkChat,
} from '#support/alertsApp.ts';
import { trade } from '#support/callsApp.ts';
import { createTestApp, type TestApp } from '#support/testApp.ts';
import type { DemandItem } from '#market/indicators/rules/indicatorKey.ts';

const TELEGRAM = { destinations: { telegram: true } };

const read = async <T>(app: TestApp, path: string): Promise<T> =>
  (await app.request('GET', `/api${path}`, { as: 'free' })).json as T;
const triggersOf = async (app: TestApp, id: number): Promise<TriggerView[]> =>
  (await read<{ triggers: TriggerView[] }>(app, `/alerts/${id}/triggers`)).triggers;
const messages = (app: TestApp) => app.db.select().from(outbox).all();
const view = async (app: TestApp): Promise<AlertView | undefined> => (await alertsOf(app))[0];

describe('an alert that fires', () => {
  test('is pushed to its owner’s windows with its values, and sent to the confirmed chats', () =>
    withListed(async (app) => {
      await linkChat(app);
      await addAlert(app, { ...TELEGRAM, persistent: false });
      const listener = await listenToAlerts(app, await app.tokenOf(await app.user('free')));
      const other = await listenToAlerts(app, await app.tokenOf(await app.user('basic')));
      trade(app, 'BHP', 50.5);
      await listener.until(({ events }) => events.length > 0);
      const [left, right] = [
        { text: 'Last', value: 50.5 },
        { text: '50', value: 50 },
      ];
      const seen = [{ left, op: '>', right, holds: true }];
      const timestamp = new Date(app.clock.now()).toISOString();
      const data = {
        alertId: 1,
        triggerId: 1,
        timestamp,
        marketTime: timestamp,
        deactivated: true,
        symbol: 'BHP',
        name: 'Breakout',
        seen,
        silent: false,
        sound: null,
        text: expect.stringMatching(/^BHP 50\.50 ▲ .* · .*above 50\.00 · 11:00 Sydney$/),
      };
      expect(listener.events).toEqual([{ id: '1', event: 'alert_triggered', data }]);
      expect(await view(app)).toMatchObject({
        active: false,
        last_triggered_at: timestamp,
        last_triggered_market_time: timestamp,
        stopped_reason: null,
        version: 1,
        delivery: 'waiting',
      });
      expect(await triggersOf(app, 1)).toMatchObject([
        {
          id: 1,
          timestamp,
          marketTime: timestamp,
          seen,
          deactivated: true,
          silent: false,
          delivery: 'waiting',
        },
      ]);
      expect(messages(app)).toMatchObject([
        { platform: 'telegram', chatId: '4711', triggerId: 1, status: 'waiting' },
      ]);
      expect(other.events).toEqual([]);
      await listener.leave();
      await other.leave();
    }));

  test('notifies windows once when its messages were delivered or given up', () =>
    withListed(async (app) => {
      await linkChat(app);
      await addAlert(app, TELEGRAM);
      await addAlert(app, { name: 'sent nowhere' });
      const listener = await listenToAlerts(app, await app.tokenOf(await app.user('free')));
      trade(app, 'BHP', 51);
      app.tick.run();
      app.db.$client.run("update outbox set status = 'failed'");
      app.tick.run();
      app.tick.run();
      await listener.until(({ events }) => events.length >= 3);
      await Bun.sleep(5);
      expect(listener.events.slice(2).map(({ event, data }) => ({ event, data }))).toEqual([
        { event: 'alert_changed', data: { alertId: 1, symbol: 'BHP' } },
      ]);
      await listener.leave();
    }));

  test('sends nothing to unconfirmed or unselected chats', () =>
    withListed(async (app) => {
      await linkChat(app);
      app.db.update(linkedChats).set({ confirmedAt: null }).run();
      await addAlert(app, TELEGRAM);
      await addAlert(app, { destinations: {} });
      trade(app, 'BHP', 51);
      expect(messages(app)).toEqual([]);
      expect((await alertsOf(app)).map(({ delivery }) => delivery)).toEqual([null, null]);
      expect(await triggersOf(app, 1)).toMatchObject([{ delivery: null }]);
    }));
});

test('the engine applies changed conditions, a switch, and a deletion', () =>
  withListed(async (app) => {
    const fired = async (id: number) => (await triggersOf(app, id)).length;
    await addAlert(app);
    await changeAlert(app, 1, { logic_json: lastAbove(60) });
    trade(app, 'BHP', 51);
    expect(await fired(1)).toBe(0);
    await changeAlert(app, 1, { active: false });
    trade(app, 'BHP', 61);
    expect(await fired(1)).toBe(0);
    await changeAlert(app, 1, { active: true });
    // The condition is already true, so the undo window must pass.
    app.clock.advance(UNDO_WINDOW_MS);
    app.tick.run();
    expect(await fired(1)).toBe(1);
    await changeAlert(app, 1, { symbol: 'CBA' });
    trade(app, 'CBA', 61);
    expect(await fired(1)).toBe(2);
    await app.request('DELETE', '/api/alerts/1', { as: 'free' });
    trade(app, 'CBA', 40);
    app.clock.advance(61_000);
    trade(app, 'CBA', 61);
    expect(app.parts.alerts.inspect().summary).toMatchObject({ alerts: 0 });
  }));

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

describe('values read by an active alert are in use', () => {
  test('while it is on, until it reads another value, is deleted, or its symbol leaves the watchlist', () =>
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

describe('a user’s alerts count towards the 100 indicator values of that user', () => {
  const TIMEFRAMES = ['5', '15', '30', '60', '120', '240', 'D', 'W', 'M'];
  const values = (family: string, count = TIMEFRAMES.length) => ({
    op: 'AND',
    conditions: TIMEFRAMES.slice(0, count).flatMap((tf) => indicatorAbove(family, {}, tf).conditions),
  });
  const FAMILIES = ['rsi', 'ema', 'sma', 'mom', 'cci', 'atr', 'adx', 'roc', 'uo', 'hull-ma', 'ao'];

  test('one value too many is refused on create, change and activation', () =>
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
            'Your columns, chosen indicators, scans and alerts would use 101 indicator values; at most 100 are served. Remove some first.',
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
