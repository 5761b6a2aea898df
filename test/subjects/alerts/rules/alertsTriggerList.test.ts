import { describe, expect, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import { linkedChats, outbox } from '../../../../src/platform/db/alertSchema.ts';
import type { ListedTrigger } from '../../../../src/subjects/alerts/rules/triggerList.ts';
import { OWN_TRIGGER_QUERIES } from '../../../../src/subjects/alerts/server/store.ts';
import { ScanAlertStore } from '../../../../src/subjects/alerts/server/scanAlerts/store.ts';
import { addAlert, lastAbove, withListed } from '../../../support/alertsApp.ts';
import { trade } from '../../../support/callsApp.ts';
import { scenarios } from '../../../support/scenario.ts';
import type { Role, TestApp } from '../../../support/testApp.ts';

type Page = { triggers: ListedTrigger[]; next: string | null };

async function pageOf(app: TestApp, query = '', as: Role = 'free'): Promise<Page> {
  const answer = await app.request('GET', `/api/alerts/triggers${query}`, { as });
  expect(answer).toMatchObject({ status: 200 });
  return answer.json as Page;
}

const shortly = ({ kind, symbol }: ListedTrigger) => `${kind} ${symbol}`;

/** An alert on the scan of what trades over 50, of the free user, sent to Telegram. */
async function addScanAlert(app: TestApp): Promise<void> {
  const saved = await app.request('POST', '/api/indicators/scans', {
    as: 'free',
    body: { name: 'Breakouts', logic: lastAbove(50) },
  });
  const { id } = (saved.json as { scan: { id: number } }).scan;
  const body = { scan: { type: 'scan', id }, name: 'Movers', destinations: { telegram: true } };
  expect(await app.request('POST', '/api/scan-alerts', { as: 'free', body })).toMatchObject({ status: 200 });
  app.tick.run();
}

async function linkTelegram(app: TestApp): Promise<void> {
  const { id: userId } = await app.user('free');
  const createdAt = app.clock.now();
  const chat = { platform: 'telegram' as const, chatId: '4711', createdAt, confirmedAt: createdAt };
  app.db
    .insert(linkedChats)
    .values({ userId, ...chat })
    .run();
}

describe('GET /api/alerts/triggers', () => {
  const get = { method: 'GET', url: '/api/alerts/triggers', as: 'free' } as const;
  const limits = 'The limit is a whole number from 1 to 100.';
  const begins = 'A page begins where the one before says.';
  scenarios([
    { ...get, as: 'guest', name: 'guest', status: 401 },
    ...(['free', 'basic', 'premium', 'admin'] as const).map((as) => ({
      ...get,
      name: `${as} user to whom nothing fired`,
      as,
      status: 200,
      json: { triggers: [], next: null },
    })),
    ...['0', '101', '1.5', 'all', '1e9'].map((limit) => ({
      ...get,
      url: `/api/alerts/triggers?limit=${limit}`,
      name: `a limit of ${limit}`,
      status: 400,
      contains: [limits],
    })),
    ...['now', '1-alert', '1-alert-x', '9'.repeat(39), '1-scan-1;'].map((before) => ({
      ...get,
      url: `/api/alerts/triggers?before=${before}`,
      name: `a page that begins at ${before}`,
      status: 400,
      contains: [begins],
    })),
  ]);

  test('lists what alerts on stocks and on scans told, newest first, with where it was sent, page after page', () =>
    withListed(async (app) => {
      await linkTelegram(app);
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
        ...{ kind: 'alert', id: 1, alertId: 1, name: 'Once', symbol: 'BHP', symbols: [] },
        ...{ event: null, scan: null, deactivated: true, silent: false, delayMinutes: 0 },
        ...{ guard: null, withheld: false },
        timestamp: new Date(app.clock.now() - 1000).toISOString(),
        marketTime: expect.any(String),
        seen: [expect.objectContaining({ left: { text: 'Last', value: 51 }, holds: true })],
        quoteTime: null,
        source: expect.any(String),
        delivery: 'waiting',
        sent: [{ platform: 'telegram', delivery: 'waiting' }],
      });
      expect(triggers[3]).toMatchObject({
        ...{ alertId: 1, name: 'Movers', event: 'enters', scan: 'my scan Breakouts' },
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
      // Of others nothing is shown, wherever they begin.
      expect(await pageOf(app, `?before=${first.next}`, 'premium')).toEqual({ triggers: [], next: null });
    }));

  test('goes with its alert', () =>
    withListed(async (app) => {
      const { id } = await addAlert(app);
      trade(app, 'BHP', 51);
      expect((await pageOf(app)).triggers.length).toBe(1);
      await app.request('DELETE', `/api/alerts/${id}`, { as: 'free' });
      expect((await pageOf(app)).triggers).toEqual([]);
    }));
});

describe('looking for the triggers of a user', () => {
  const planOf = (app: TestApp, sql: string, params: Record<string, number>): string[] =>
    app.db.$client
      .query<{ detail: string }, Record<string, number>>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(params)
      .map(({ detail }) => detail);

  test('goes by the user in the indexes, never through everybody’s', () =>
    withListed(async (app) => {
      const [ofUser, ofAlert] = OWN_TRIGGER_QUERIES;
      expect(planOf(app, ofUser, { userId: 1 })).toEqual([
        'SEARCH alerts USING COVERING INDEX alerts_user (user_id=?)',
      ]);
      const bound = { alertId: 1, floor: 0, at: 9e15, id: 9e15, limit: 51 };
      expect(planOf(app, ofAlert, bound)).toEqual([
        'SEARCH alert_triggers USING COVERING INDEX alert_triggers_alert (alert_id=? AND triggered_at>? AND triggered_at<?)',
      ]);

      const asked: string[] = [];
      const { $client: client } = app.db;
      const real = client.prepare.bind(client);
      client.prepare = ((sql: string, ...more: never[]) => {
        asked.push(sql);
        return real(sql, ...more);
      }) as typeof client.prepare;
      new ScanAlertStore(app.db).ownTriggers(1, { at: 9e15, id: 9e15 }, 51);
      client.prepare = real;
      const [sql] = asked.filter((one) => one.includes('scan_alert_triggers'));
      const plan = client
        .query<{ detail: string }, number[]>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(1, 9e15, 9e15, 9e15, 51)
        .map(({ detail }) => detail);
      expect(plan).toContainEqual(
        'SEARCH scan_alert_triggers USING INDEX scan_alert_triggers_user (user_id=? AND triggered_at<?)',
      );
      expect(plan.filter((step) => step.startsWith('SCAN') || step.includes('TEMP'))).toEqual([]);
    }));

  test('finds the newest among thousands of many alerts', () =>
    withListed(async (app) => {
      const { id } = await app.user('free');
      const { $client: client } = app.db;
      for (let alert = 1; alert <= 50; alert += 1) {
        client.run(
          `INSERT INTO alerts (id, user_id, symbol, active, persistent, logic, telegram, discord, created_at, updated_at)
           VALUES (${alert}, ${id}, 'BHP', 0, 1, '{"op":"AND","conditions":[]}', 0, 0, 0, 0)`,
        );
      }
      client.run(
        `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 49999)
         INSERT INTO alert_triggers
           (alert_id, symbol, triggered_at, market_at, seen, source, delay_minutes, deactivated, silent)
         SELECT 1 + i % 50, 'BHP', 1000 * i, 0, '[]', 'simulator', 0, 0, 0 FROM n`,
      );
      const first = await pageOf(app, '?limit=100');
      expect(first.triggers.map((trigger) => trigger.id)).toEqual(
        Array.from({ length: 100 }, (_, i) => 50_000 - i),
      );
      const second = await pageOf(app, `?limit=100&before=${first.next}`);
      expect(second.triggers[0]?.id).toBe(49_900);
    }));
});
