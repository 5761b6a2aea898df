import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { alertStates } from '#src/tables/alertSchema.ts';
import { announcements } from '#src/tables/marketSchema.ts';
import { emptyStock, type Stock } from '#market/rules/stock.ts';
import type { RecordedEvent } from '#market/recording/types.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { addAlert, alertsOf, lastAbove } from '#support/alertsApp.ts';
import { aRelease } from '#support/handAnnouncements.ts';
import { memoryRecording, type RecordedParts } from '#support/memoryRecording.ts';
import { createReplayedApp, type ReplayedApp } from '#support/replayedApp.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '#support/testApp.ts';

// The machine may be busy with other things.
setDefaultTimeout(30_000);

const at = (hour: number, minute: number): number => fromSydney('2026-01-19', hour, minute);

const stock = (code: string, last: number): Stock => ({
  ...emptyStock(code),
  name: `${code} Limited`,
  status: 'Open',
  close: 40,
  last,
  high: last,
  low: last,
  volume: 1000,
});
const trade = (time: number, last: number): RecordedEvent => ({
  time,
  kind: 'stocks',
  updates: [{ code: 'BHP', last, quoteTime: time }],
});

/** BHP trades at 40 first, at 51 from 10:10 on, and at 45 from 10:20 on; an announcement arrives at 10:15. */
const RECORDED: RecordedParts = {
  bases: [
    {
      time: at(10, 0),
      stocks: [stock('BHP', 40), stock('CBA', 100)],
      facts: {},
      releases: [],
      events: [],
    },
  ],
  events: [
    trade(at(10, 10), 51),
    {
      time: at(10, 15),
      kind: 'announcements',
      releases: [aRelease('a', { headline: 'Quarterly Report', time: at(10, 15), isPriceSensitive: true })],
    },
    trade(at(10, 20), 45),
    trade(at(10, 40), 46),
  ],
};

let running: TestApp | null = null;
afterEach(async () => {
  await running?.parts.feed.stop();
  await running?.parts.announcements.stop();
  running?.close();
  running = null;
});

async function start(options?: TestAppOptions): Promise<ReplayedApp> {
  const app = createReplayedApp(memoryRecording(RECORDED), options);
  running = app;
  app.parts.announcements.start();
  await app.parts.feed.start();
  app.tick.run();
  return app;
}

const post = (app: TestApp, what: string, body: unknown, as: 'admin' | 'free' | 'guest' = 'admin') =>
  app.request('POST', `/api/replay/${what}`, { as, body });
const jump = (app: TestApp, time: number) => post(app, 'jump', { time });
const last = (app: TestApp): number | null | undefined => app.parts.market.service.get('BHP')?.last;

describe('control of a replay', () => {
  const bodies = { pause: { paused: true }, speed: { speed: 10 }, jump: { time: at(10, 12) } };

  test('is limited to administrators', async () => {
    const app = await start();
    for (const [what, body] of Object.entries(bodies)) {
      expect((await post(app, what, body, 'guest')).status).toBe(401);
      const refused = await post(app, what, body, 'free');
      expect([refused.status, refused.json]).toEqual([403, { error: 'This is for administrators only.' }]);
      expect((await post(app, what, body)).status).toBe(200);
    }
    expect((await app.request('GET', '/api/replay')).json).toMatchObject({
      isPaused: true,
      speed: 10,
      jumps: 1,
      isOpenToAll: false,
      marketTime: at(10, 12),
      from: at(10, 0),
      until: at(10, 40),
      hasEnded: false,
      isCutOff: false,
    });
  });

  test('is open to everyone in test mode', async () => {
    const app = await start({ env: { BELLBIRD_TEST: '1' } });
    expect((await post(app, 'jump', bodies.jump, 'guest')).json).toMatchObject({
      isOpenToAll: true,
      jumps: 1,
    });
  });

  test('returns 404 if no recording is played', async () => {
    const app = createTestApp();
    running = app;
    for (const [what, body] of Object.entries(bodies)) {
      expect((await post(app, what, body)).status).toBe(404);
      expect((await post(app, what, 'nonsense')).status).toBe(404);
    }
    expect((await app.request('GET', '/api/replay')).status).toBe(404);
  });

  test('moves a simulated market forward only for administrators, outside the exchange’s hours', async () => {
    let isOpen = false;
    const app = createTestApp({ source: { skip: () => !isOpen } });
    running = app;
    const skip = (as: 'admin' | 'free') =>
      app.request('POST', '/api/simulator/skip', { as, body: { to: 'open' } });
    expect([(await skip('free')).status, (await skip('admin')).status]).toEqual([403, 200]);
    isOpen = true;
    expect((await skip('admin')).status).toBe(409);
  });

  test('explains an impossible request and changes nothing', async () => {
    const app = await start();
    const refusal = async (what: string, body: unknown) => {
      const { status, json } = await post(app, what, body);
      expect([400, 422]).toContain(status);
      return (json as { error: string }).error;
    };
    expect(await refusal('jump', { time: at(9, 59) })).toBe(
      'That time is before the recording begins. It runs from 10:00 Sydney time to 10:40 Sydney time.',
    );
    expect(await refusal('jump', { time: at(10, 41) })).toMatch(/^That time is after the recording ends\./);
    expect(await refusal('jump', { time: 'soon' })).toMatch(/\.$/);
    expect(await refusal('speed', { speed: 61 })).toBe('Choose a speed from 1 to 60.');
    expect(await refusal('speed', { speed: 0 })).toBe('Choose a speed from 1 to 60.');
    expect(await refusal('pause', {})).toMatch(/\.$/);
    expect((await app.request('GET', '/api/replay')).json).toMatchObject({
      jumps: 0,
      speed: 1,
      isPaused: false,
    });
  });
});

test('a replayed market stays at its end and stays healthy', async () => {
  const app = await start();
  app.play(3_600_000);
  expect(last(app)).toBe(46);
  const { json } = await app.request('GET', '/api/replay');
  expect(json).toMatchObject({ hasEnded: true, marketTime: at(10, 40) });
  expect(app.source.clock.speed).toBe(0);
  expect(app.source.health()).toMatchObject({ healthy: true, problem: null });
});

describe('listeners of a market that jumps', () => {
  const ABOVE = { persistent: true, logic_json: lastAbove(50) };
  const fired = async (app: TestApp, id: number): Promise<number> =>
    ((await app.request('GET', `/api/alerts/${id}/triggers`, { as: 'free' })).json as { triggers: unknown[] })
      .triggers.length;

  test('an alert does not fire for the jump itself, but for later prices', async () => {
    const app = await start();
    const { id } = await addAlert(app, ABOVE);
    app.tick.run();
    await jump(app, at(10, 12));
    app.tick.run();
    expect(await fired(app, id)).toBe(0);
    await jump(app, at(10, 9));
    app.play(2 * 60_000);
    expect(last(app)).toBe(51);
    app.tick.run();
    expect(await fired(app, id)).toBe(1);
  });

  test('alert state of the real market is kept', async () => {
    const app = await start();
    const { id } = await addAlert(app, ABOVE);
    const kept = { alertId: id, source: 'tradingview', state: 'kept' };
    app.db.insert(alertStates).values(kept).run();
    app.play(11 * 60_000);
    expect(last(app)).toBe(51);
    for (let second = 0; second < 5; second += 1) {
      app.clock.advance(1000);
      app.tick.run();
    }
    app.parts.alerts.stop();
    expect(await alertsOf(app)).toMatchObject([{ active: true, last_triggered_at: expect.any(String) }]);
    expect(app.db.select().from(alertStates).all()).toEqual([kept]);
  });

  test('an announcement exists only after its time, stored under the recording’s name', async () => {
    const app = await start();
    const news = () => app.parts.market.service.get('BHP')?.news?.['2026-01-19']?.headline;
    await jump(app, at(10, 16));
    expect(news()).toBe('Quarterly Report');
    expect(app.parts.market.service.get('BHP')?.sensitiveAnnouncements).toBe(1);
    await jump(app, at(10, 14));
    expect(news()).toBeUndefined();
    expect(app.parts.market.service.get('BHP')?.sensitiveAnnouncements ?? 0).toBe(0);
    app.play(2 * 60_000);
    app.tick.run();
    expect(news()).toBe('Quarterly Report');
    await jump(app, at(10, 39));
    expect(app.db.select().from(announcements).all()).toMatchObject([{ source: 'replay-hand-2026-01-19' }]);
  });

  test('the stream sends a snapshot of that time to all clients', async () => {
    const app = await start({ env: { BELLBIRD_TEST: '1' } });
    const response = await app.open('GET', '/api/data/stream');
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    const decoder = new TextDecoder();
    const received = async (part: string): Promise<void> => {
      while (!text.includes(part)) text += decoder.decode((await reader.read()).value);
    };
    await received('event: snapshot');
    text = '';
    await jump(app, at(10, 12));
    await received('"jumps":1');
    await received('\n\n');
    expect(text).toMatch(/^event: snapshot$/m);
    expect(text).toContain(`"marketTime":${at(10, 12)}`);
    expect(text).toContain('"last":51');
    text = '';
    await post(app, 'pause', { paused: true });
    await received('"clockSpeed":0');
    expect(text).toMatch(/^event: delta_update$/m);
    await reader.cancel();
  });
});
