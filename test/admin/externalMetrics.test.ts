import { afterEach, describe, expect, test } from 'bun:test';
import { createCallFeed } from '../../src/lib/httpClient/callFeed.ts';
import { createTestApp, START, type TestApp } from '../support/testApp.ts';

const METRICS = '/api/admin/external-metrics';

let app: TestApp | undefined;
afterEach(() => {
  app?.close();
  app = undefined;
});

function open() {
  const outgoing = createCallFeed();
  app = createTestApp({ runtime: { outgoing } });
  return { app, outgoing };
}

describe('GET /admin/external-metrics', () => {
  test('lists the calls of today, the most frequent first', async () => {
    const { app: one, outgoing } = open();
    const scan = { method: 'POST', endpoint: 'tradingview/australia/scan' } as const;
    outgoing.tell({ ...scan, outcome: 'ok', status: 200, durationMs: 100 });
    outgoing.tell({ ...scan, outcome: 'httpError', status: 429, durationMs: 301 });
    outgoing.tell({
      method: 'GET',
      endpoint: 'discord/users/@me',
      outcome: 'ok',
      status: 200,
      durationMs: 9,
    });
    const { status, json } = await one.request('GET', METRICS, { as: 'admin' });
    expect(status).toBe(200);
    expect(json).toEqual({
      date: '2026-11-18',
      days: ['2026-11-18'],
      metrics: [
        {
          ...{ ...scan, count: 2, errors: 1, averageMs: 201, slowestMs: 301 },
          ...{ lastAt: START, lastSuccessAt: START, lastError: 'HTTP 429' },
        },
        {
          ...{
            method: 'GET',
            endpoint: 'discord/users/@me',
            count: 1,
            errors: 0,
            averageMs: 9,
            slowestMs: 9,
          },
          ...{ lastAt: START, lastSuccessAt: START, lastError: null },
        },
      ],
    });
  });

  test('lists those of another day', async () => {
    const { app: one, outgoing } = open();
    outgoing.tell({ method: 'GET', endpoint: 'a', outcome: 'ok', status: 200, durationMs: 1 });
    one.clock.advance(24 * 3_600_000);
    const today = await one.request('GET', METRICS, { as: 'admin' });
    expect(today.json).toEqual({ date: '2026-11-19', days: ['2026-11-18'], metrics: [] });
    const before = await one.request('GET', `${METRICS}?date=2026-11-18`, { as: 'admin' });
    expect(before.json).toMatchObject({ date: '2026-11-18', metrics: [{ endpoint: 'a', count: 1 }] });
  });

  for (const [date, sentence] of [
    ['yesterday', 'Write the day as YYYY-MM-DD.'],
    ['2026-1-1', 'Write the day as YYYY-MM-DD.'],
    ['2026-02-30', 'There is no such day.'],
    ['2026-13-01', 'There is no such day.'],
    ['2026-11-18%27%20OR%201', 'Write the day as YYYY-MM-DD.'],
  ]) {
    test(`refuses ${date}`, async () => {
      const { app: one } = open();
      const { status, json } = await one.request('GET', `${METRICS}?date=${date}`, { as: 'admin' });
      expect([status, json]).toEqual([400, { error: sentence, field: 'date' }]);
    });
  }
});
