import { describe, expect, test } from 'bun:test';
import { users } from '../../../../src/platform/db/schema.ts';
import { createTestApp, type TestApp } from '../../../support/testApp.ts';

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

async function withApp(work: (app: TestApp) => Promise<void>): Promise<void> {
  const app = createTestApp();
  try {
    await work(app);
  } finally {
    app.close();
  }
}

const TOO_MANY =
  'Your columns, chosen indicators and scans would read 101 indicator values together; at most 100 are served. Take some out first.';

describe('a user of a paid plan reads at most 100 indicator values', () => {
  test('counted over selection, columns and scans; what is one too many is refused by its field and not saved', () =>
    withApp(async ({ request, parts }) => {
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
    }));
});

describe('a user of the free plan reads at most 20', () => {
  test('what was saved before stays, and may be made less', () =>
    withApp(async ({ request, db, parts, user }) => {
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
        'The Free plan has 20 indicator values for columns, scans and alerts together, and alerts come first.',
      );
    }));
});

test('a user may change these things 60 times a minute; then a sentence says how long to wait', () =>
  withApp(async ({ request, clock }) => {
    const post = (as: 'free' | 'basic') =>
      request('POST', '/api/indicators/prefs', { as, body: { refs: [] } });
    for (let index = 0; index < 60; index += 1) expect((await post('free')).status).toBe(200);
    const refused = await post('free');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(refused.json).toEqual({
      error: 'Too many changes to your columns, indicators or scans. Try again in 1 minute.',
    });
    const table = { tableKey: 'custom', columns: [] };
    expect((await request('POST', '/api/settings/table-columns', { as: 'free', body: table })).status).toBe(
      429,
    );
    expect((await request('DELETE', '/api/indicators/scans/1', { as: 'free' })).status).toBe(429);
    expect((await post('basic')).status).toBe(200);
    clock.advance(60_001);
    expect((await post('free')).status).toBe(200);
  }));
