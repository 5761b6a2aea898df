import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import { alerts } from '../../../../src/platform/db/alertSchema.ts';
import { users } from '../../../../src/platform/db/schema.ts';
import type { DemandItem } from '../../../../src/market/indicators/rules/demandItem.ts';
import { createShortage } from '../../../../src/subjects/alerts/server/shortage/index.ts';
import { createLog } from '../../../../src/lib/log.ts';
import { Demand, type Standing } from '../../../../src/market/indicators/demand.ts';
import { createHandScheduler } from '../../../support/handScheduler.ts';
import { createTestApp, START, type TestApp } from '../../../support/testApp.ts';

const DAY = 24 * 60 * 60 * 1000;
const TIMEFRAMES = ['5', '15', '30', '60', '120', '240', 'D', 'W', 'M'];
const LENGTHS = ['10', '14', '20', '5', '7', '9', '21'];
const OTHERS = ['rsi', 'mom', 'cci', 'atr', 'adx', 'roc', 'uo', 'hull-ma', 'ao', 'w-r', 'stoch-k', 'macd'];

/** Columns of 234 different values. */
const ALL = [
  ...['ema', 'sma'].flatMap((family) => LENGTHS.map((length) => ({ family, params: { length } }))),
  ...OTHERS.map((family) => ({ family, params: {} })),
].flatMap((indicator) =>
  TIMEFRAMES.map((tf) => ({
    id: `${indicator.family} ${tf}`,
    enabled: true,
    type: 'indicator',
    indicator: { ...indicator, tf },
  })),
);
const HONEST = ALL.slice(126, 138);
const PREMIUM = ALL.slice(138, 178);
const GREEDY = [...ALL.slice(0, 126), ...ALL.slice(178, 220)];
/** 98 of them, others for each number. */
const greedyColumns = (index: number) =>
  Array.from({ length: 98 }, (_, at) => GREEDY[(index * 7 + at) % GREEDY.length]);

const item = (key: string): DemandItem => ({
  kind: 'indicator',
  choice: { family: key, params: {}, tf: 'D', delay: 0 },
  key,
});
const many = (name: string, count: number): DemandItem[] =>
  Array.from({ length: count }, (_, index) => item(`${name}${index}`));

describe('in a shortage of values', () => {
  const NOW = 100 * DAY;
  const standing = (user: string, more: Partial<Standing> = {}): Standing => ({
    ...{ user, use: 'columns', plan: 'free', since: NOW - 50 * DAY, limit: 20 },
    ...more,
  });
  const served = (demand: Demand, name: string): number =>
    demand.current().filter((one) => one.kind === 'indicator' && one.key.startsWith(name)).length;

  test('alerts come before columns, and paid plans before free ones, in whatever order they ask', () => {
    const entries = [
      ['user:1', many('freeColumn', 20), standing('1')],
      ['user:2', many('premiumColumn', 20), standing('2', { plan: 'premium', limit: 100 })],
      ['alerts:1', many('freeAlert', 5), standing('1', { use: 'alerts' })],
      ['user:3', many('basicColumn', 20), standing('3', { plan: 'basic', limit: 100 })],
      ['alerts:3', many('basicAlert', 5), standing('3', { use: 'alerts', plan: 'basic', limit: 100 })],
    ] as const;
    for (const order of [entries, entries.toReversed()]) {
      const demand = new Demand(40, () => NOW);
      demand.setAll(order);
      const names = ['freeAlert', 'basicAlert', 'premiumColumn', 'basicColumn', 'freeColumn'];
      expect(names.map((name) => served(demand, name))).toEqual([5, 5, 20, 10, 0]);
    }
  });

  test('of free accounts the older is served whole before the next, and new ones come after everything', () => {
    const demand = new Demand(40, () => NOW);
    demand.setAll([
      ['alerts:9', many('newAlert', 20), standing('9', { use: 'alerts', since: NOW - DAY })],
      ['user:2', many('younger', 20), standing('2', { since: NOW - 20 * DAY })],
      ['user:1', many('older', 12), standing('1')],
    ]);
    expect(['older', 'younger', 'newAlert'].map((name) => served(demand, name))).toEqual([12, 20, 8]);
  });

  test('users of a paid plan take turns', () => {
    const demand = new Demand(30, () => NOW);
    const paid = (user: string, since: number) => standing(user, { plan: 'premium', limit: 100, since });
    demand.set('user:1', many('greedy', 90), paid('1', 1));
    demand.set('user:2', many('modest', 10), paid('2', 2));
    expect([served(demand, 'greedy'), served(demand, 'modest')]).toEqual([20, 10]);
  });

  test('a user’s own limit counts each value once, alerts first; what waits is told with its reason', () => {
    const demand = new Demand(25, () => NOW);
    demand.set('user:1', [item('both'), ...many('column', 25)], standing('1'));
    demand.set('alerts:1', [item('both'), ...many('alert', 9)], standing('1', { use: 'alerts' }));
    expect([served(demand, 'alert'), served(demand, 'both'), served(demand, 'column')]).toEqual([9, 1, 10]);
    expect([...demand.waiting('user:1').values()]).toEqual(Array(15).fill('plan'));
    expect(demand.waiting('alerts:1').size).toBe(0);
    demand.set('user:2', many('other', 10), standing('2', { plan: 'premium', limit: 100 }));
    const reasons = [...demand.waiting('user:1').values()];
    expect(reasons.filter((why) => why === 'server')).toHaveLength(5);
    demand.set('user:2', []);
    expect(demand.waiting('user:1').size).toBe(15);
  });
});

describe('210 free accounts with 98 columns each', () => {
  let app: TestApp;
  let restarted: TestApp;
  beforeEach(async () => {
    app = createTestApp();
    app.source.give([{ code: 'BHP', name: 'BHP Group', last: 42, close: 41 }]);
    const honest = await app.addUser('honest');
    const premium = await app.addUser('premium lady', { subscriptionType: 'premium' });
    app.db
      .update(users)
      .set({ createdAt: START - 100 * DAY })
      .where(eq(users.id, honest.id))
      .run();
    const save = (id: number, saved: Record<string, unknown>) =>
      app.db.update(users).set({ columnPreferences: saved }).where(eq(users.id, id)).run();
    save(honest.id, { custom: HONEST });
    save(premium.id, { custom: PREMIUM });
    for (let index = 0; index < 210; index += 1) {
      const { id } = await app.addUser(`greedy ${index}`);
      const own = greedyColumns(index);
      save(id, { custom: own.slice(0, 58), intraDaySmall: own.slice(58) });
    }
    // An older version made them: 98 columns and all saved.
    restarted = createTestApp({ db: app.db, clock: app.clock });
    restarted.source.give([{ code: 'BHP', name: 'BHP Group', last: 42, close: 41 }]);
    restarted.parts.indicators.start();
  });
  afterEach(() => {
    restarted.close();
    app.close();
  });

  const settingsOf = async (name: string) => {
    const user = restarted.db.select().from(users).where(eq(users.username, name)).get();
    if (!user) throw new Error(`${name} is nobody.`);
    const { accessToken: token } = await restarted.parts.accounts.service.openSession(user);
    const { json } = await restarted.request('GET', '/api/settings', { as: { token } });
    return json as {
      indicatorValues: { limit: number; used: number };
      waitingColumns: Record<string, { id: string; reason: string }[]>;
      columnPreferences: Record<string, unknown[]>;
    };
  };

  test('leave the honest older user and the premium user with all of theirs after a restart', async () => {
    const { demand } = restarted.parts.indicators.service;
    expect(demand.current()).toHaveLength(200);
    const honest = await settingsOf('honest');
    expect([honest.indicatorValues, honest.waitingColumns]).toEqual([{ limit: 20, used: 12 }, {}]);
    const premium = await settingsOf('premium lady');
    expect([premium.indicatorValues, premium.waitingColumns]).toEqual([{ limit: 100, used: 40 }, {}]);
  });

  test('a free user who has more may not add, and an upgrade serves what waited', async () => {
    const user = restarted.db.select().from(users).where(eq(users.username, 'greedy 0')).get();
    if (!user) throw new Error('No such user.');
    restarted.db.update(users).set({ subscriptionType: 'premium' }).where(eq(users.id, user.id)).run();
    restarted.parts.accounts.service.accountChanged(user.id);
    const { indicatorValues, waitingColumns } = await settingsOf('greedy 0');
    expect([indicatorValues, waitingColumns]).toEqual([{ limit: 100, used: 98 }, {}]);
    expect((await settingsOf('honest')).waitingColumns).toEqual({});
  });
});

describe('an alert that is not evaluated for want of values', () => {
  const logic = {
    op: 'AND' as const,
    conditions: [
      { lhs: { type: 'indicator', family: 'rsi', params: {}, tf: '60', valueKey: 'now' }, op: '>', rhs: 70 },
    ],
  };

  test('says so on its page, and to its owner’s chat once, until it is served and waits again', async () => {
    const app = createTestApp();
    app.source.give([{ code: 'BHP', name: 'BHP Group', last: 42, close: 41 }]);
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
    const watch = createShortage(
      { db: app.db, log: createLog(() => undefined) },
      {
        indicators: indicators.service,
        chatsOf: () => [
          { platform: 'telegram', chatId: '77' },
          { platform: 'discord', chatId: '88' },
        ],
        outbox: { add: (messages) => void sent.push(...messages), wake: () => {} },
        schedule: time.schedule,
      },
    );
    watch.start();
    const crowd: Standing = { user: 'crowd', use: 'alerts', plan: 'premium', since: 0, limit: 1000 };
    const { demand } = indicators.service;
    demand.set('alerts:crowd', many('x', 200), crowd);
    expect(await problemNow()).toMatch(
      /^Not checked: RSI.* is waiting for a value. The server can compute 200 indicator values in all, and more are in use\./,
    );
    const evaluation = await app.request('GET', '/api/alerts/1/evaluation', { as: 'free' });
    expect(evaluation.json).toMatchObject({ holds: null });
    time.advance(60_000);
    expect(sent).toHaveLength(0);
    time.advance(60_000);
    expect(sent.map(({ chatId }) => chatId)).toEqual(['77']);
    expect(sent[0]?.message.title).toBe('One of your alerts is not being checked');
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
    app.close();
  });
});
