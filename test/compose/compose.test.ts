import { describe, expect, test } from 'bun:test';
import { compose, startAfterTrial } from '#src/compose.ts';
import type { Runtime } from '#compose/runtime.ts';
import { loadConfig } from '#src/config/config.ts';
import { openMemoryDb } from '../support/memoryDb.ts';
import { createConnections } from '#platform/http/connections.ts';
import { createCallFeed, createHttpClient } from '#lib/httpClient/client.ts';
import { createLog, type LogLine } from '#lib/log.ts';
import type { Trial } from '#platform/install/shared/processControl.ts';
import type { Part } from '#platform/app.ts';
import { createHandSource } from '../support/handSource.ts';
import { noProgram } from '../support/noProgram.ts';
import { createFakeClock, createTestApp } from '../support/testApp.ts';

function setUp() {
  const clock = createFakeClock();
  const db = openMemoryDb();
  const lines: LogLine[] = [];
  const log = createLog((line) => lines.push(line));
  const source = createHandSource(clock);
  const runtime: Runtime = {
    about: { pid: 1, startedAt: clock.now(), version: '0.0.0', commit: 'test' },
    jwtSecret: 'a secret of the tests, long enough for HS256',
    randomToken: () => crypto.randomUUID(),
    passwords: { hash: async () => 'hash', verify: async () => false },
    platforms: { telegram: null, discord: null },
    control: { supervisor: 'none', restart: () => {} },
    outgoing: createCallFeed(),
    logFile: null,
    ...noProgram,
    ...createConnections(),
  };
  const { config } = loadConfig({ BELLBIRD_TICK_MS: '60000' });
  return {
    db,
    lines,
    source,
    ...compose({ config, db, clock, log, http: createHttpClient({ clock }), source }, runtime),
  };
}

describe('the parts of the server', () => {
  test('the start order contains every part that starts or stops, once', () => {
    const { db, parts, startOrder } = setUp();
    const running = Object.values<Part>(parts).filter(({ start, stop }) => start ?? stop);
    expect(new Set(startOrder)).toEqual(new Set(running));
    expect(startOrder).toHaveLength(running.length);
    db.$client.close();
  });

  test('start in order and stop in reverse while the market keeps running', async () => {
    const { db, lines, parts, source, startOrder } = setUp();
    for (const part of startOrder) await part.start?.();
    source.apply([{ code: 'BHP', last: 40 }]);
    expect(parts.tick.service.run()?.upsert['BHP']).toMatchObject({ last: 40 });
    for (const part of startOrder.toReversed()) await part.stop?.();
    expect(() => source.apply([{ code: 'BHP', last: 41 }])).toThrow('not started');
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
    db.$client.close();
  });

  test('can be stopped without having been started', async () => {
    const { db, lines, startOrder } = setUp();
    for (const part of startOrder.toReversed()) await part.stop?.();
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
    db.$client.close();
  });
});

test('parts that hold state report their figures and contents as JSON', () => {
  const app = createTestApp();
  app.source.apply([{ code: 'BHP', name: 'BHP Group', last: 42.5, close: 42 }]);
  app.tick.run();
  const inspected = Object.entries<Part>(app.parts).flatMap(([key, part]) => {
    const inspection = part.inspect?.();
    return inspection ? [{ key, ...inspection, data: inspection.data() }] : [];
  });
  for (const { data } of inspected) expect(JSON.stringify(data)).toBeString();
  const found = Object.fromEntries(inspected.map(({ key, summary, data }) => [key, { summary, data }]));
  expect(found['market']).toMatchObject({ summary: { stocks: 1 }, data: { BHP: { last: 42.5 } } });
  expect(found['stream']).toMatchObject({ summary: { clients: 0, seq: 1 } });
  expect(found['feed']).toMatchObject({ summary: { name: 'hand', healthy: true } });
  app.close();
});

function setting() {
  const logged: string[] = [];
  const waiting: (() => void)[] = [];
  const trial: Trial = {
    isRunning: () => true,
    holdsChanges: () => true,
    whenOver: () => undefined,
    whenChangesOpen: (run) => void waiting.push(run),
  };
  const part = (name: string, fails = false) => ({
    name,
    start: () => {
      logged.push(`${name} starts`);
      if (fails) throw new Error('no network');
    },
    stop: () => void logged.push(`${name} stops`),
  });
  const lines: string[] = [];
  const log = createLog(({ message }) => lines.push(message));
  return { logged, lines, log, trial, part, open: () => waiting.splice(0).forEach((run) => run()) };
}

test('each part waits for the end of the trial, independently', () => {
  const { logged, lines, log, trial, part, open } = setting();
  for (const one of [part('outbox', true), part('bot')]) void startAfterTrial(trial, log, one).start?.();
  expect(logged).toEqual([]);
  open();
  expect(logged).toEqual(['outbox starts', 'bot starts']);
  expect(lines).toEqual(['Could not start a part after the trial of an update']);
});

test('a part that was stopped during the trial does not start afterwards', () => {
  const { logged, log, trial, part, open } = setting();
  const held = startAfterTrial(trial, log, part('bot'));
  void held.start?.();
  void held.stop?.();
  open();
  expect(logged).toEqual(['bot stops']);
});
