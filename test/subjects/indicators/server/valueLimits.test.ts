import { describe, expect, test } from 'bun:test';
import { users } from '#platform/db/schema.ts';
import { eachApp } from '#support/eachApp.ts';
import { START } from '#support/testApp.ts';
import { alerts } from '#src/tables/alertSchema.ts';
import type { DemandItem } from '#market/indicators/rules/indicatorKey.ts';
import { createAlertProblems } from '#subjects/alerts/server/alertProblems.ts';
import { createLog } from '#lib/log.ts';
import { Demand, type Status } from '#market/indicators/demand.ts';
import { createHandScheduler } from '#support/handScheduler.ts';
import type { OutboxService } from '#platform/outbox/index.ts';

const TIMEFRAMES = ['5', '15', '30', '60', '120', '240', 'D', 'W', 'M'];
const LENGTHS = ['10', '14', '20', '5', '7', '9', '21'];

/** This many references to different values. */
const refs = (count: number, family = 'ema') =>
  Array.from({ length: count }, (_, index) => ({
    type: 'indicator',
    family,
    params: { length: LENGTHS[Math.floor(index / TIMEFRAMES.length)] },
    tf: TIMEFRAMES[index % TIMEFRAMES.length],
    valueKey: 'now',
  }));
const columns = (count: number, family: string) =>
  refs(count, family).map(({ params, tf }, index) => ({
    id: `wanted-${index}`,
    enabled: true,
    type: 'indicator',
    indicator: { family, params, tf },
  }));
const scan = (count: number, family: string, name = 'Scan') => ({
  name,
  logic: {
    op: 'AND',
    conditions: refs(count, family).map((lhs) => ({ lhs, op: '>', rhs: { type: 'number', value: 1 } })),
  },
});

const app = eachApp();

const TOO_MANY =
  'Your columns, chosen indicators and scans would use 101 indicator values; at most 100 are served. Remove some first.';

test('a paid user has at most 100 indicator values over selection, columns and scans; one more is refused by field', async () => {
  const { request, parts } = app;
  const post = (path: string, body: unknown) => request('POST', `/api${path}`, { as: 'basic', body });
  const inUse = () => parts.indicators.service.demand.current().length;
  expect((await post('/indicators/prefs', { refs: refs(60) })).status).toBe(200);
  const table = (count: number) => ({ tableKey: 'preMarket', columns: columns(count, 'sma') });
  expect((await post('/settings/table-columns', table(36))).status).toBe(200);
  expect((await post('/indicators/scans', scan(4, 'rsi'))).status).toBe(200);
  expect(inUse()).toBe(100);

  const more = await post('/settings/table-columns', table(37));
  expect([more.status, more.json]).toEqual([400, { error: TOO_MANY, field: 'columns' }]);
  const another = await post('/indicators/scans', scan(1, 'mom', 'Another'));
  expect([another.status, another.json]).toEqual([400, { error: TOO_MANY, field: 'logic' }]);
  await post('/settings/table-columns', table(41));
  await post('/indicators/prefs', { refs: refs(55) });
  expect((await post('/settings/table-columns', table(41))).status).toBe(200);
  const chosen = await post('/indicators/prefs', { refs: refs(56) });
  expect([chosen.status, chosen.json]).toEqual([400, { error: TOO_MANY, field: 'refs' }]);
  expect(inUse()).toBe(100);
});

test('a free user has at most 20; earlier saved values stay and may be reduced', async () => {
  const { request, db, parts, user } = app;
  await user('free');
  db.update(users)
    .set({ columnPreferences: { custom: columns(30, 'sma') } })
    .run();
  parts.indicators.service.loadDemand();
  const save = (count: number) =>
    request('POST', '/api/settings/table-columns', {
      as: 'free',
      body: { tableKey: 'custom', columns: columns(count, 'sma') },
    });
  expect(parts.indicators.service.demand.current()).toHaveLength(20);
  expect((await save(31)).status).toBe(400);
  const less = await save(25);
  expect(less.json).toMatchObject({ indicatorValues: { limit: 20, used: 25 } });
  const { waitingColumns } = less.json as { waitingColumns: { custom: { reason: string }[] } };
  expect(waitingColumns.custom.map(({ reason }) => reason)).toHaveLength(5);
  expect(waitingColumns.custom[0]?.reason).toBe(
    'The Free plan has 20 indicator values for columns, scans and alerts together. Alerts have priority.',
  );
});

describe('shortages', () => {
  const DAY = 24 * 60 * 60 * 1000;

  const item = (key: string): DemandItem => ({
    kind: 'indicator',
    choice: { family: key, params: {}, tf: 'D', delay: 0 },
    key,
  });
  const many = (name: string, count: number): DemandItem[] =>
    Array.from({ length: count }, (_, index) => item(`${name}${index}`));

  describe('in a shortage of values', () => {
    const NOW = 100 * DAY;
    const status = (user: string, more: Partial<Status> = {}): Status => ({
      user,
      use: 'columns',
      plan: 'free',
      since: NOW - 50 * DAY,
      limit: 20,
      ...more,
    });
    const served = (demand: Demand, name: string): number =>
      demand.current().filter((one) => one.kind === 'indicator' && one.key.startsWith(name)).length;

    test('alerts come before columns, and paid plans before free ones, in any order of requests', () => {
      const entries = [
        ['user:1', many('freeColumn', 20), status('1')],
        ['user:2', many('premiumColumn', 20), status('2', { plan: 'premium', limit: 100 })],
        ['alerts:1', many('freeAlert', 5), status('1', { use: 'alerts' })],
        ['user:3', many('basicColumn', 20), status('3', { plan: 'basic', limit: 100 })],
        ['alerts:3', many('basicAlert', 5), status('3', { use: 'alerts', plan: 'basic', limit: 100 })],
      ] as const;
      for (const order of [entries, entries.toReversed()]) {
        const demand = new Demand(40, () => NOW);
        demand.setAll(order);
        const names = ['freeAlert', 'basicAlert', 'premiumColumn', 'basicColumn', 'freeColumn'];
        expect(names.map((name) => served(demand, name))).toEqual([5, 5, 20, 10, 0]);
      }
    });

    test('older free accounts are served completely first, and those under a week old come last', () => {
      const demand = new Demand(40, () => NOW);
      demand.setAll([
        ['alerts:9', many('newAlert', 20), status('9', { use: 'alerts', since: NOW - 7 * DAY + 1 })],
        ['user:2', many('younger', 20), status('2', { since: NOW - 7 * DAY })],
        ['user:1', many('older', 12), status('1')],
      ]);
      expect(['older', 'younger', 'newAlert'].map((name) => served(demand, name))).toEqual([12, 20, 8]);
    });

    test('users of a paid plan take turns', () => {
      const demand = new Demand(30, () => NOW);
      const paid = (user: string, since: number) => status(user, { plan: 'premium', limit: 100, since });
      demand.set('user:1', many('greedy', 90), paid('1', 1));
      demand.set('user:2', many('modest', 10), paid('2', 2));
      expect([served(demand, 'greedy'), served(demand, 'modest')]).toEqual([20, 10]);
    });

    test('a user’s own limit counts each value once, alerts first; waiting values have a reason', () => {
      const demand = new Demand(25, () => NOW);
      demand.set('user:1', [item('both'), ...many('column', 25)], status('1'));
      demand.set('alerts:1', [item('both'), ...many('alert', 9)], status('1', { use: 'alerts' }));
      expect([served(demand, 'alert'), served(demand, 'both'), served(demand, 'column')]).toEqual([9, 1, 10]);
      expect([...demand.waiting('user:1').values()]).toEqual(Array(15).fill('plan'));
      expect(demand.waiting('alerts:1').size).toBe(0);
      demand.set('user:2', many('other', 10), status('2', { plan: 'premium', limit: 100 }));
      const reasons = [...demand.waiting('user:1').values()];
      expect(reasons.filter((why) => why === 'server')).toHaveLength(5);
      demand.set('user:2', []);
      expect(demand.waiting('user:1').size).toBe(15);
    });
  });

  test('an alert without its values shows that, and notifies its owner’s chat once until it is served', async () => {
    const logic = {
      op: 'AND' as const,
      conditions: [
        {
          lhs: { type: 'indicator', family: 'rsi', params: {}, tf: '60', valueKey: 'now' },
          op: '>',
          rhs: 70,
        },
      ],
    };
    app.source.apply([{ code: 'BHP', name: 'BHP Group', last: 42, close: 41 }]);
    const created = await app.request('POST', '/api/alerts', {
      as: 'free',
      body: { symbol: 'BHP', name: 'Hot', logic_json: logic, destinations: { telegram: true } },
    });
    expect(created.status).toBe(200);
    const problemNow = async () => {
      const { json } = await app.request('GET', '/api/alerts', { as: 'free' });
      return (json as { alerts: { problem: string | null }[] }).alerts[0]?.problem;
    };
    expect(await problemNow()).toBeNull();
    app.db.update(alerts).set({ telegram: true }).run();

    const time = createHandScheduler(START);
    const sent: { chatId: string; userId: number; message: { title: string; lines: readonly string[] } }[] =
      [];
    const { indicators } = app.parts;
    const watch = createAlertProblems({
      ...app.services,
      log: createLog(() => undefined),
      chatsOf: () => [
        { platform: 'telegram', chatId: '77' },
        { platform: 'discord', chatId: '88' },
      ],
      outbox: {
        add: (messages: typeof sent) => void sent.push(...messages),
        wake: () => {},
      } as unknown as OutboxService,
      schedule: time.schedule,
    });
    watch.start();
    const crowd: Status = { user: 'crowd', use: 'alerts', plan: 'premium', since: 0, limit: 1000 };
    const { demand } = indicators.service;
    demand.set('alerts:crowd', many('x', 200), crowd);
    expect(await problemNow()).toMatch(
      /^Not checked: RSI.* is waiting for a value. The server computes at most 200 indicator values, and more are in use\./,
    );
    const evaluation = await app.request('GET', '/api/alerts/1/evaluation', { as: 'free' });
    expect(evaluation.json).toMatchObject({ holds: null });
    time.advance(60_000);
    expect(sent).toHaveLength(0);
    time.advance(60_000);
    expect(sent.map(({ chatId }) => chatId)).toEqual(['77']);
    expect(sent[0]?.message.title).toBe('One of your alerts needs your attention');
    expect(sent[0]?.message.lines[0]).toMatch(/^BHP Hot: Not checked: RSI/);
    time.advance(10 * 60_000);
    expect(sent).toHaveLength(1);
    demand.set('alerts:crowd', [], crowd);
    time.advance(60_000);
    expect(await problemNow()).toBeNull();
    demand.set('alerts:crowd', many('x', 200), crowd);
    time.advance(3 * 60_000);
    expect(sent).toHaveLength(2);
    watch.stop();
  });
});
