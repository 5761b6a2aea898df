import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { Elysia } from 'elysia';
import { createRequestLog } from '../../../src/platform/http/requestLog.ts';
import { createLog, type LogLine } from '../../../src/lib/log.ts';
import { createHandScheduler } from '../../support/handScheduler.ts';
import { createTestApp, START, type TestApp } from '../../support/testApp.ts';

const MINUTE = 60_000;
/** Lines are written after the answer has left. */
const settled = () => Bun.sleep(0);

describe('the requests of a whole application', () => {
  let app: TestApp;
  beforeEach(() => {
    app = createTestApp();
  });
  afterEach(() => app.close());
  const lines = () => app.lines.filter(({ name }) => name === 'bellbird.http');
  const ask = async (count: number, path: string, as: 'guest' | 'free' = 'guest') => {
    for (let index = 0; index < count; index += 1) await app.request('GET', path, { as });
    await settled();
  };

  test('each has its line while they are few', async () => {
    await ask(1, '/api/test/status?token=secret');
    await ask(1, '/api/settings', 'free');
    expect(lines().map(({ message, properties }) => [message, properties])).toEqual([
      ['Request', { method: 'GET', path: '/api/test/status', status: 200, ms: 0 }],
      ['Request', { method: 'GET', path: '/api/settings', status: 200, ms: 0 }],
    ]);
  });

  test('one that was refused before the application saw it has a line too, and counts', () => {
    const request = new Request('http://bellbird/api/calls?token=secret', { method: 'POST' });
    app.parts.requestLog.service.refused(request, 413);
    expect(lines().map(({ message, properties }) => [message, properties])).toEqual([
      ['Request', { method: 'POST', path: '/api/calls', status: 413 }],
    ]);
    expect(app.parts.requestLog.inspect().data().byRoute).toEqual({ 'refused before any route': 1 });
  });

  test('of callers without a session only ten a minute; those with one keep theirs', async () => {
    await ask(30, '/api/test/status');
    await ask(30, '/api/nothing');
    await ask(30, '/api/settings');
    await ask(30, '/api/settings', 'free');
    const paths = lines().map(
      ({ properties }) => `${String(properties['path'])} ${String(properties['status'])}`,
    );
    expect(paths).toEqual([
      ...Array.from({ length: 10 }, () => '/api/test/status 200'),
      ...Array.from({ length: 30 }, () => '/api/settings 200'),
    ]);
    await app.parts.requestLog.stop();
    const { message, properties } = lines().at(-1) ?? {};
    expect([message, properties]).toEqual([
      'Further requests',
      {
        count: 80,
        byStatus: '404 30, 401 30, 200 20',
        byRoute: 'no such address 30, /api/settings/ 30, /api/test/status 20',
      },
    ]);
    await app.parts.requestLog.stop();
    expect(lines().at(-1)).toEqual(expect.objectContaining({ properties }));
  });

  test('a token that is no session makes nobody known', async () => {
    for (let index = 0; index < 30; index += 1) {
      await app.request('GET', '/api/test/status', { headers: { authorization: `guess-${index}` } });
    }
    await settled();
    expect(lines()).toHaveLength(10);
  });

  test('a user who asks without pause has a line a second on average', async () => {
    await ask(150, '/api/settings', 'free');
    expect(lines()).toHaveLength(60);
  });

  test('a path is cut before it is written', async () => {
    await ask(1, `/api/${'a-'.repeat(7000)}`);
    expect(String(lines()[0]?.properties['path'])).toHaveLength(200);
  });
});

/** A log before one route, with time turned by hand. */
function stage() {
  const lines: LogLine[] = [];
  const clock = createHandScheduler(START);
  const log = createLog((line) => lines.push(line));
  const { routes } = createRequestLog({ log, clock }, { later: clock.schedule });
  const app = new Elysia().use(routes()).get('/api/calls/:id', () => 'a call');
  const ask = (path: string) => app.handle(new Request(`http://localhost${path}`));
  return { lines, clock, ask };
}

describe('a flood', () => {
  test('is one line a minute beside ten', async () => {
    const { lines, clock, ask } = stage();
    for (let minute = 0; minute < 3; minute += 1) {
      for (let index = 0; index < 100; index += 1) await ask(`/api/calls/${index}`);
      await settled();
      clock.advance(MINUTE);
    }
    const further = lines.filter(({ message }) => message === 'Further requests');
    expect(further.map(({ properties }) => properties)).toEqual(
      Array.from({ length: 3 }, () => ({ count: 90, byStatus: '200 90', byRoute: '/api/calls/:id 90' })),
    );
    expect(lines).toHaveLength(33);
  });

  test('of a day, with the longest addresses, fills a sixth of the files at most', async () => {
    const { lines, clock, ask } = stage();
    for (let minute = 0; minute < 30; minute += 1) {
      for (let index = 0; index < 40; index += 1) await ask(`/api/${'long-'.repeat(100)}${index}`);
      await settled();
      clock.advance(MINUTE);
    }
    // Time, level, part and the names of the facts besides.
    const ofHalfAnHour = lines.reduce(
      (sum, { properties }) => sum + JSON.stringify(properties).length + 80,
      0,
    );
    expect(ofHalfAnHour * 48).toBeLessThan(5 * 1024 * 1024);
    expect(lines.length).toBeGreaterThan(300);
  });
});
