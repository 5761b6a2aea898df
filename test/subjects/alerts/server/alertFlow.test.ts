import { describe, expect, test } from 'bun:test';
import { alerts, alertTriggers, linkedChats, outbox } from '../../../../src/platform/db/alertSchema.ts';
import { ARMING_MS } from '../../../../src/subjects/alerts/rules/arming.ts';
import type { AlertView, TriggerView } from '../../../../src/subjects/alerts/rules/alertView.ts';
import { listenToAlerts } from '../../../support/alertStreamClient.ts';
import { addAlert, alertsOf, changeAlert, lastAbove, withListed } from '../../../support/alertsApp.ts';
import { trade } from '../../../support/callsApp.ts';
import { createTestApp, type TestApp } from '../../../support/testApp.ts';

const TELEGRAM = { destinations: { telegram: true } };

/** A confirmed chat of the free user. */
async function linkChat(app: TestApp, chatId = '4711'): Promise<void> {
  const { id: userId } = await app.user('free');
  const now = app.clock.now();
  const chat = { userId, platform: 'telegram' as const, chatId, createdAt: now, confirmedAt: now };
  app.db.insert(linkedChats).values(chat).run();
}

const read = async <T>(app: TestApp, path: string): Promise<T> =>
  (await app.request('GET', `/api${path}`, { as: 'free' })).json as T;
const triggersOf = async (app: TestApp, id: number): Promise<TriggerView[]> =>
  (await read<{ triggers: TriggerView[] }>(app, `/alerts/${id}/triggers`)).triggers;
const messages = (app: TestApp) => app.db.select().from(outbox).all();
const view = async (app: TestApp): Promise<AlertView | undefined> => (await alertsOf(app))[0];

describe('an alert that fires', () => {
  test('is told to its owner’s windows, shown with what it saw, and sent to the confirmed chats', () =>
    withListed(async (app) => {
      await linkChat(app);
      await addAlert(app, { ...TELEGRAM, persistent: false });
      const listener = await listenToAlerts(app, await app.tokenOf(await app.user('free')));
      const other = await listenToAlerts(app, await app.tokenOf(await app.user('basic')));
      trade(app, 'BHP', 50.5);
      await listener.until(({ events }) => events.length > 0);
      const seen = [
        {
          left: { text: 'Last', value: 50.5 },
          op: '>',
          right: { text: '50', value: 50 },
          holds: true,
        },
      ];
      const timestamp = new Date(app.clock.now()).toISOString();
      expect(listener.events).toEqual([
        {
          id: '1',
          event: 'alert_triggered',
          data: {
            alertId: 1,
            triggerId: 1,
            timestamp,
            marketTime: timestamp,
            deactivated: true,
            symbol: 'BHP',
            name: 'Breakout',
            text: expect.stringMatching(/^BHP 50\.50 ▲ .* · .*above 50\.00 · 11:00 Sydney$/),
            seen,
            silent: false,
            sound: null,
          },
        },
      ]);
      expect(await view(app)).toMatchObject({
        active: false,
        last_triggered_at: timestamp,
        last_triggered_market_time: timestamp,
        stopped_reason: null,
        version: 1,
        delivery: 'waiting',
      });
      expect(await triggersOf(app, 1)).toEqual([
        {
          id: 1,
          timestamp,
          marketTime: timestamp,
          seen: seen as TriggerView['seen'],
          quoteTime: null,
          source: 'hand',
          delayMinutes: 0,
          deactivated: true,
          silent: false,
          guard: null,
          withheld: false,
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

  test('says whether its messages were delivered, the worst of them', () =>
    withListed(async (app) => {
      await linkChat(app);
      await linkChat(app, '4712');
      await addAlert(app, TELEGRAM);
      trade(app, 'BHP', 51);
      const [first, second] = messages(app);
      const set = (id: number | undefined, status: 'sent' | 'failed') =>
        app.db.$client.run('update outbox set status = ? where id = ?', [status, id ?? 0]);
      set(first?.id, 'sent');
      expect((await view(app))?.delivery).toBe('waiting');
      set(second?.id, 'sent');
      expect((await view(app))?.delivery).toBe('sent');
      set(second?.id, 'failed');
      expect((await view(app))?.delivery).toBe('failed');
      expect((await triggersOf(app, 1))[0]?.delivery).toBe('failed');
    }));

  test('tells windows when its messages were delivered or given up, once', () =>
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

  test('sends nothing to chats that are not confirmed, or not asked for', () =>
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

  test('while it is snoozed disturbs nobody', () =>
    withListed(async (app) => {
      await linkChat(app);
      await addAlert(app, TELEGRAM);
      const user = await app.user('free');
      app.parts.alerts.service.snooze(user.id, 1, app.clock.now() + 60_000);
      const listener = await listenToAlerts(app, await app.tokenOf(user));
      trade(app, 'BHP', 51);
      await listener.until(({ events }) => events.length > 0);
      expect(listener.events[0]?.data).toMatchObject({ silent: true });
      expect(messages(app)).toEqual([]);
      await listener.leave();
    }));

  test('keeps its newest 20 triggers in the list, newest first', () =>
    withListed(async (app) => {
      await addAlert(app);
      for (let index = 0; index < 25; index += 1) {
        trade(app, 'BHP', 51);
        app.clock.advance(61_000);
        trade(app, 'BHP', 40);
      }
      const ids = (await triggersOf(app, 1)).map(({ id }) => id);
      expect(ids).toEqual(Array.from({ length: 20 }, (_, index) => 25 - index));
    }));
});

describe('the engine takes up', () => {
  test('a change of the conditions, a switch, and a deletion', () =>
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
      // True already: it can be undone for so long.
      app.clock.advance(ARMING_MS);
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

  test('another name or other destinations without forgetting that it fired', () =>
    withListed(async (app) => {
      await addAlert(app);
      trade(app, 'BHP', 51);
      await changeAlert(app, 1, { name: 'Renamed', destinations: { discord: true }, version: 1 });
      app.clock.advance(120_000);
      trade(app, 'BHP', 52);
      expect(await triggersOf(app, 1)).toHaveLength(1);
    }));

  test('what fired before it was moved tells of the symbol that it fired for', () =>
    withListed(async (app) => {
      await addAlert(app);
      trade(app, 'BHP', 51);
      await changeAlert(app, 1, { symbol: 'CBA' });
      const { id } = await app.user('free');
      expect(app.parts.alerts.service.triggers(id, 1, 20)).toMatchObject([{ symbol: 'BHP', alertId: 1 }]);
      expect(app.parts.alerts.service.triggerById(id, 1)).toMatchObject({ symbol: 'BHP', userId: id });
    }));

  test('the alerts of a removed symbol are gone', () =>
    withListed(async (app) => {
      await addAlert(app);
      await app.request('DELETE', '/api/watchlist/1', { as: 'free' });
      trade(app, 'BHP', 51);
      expect(app.parts.alerts.inspect().summary).toMatchObject({ alerts: 0, symbols: 0 });
    }));

  test('what was stored, after a restart, and fires no second time', () =>
    withListed(async (app) => {
      await addAlert(app);
      trade(app, 'BHP', 51);
      app.parts.alerts.stop();
      const next = createTestApp({ db: app.db, clock: app.clock });
      expect(next.parts.alerts.inspect().summary).toMatchObject({ alerts: 1 });
      app.clock.advance(120_000);
      next.source.give([{ code: 'BHP', status: 'Open', last: 52, open: 40, volume: 200 }]);
      next.tick.run();
      expect(next.db.select().from(alerts).get()?.lastTriggeredAt).toBeLessThan(app.clock.now());
      expect(next.parts.alerts.service.triggers((await app.user('free')).id, 1, 20)).toHaveLength(1);
      next.close();
    }));
});

describe('GET /api/alerts/:id/evaluation', () => {
  test('says what the conditions see now, and why they see nothing', () =>
    withListed(async (app) => {
      const conditions = [...lastAbove(50).conditions, ...lastAbove(30).conditions];
      await addAlert(app, { logic_json: { op: 'AND', conditions } });
      app.tick.run();
      expect(await read<unknown>(app, '/alerts/1/evaluation')).toEqual({
        at: new Date(app.clock.now()).toISOString(),
        notEvaluated: null,
        guard: null,
        holds: false,
        conditions: [
          { left: { text: 'Last', value: 40 }, op: '>', right: { text: '50', value: 50 }, holds: false },
          { left: { text: 'Last', value: 40 }, op: '>', right: { text: '30', value: 30 }, holds: true },
        ],
      });
      app.source.give([{ code: 'BHP', status: 'Halted' }]);
      app.tick.run();
      expect(await read<unknown>(app, '/alerts/1/evaluation')).toMatchObject({
        notEvaluated: 'BHP is halted',
        holds: null,
      });
    }));
});

test('an alert whose indicator is not in the catalog any more says so instead of waiting for its value', () =>
  withListed(async (app) => {
    await addAlert(app);
    const { id } = await app.user('free');
    const ref = {
      type: 'indicator',
      family: 'gone',
      params: {},
      tf: 'D',
      key: 'gone',
      valueKey: 'now',
    } as const;
    const logic = { op: 'AND' as const, conditions: [{ lhs: ref, op: '>' as const, rhs: ref }] };
    app.db.update(alerts).set({ logic }).run();
    app.parts.alerts.service.snooze(id, 1, null);
    app.tick.run();
    expect(await read<unknown>(app, '/alerts/1/evaluation')).toMatchObject({
      notEvaluated: 'Condition 1: The indicator "gone" is not in the catalog',
      holds: null,
    });
  }));

test('an alert that fires once lets go of what it read, at the next tick at the latest', () =>
  withListed(async (app) => {
    const htf = { type: 'htf', period: '3M', field: 'high' };
    const both = [...lastAbove(50).conditions, { lhs: 'last', op: '>', rhs: htf }];
    await addAlert(app, { persistent: false, logic_json: { op: 'AND', conditions: both } });
    await addAlert(app, { persistent: false });
    expect(app.parts.indicators.service.demand.current()).toHaveLength(1);
    app.parts.market.service.setValues('BHP', { indicators: {}, htf: { '3M': { high: 45 } } });
    trade(app, 'BHP', 51);
    app.tick.run();
    expect((await alertsOf(app)).map(({ active }) => active)).toEqual([false, false]);
    expect(app.parts.indicators.service.demand.current()).toEqual([]);
  }));

test('triggers are kept for 30 days', () =>
  withListed(async (app) => {
    await addAlert(app);
    trade(app, 'BHP', 51);
    const kept = () => app.db.select().from(alertTriggers).all().length;
    app.clock.advance(29 * 24 * 3_600_000);
    app.parts.alerts.prune();
    expect(kept()).toBe(1);
    app.clock.advance(2 * 24 * 3_600_000);
    app.parts.alerts.prune();
    expect(kept()).toBe(0);
  }));
