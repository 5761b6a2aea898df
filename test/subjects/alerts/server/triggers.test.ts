import { describe, expect, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import { alerts, outbox } from '#src/tables/alertSchema.ts';
import { users } from '#platform/db/schema.ts';
import { anAlert, storeTrigger } from '#support/aTrigger.ts';
import { boundBehind, type ListedTrigger, readPlace, triggerPage } from '#subjects/alerts/rules/trigger.ts';
import type { TriggerKind } from '#platform/outbox/rules/delivery.ts';
import { createPruning, OWN_TRIGGER_QUERIES } from '#subjects/alerts/server/store.ts';
import { addAlert, lastAbove, linkChat, saveScan, withListed } from '#support/alertsApp.ts';
import { trade } from '#support/callsApp.ts';
import type { Role, TestApp } from '#support/testApp.ts';
import { openMemoryDb } from '#support/memoryDb.ts';

type Page = { triggers: ListedTrigger[]; next: string | null };

async function pageOf(app: TestApp, query = '', as: Role = 'free'): Promise<Page> {
  const answer = await app.request('GET', `/api/alerts/triggers${query}`, { as });
  expect(answer).toMatchObject({ status: 200 });
  return answer.json as Page;
}

const shortly = ({ kind, symbol }: ListedTrigger) => `${kind} ${symbol}`;

/** Adds an alert of the free user on a scan of prices above 50, sent to Telegram. */
async function addScanAlert(app: TestApp): Promise<void> {
  const { id } = await saveScan(app);
  const body = { scan: { type: 'scan', id }, name: 'Movers', destinations: { telegram: true } };
  expect(await app.request('POST', '/api/scan-alerts', { as: 'free', body })).toMatchObject({ status: 200 });
  app.tick.run();
}

describe('GET /api/alerts/triggers', () => {
  test.each([
    ...['0', '101', 'all'].map((limit) => [`limit=${limit}`, 'must be a whole number from 1 to 100.']),
    ...['now', '1-scan-1;'].map((at) => [`before=${at}`, '`before` is not a valid cursor.']),
  ])('refuses %s', (query, sentence) =>
    withListed(async (app) => {
      const refused = await app.request('GET', `/api/alerts/triggers?${query}`, { as: 'free' });
      expect(refused).toMatchObject({ status: 400, text: expect.stringContaining(sentence ?? '') });
    }),
  );

  test('lists triggers of stock and scan alerts with their destinations, newest first, page by page', () =>
    withListed(async (app) => {
      await linkChat(app);
      await addAlert(app, { name: 'Once', persistent: false, destinations: { telegram: true } });
      await addAlert(app, { symbol: 'CBA', name: null, logic_json: lastAbove(60) });
      await addScanAlert(app);
      trade(app, 'BHP', 51);
      trade(app, 'CBA', 61);
      const { triggers, next } = await pageOf(app);
      expect(triggers.map(shortly)).toEqual(['alert CBA', 'scan CBA', 'alert BHP', 'scan BHP']);
      expect(next).toBeNull();
      expect(triggers[0]).toMatchObject({ name: null, sent: [], delivery: null, deactivated: false });
      expect(triggers[2]).toEqual({
        kind: 'alert',
        id: 1,
        alertId: 1,
        name: 'Once',
        symbol: 'BHP',
        symbols: [],
        announcements: [],
        event: null,
        scan: null,
        deactivated: true,
        silent: false,
        delayMinutes: 0,
        guard: null,
        timestamp: new Date(app.clock.now() - 1000).toISOString(),
        marketTime: expect.any(String),
        seen: [expect.objectContaining({ left: { text: 'Last', value: 51 }, holds: true })],
        quoteTime: null,
        source: expect.any(String),
        delivery: 'waiting',
        sent: [{ platform: 'telegram', delivery: 'waiting' }],
      });
      expect(triggers[3]).toMatchObject({
        alertId: 1,
        name: 'Movers',
        event: 'enters',
        scan: 'my scan Breakouts',
        sent: [{ platform: 'telegram', delivery: 'waiting' }],
      });
      app.db
        .update(outbox)
        .set({ status: 'failed' })
        .where(eq(outbox.scanTriggerId, triggers[3]?.id ?? 0))
        .run();

      const first = await pageOf(app, '?limit=3');
      expect(first.triggers.map(shortly)).toEqual(['alert CBA', 'scan CBA', 'alert BHP']);
      const second = await pageOf(app, `?limit=3&before=${first.next}`);
      expect(second).toMatchObject({
        triggers: [{ kind: 'scan', symbol: 'BHP', delivery: 'failed' }],
        next: null,
      });
      // Other users’ triggers never appear, wherever the page begins.
      expect(await pageOf(app, `?before=${first.next}`, 'premium')).toEqual({ triggers: [], next: null });
    }));
});

test('finds the triggers of a user through indexes', () =>
  withListed(async (app) => {
    const planOf = (sql: string, params: Record<string, number>): string[] =>
      app.db.$client
        .query<{ detail: string }, Record<string, number>>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(params)
        .map(({ detail }) => detail);
    const [ofUser, ofAlert] = OWN_TRIGGER_QUERIES;
    expect(planOf(ofUser, { userId: 1 })).toEqual([
      'SEARCH alerts USING COVERING INDEX alerts_user (user_id=?)',
    ]);
    expect(planOf(ofAlert, { alertId: 1, floor: 0, at: 9e15, id: 9e15, limit: 51 })).toEqual([
      'SEARCH alert_triggers USING COVERING INDEX alert_triggers_alert (alert_id=? AND triggered_at>? AND triggered_at<?)',
    ]);
  }));

const NOON = Date.UTC(2026, 10, 18, 1);

const trigger = (kind: TriggerKind, id: number, at: number): ListedTrigger => ({
  kind,
  id,
  alertId: 1,
  name: null,
  symbol: 'BHP',
  symbols: [],
  announcements: [],
  event: null,
  scan: null,
  timestamp: new Date(at).toISOString(),
  marketTime: new Date(at).toISOString(),
  seen: [],
  quoteTime: null,
  source: 'simulator',
  delayMinutes: 0,
  deactivated: false,
  silent: false,
  guard: null,
  delivery: null,
  sent: [],
});

/** Answers like the stores: the newest of a kind before a position, one more than a page has. */
function newest(all: readonly ListedTrigger[], kind: TriggerKind, before: string | null, limit: number) {
  const { at, id } = boundBehind(before === null ? null : readPlace(before), kind);
  const behind = all.filter((one) => {
    const time = Date.parse(one.timestamp);
    return one.kind === kind && (time < at || (time === at && one.id < id));
  });
  const order = (a: ListedTrigger, b: ListedTrigger) =>
    Date.parse(b.timestamp) - Date.parse(a.timestamp) || b.id - a.id;
  return behind.toSorted(order).slice(0, limit + 1);
}

/** All pages in order. */
function walk(all: readonly ListedTrigger[], limit: number): string[] {
  const walked: string[] = [];
  for (let before: string | null = null, page = 0; page < 100; page += 1) {
    const found = [...newest(all, 'alert', before, limit), ...newest(all, 'scan', before, limit)];
    const { triggers, next } = triggerPage(found, limit);
    walked.push(...triggers.map(({ kind, id }) => `${kind} ${id}`));
    if (next === null) return walked;
    before = next;
  }
  throw new Error('The pages do not end.');
}

test('lists each trigger once across pages, newest first, also at equal times and after a clock set back', () => {
  // A tick writes many triggers with the same time; each kind has its own ids.
  const all = [
    ...[1, 2, 3, 4].map((id) => trigger('alert', id, NOON)),
    ...[1, 2, 3].map((id) => trigger('scan', id, NOON)),
    trigger('alert', 5, NOON + 1000),
    trigger('scan', 4, NOON - 1000),
    trigger('alert', 6, NOON - 5000),
  ];
  const inOrder = [
    'alert 5',
    'alert 4',
    'alert 3',
    'alert 2',
    'alert 1',
    'scan 3',
    'scan 2',
    'scan 1',
    'scan 4',
    'alert 6',
  ];
  for (const limit of [1, 2, 3, 4, 7, 9, 10, 50]) expect(walk(all, limit)).toEqual(inOrder);
});

test('keeps the newest 200 triggers of an alert and those of two days', () => {
  const HOUR = 3_600_000;
  const DAY = 24 * HOUR;
  const START = Date.UTC(2026, 10, 18);

  const db = openMemoryDb();
  db.insert(users).values({ username: 'anna', usernameKey: 'anna', passwordHash: 'x', createdAt: 0 }).run();
  const { destinations, id: _, ...alert } = anAlert();
  const row = { ...alert, ...destinations, createdAt: 0, updatedAt: 0 };
  for (let id = 1; id <= 700; id += 1) db.insert(alerts).values(row).run();

  const addTriggers = (alertId: number, times: readonly number[]) =>
    times.forEach((triggeredAt) => storeTrigger(db, { alertId, triggeredAt }));

  const timesOf = (alertId: number): number[] =>
    db.$client
      .query<{ at: number }, [number]>('SELECT triggered_at AS at FROM alert_triggers WHERE alert_id = ?')
      .all(alertId)
      .map(({ at }) => at);

  const minutesBefore = (time: number, count: number): number[] =>
    Array.from({ length: count }, (_, minute) => time - (count - minute) * 60_000);
  let now = START;
  const lastWeek = minutesBefore(START - 7 * DAY, 2500);
  const yesterday = minutesBefore(START - DAY, 300);
  addTriggers(1, [...lastWeek, ...yesterday]);
  addTriggers(2, lastWeek.slice(0, 200));
  addTriggers(699, lastWeek.slice(0, 250));
  const prune = createPruning(
    db,
    () => now,
    () => '2026-11-16',
  );
  /** Runs all slices of one night. @returns the number of removed rows */
  const night = (): number => {
    let total = 0;
    for (let part = 0; part < 100; part += 1) {
      const { removed, hasMore } = prune();
      expect(removed).toBeLessThanOrEqual(500);
      total += removed;
      if (!hasMore) return total;
    }
    throw new Error('It never came to an end.');
  };
  expect(night()).toBe(2550);
  expect(timesOf(1)).toEqual(yesterday);
  expect(timesOf(2)).toEqual(lastWeek.slice(0, 200));
  expect(timesOf(699)).toEqual(lastWeek.slice(50, 250));
  // The first alerts are pruned again.
  now += 2 * DAY;
  night();
  expect(timesOf(1)).toEqual(yesterday.slice(100));
  // Everything older than a month is removed, whatever the count.
  now += 30 * DAY;
  night();
  expect([1, 2, 699].flatMap((id) => timesOf(id))).toEqual([]);
  db.$client.close();
});
