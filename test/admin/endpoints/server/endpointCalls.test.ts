import { appOf } from '#support/appOf.ts';
import { describe, expect, test } from 'bun:test';
import { fromSydney } from '#lib/sydneyTime.ts';
import type { Db } from '#platform/db/open.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { EndpointCalls, endpointCallStore, OTHERS } from '#admin/endpoints/server/index.ts';
import type { HttpCall } from '#lib/httpClient/client.ts';
import { createLog, type LogLine } from '#lib/log.ts';
import { createRedactor } from '#lib/redact.ts';
import { createHandScheduler } from '#support/handScheduler.ts';

const DAY = '2026-11-18';
const NOON = fromSydney(DAY, 12, 0);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const aCall = (more: Partial<HttpCall> = {}): HttpCall => ({
  method: 'GET',
  endpoint: 'fxstreet/eventDates/{from}/{to}',
  outcome: 'ok',
  status: 200,
  durationMs: 120,
  ...more,
});

/** The counter with a manual clock; `writes` counts the transactions that reached the disk. */
function setUp(options: { db?: Db; at?: number } = {}) {
  const db = options.db ?? openMemoryDb();
  const clock = createHandScheduler(options.at ?? NOON);
  const lines: LogLine[] = [];
  const real = endpointCallStore(db);
  const disk = { writes: 0, isFull: false };
  const store: typeof real = {
    ...real,
    add(counts) {
      if (disk.isFull) throw new Error('The disk is full.');
      disk.writes += 1;
      real.add(counts);
    },
  };
  const calls = new EndpointCalls(
    appOf({
      db,
      clock,
      schedule: clock.schedule,
      log: createLog((line) => lines.push(line)),
      redactor: createRedactor(['a-secret-key']),
    }),
    store,
  );
  return { db, clock, lines, calls, disk, stored: () => real.onDay(DAY) };
}

describe('a day', () => {
  test('counts calls by method and endpoint, with errors, the slowest and the last success', () => {
    const { calls, clock } = setUp();
    calls.note(aCall());
    clock.advance(1000);
    calls.note(aCall({ durationMs: 900, outcome: 'httpError', status: 503 }));
    calls.note(aCall({ method: 'POST', endpoint: 'telegram/bot:token/sendMessage', durationMs: 80.4 }));
    clock.advance(1000);
    calls.note(aCall({ durationMs: 300, outcome: 'timeout', status: null }));
    const { date, days, counts } = calls.day();
    expect({ date, days }).toEqual({ date: DAY, days: [DAY] });
    expect(counts).toEqual([
      {
        date: DAY,
        method: 'GET',
        endpoint: 'fxstreet/eventDates/{from}/{to}',
        count: 3,
        errors: 2,
        totalMs: 1320,
        slowestMs: 900,
        lastAt: NOON + 2000,
        lastSuccessAt: NOON,
        lastError: 'No answer in time',
      },
      {
        date: DAY,
        method: 'POST',
        endpoint: 'telegram/bot:token/sendMessage',
        count: 1,
        errors: 0,
        totalMs: 80,
        slowestMs: 80,
        lastAt: NOON + 1000,
        lastSuccessAt: NOON + 1000,
        lastError: null,
      },
    ]);
    expect(calls.totals()).toEqual({ calls: 4, errors: 2, endpoints: 2, unwritten: 2 });
  });

  test('ends at midnight in Sydney, also for calls written later', () => {
    const { calls, clock } = setUp({ at: fromSydney(DAY, 23, 59, 59) });
    calls.note(aCall());
    clock.advance(2000);
    calls.note(aCall());
    calls.note(aCall());
    clock.advance(MINUTE);
    expect(calls.day(DAY).counts[0]?.count).toBe(1);
    expect(calls.day().date).toBe('2026-11-19');
    expect(calls.day().counts[0]?.count).toBe(2);
    expect(calls.day().days).toEqual(['2026-11-19', DAY]);
  });
});

test('a failed write loses nothing, and is logged', () => {
  const { calls, clock, disk, lines, stored } = setUp();
  disk.isFull = true;
  calls.note(aCall());
  clock.advance(MINUTE);
  expect(lines.map(({ level }) => level)).toEqual(['error']);
  calls.note(aCall());
  disk.isFull = false;
  clock.advance(HOUR);
  expect(stored()[0]).toMatchObject({ count: 2 });
  expect(calls.day().counts[0]?.count).toBe(2);
});

test('data is kept if the clock is wrong for the first minutes', () => {
  const { calls, db } = setUp();
  calls.note(aCall());
  calls.end();
  // A board without a clock battery starts long ago or, worse, far ahead.
  for (const wrong of [Date.UTC(1970, 0, 2), Date.UTC(2035, 0, 1)]) {
    const early = setUp({ db, at: wrong });
    early.calls.note(aCall());
    early.clock.advance(2 * MINUTE);
    early.clock.stepWall(NOON - early.clock.now());
    early.calls.note(aCall());
    early.clock.advance(2 * HOUR);
    early.calls.end();
  }
  // Only the real day remains.
  expect(endpointCallStore(db).days()).toEqual([DAY]);
  expect(setUp({ db }).calls.day().counts[0]?.count).toBe(3);
});

describe('endpoints', () => {
  test('are limited: beyond 200 they are counted together', () => {
    const { calls, clock } = setUp();
    for (let index = 0; index < 500; index += 1) calls.note(aCall({ endpoint: `made/up/${index}` }));
    expect(calls.day().counts).toHaveLength(201);
    expect(calls.day().counts[0]).toMatchObject({ endpoint: OTHERS, count: 300 });
    clock.advance(MINUTE);
    expect(calls.day().counts).toHaveLength(201);
  });

  test('contain no secrets and are short', () => {
    const { calls } = setUp();
    calls.note(aCall({ endpoint: 'model/a-secret-key/x?token=abc' }));
    calls.note(aCall({ endpoint: `telegram/bot123456789:AA${'b'.repeat(40)}/getMe` }));
    calls.note(aCall({ endpoint: 'x'.repeat(1000) }));
    const names = calls.day().counts.map(({ endpoint }) => endpoint);
    expect(names).toContain('model/[redacted]/x?token=[redacted]');
    expect(names).toContain('telegram/bot[redacted]/getMe');
    expect(names).toContain('x'.repeat(200));
  });
});
