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
});
