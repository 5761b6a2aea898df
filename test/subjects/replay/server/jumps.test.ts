import type { MinuteBar } from '#market/bars/rules/bars.ts';
import { describe, afterAll, beforeAll, expect, setDefaultTimeout, test, afterEach } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromSydney } from '#lib/sydneyTime.ts';
import { openRecording } from '#market/recording/open.ts';
import { recordFile } from '#support/recordedFile.ts';
import { createReplayedApp, type ReplayedApp } from '#support/replayedApp.ts';
import { type TestApp, createTestApp } from '#support/testApp.ts';
import type { BarsAnswer } from '#market/bars/rules/barsAnswer.ts';
import { dailyBars, facts, segments } from '#platform/db/schema.ts';
import { emptyStock, type Stock } from '#market/rules/stock.ts';
import type { RecordedEvent } from '#market/recording/types.ts';
import { createReplay } from '#sources/quotes/replay/index.ts';
import { memoryRecording, type RecordedParts } from '#support/memoryRecording.ts';

// The machine may be busy with other things.
setDefaultTimeout(120_000);

describe('consistency', () => {
  const DATE = '2026-01-19';
  const at = (hour: number, minute: number, second = 0): number =>
    fromSydney(DATE, hour, minute) + second * 1000;
  const EARLY = at(9, 57, 30);
  const LATE = at(10, 11, 30);
  const STEP_MS = 30_000;
  const CODES = new Set(['BHP', 'CBA', 'CSL', 'WES', 'NAB', 'ANZ', 'RIO', 'TLS']);

  let folder = '';
  const path = () => join(folder, 'morning.bellbird');

  /** A part of a simulated morning around the opening auction. */
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bellbird-test-'));
    await recordFile({ path: path(), from: at(9, 50), until: at(10, 14), stepMs: 2000, codes: CODES });
  });

  const running: TestApp[] = [];
  afterAll(async () => {
    for (const app of running) {
      await app.parts.feed.stop();
      app.close();
    }
    await rm(folder, { recursive: true, force: true });
  });

  async function start(): Promise<ReplayedApp> {
    const app = createReplayedApp(openRecording(path()), { env: { BELLBIRD_TEST: '1' } });
    running.push(app);
    await app.parts.feed.start();
    app.tick.run();
    return app;
  }

  const lateMs = (app: TestApp): number =>
    Number((app.source.details?.() as Record<string, unknown> | undefined)?.['lateMs']);

  function playTo(app: ReplayedApp, time: number): void {
    while (app.source.clock.now() < time) {
      app.play(Math.min(STEP_MS, time - app.source.clock.now()));
      expect(lateMs(app)).toBe(0);
      app.tick.run();
    }
  }

  async function jump(app: TestApp, time: number): Promise<void> {
    expect((await app.request('POST', '/api/replay/jump', { as: 'admin', body: { time } })).status).toBe(200);
  }

  const answer = async (app: TestApp, path: string): Promise<unknown> => {
    const { status, json } = await app.request('GET', `/api/data/${path}`, { as: 'admin' });
    expect(status).toBe(200);
    return json;
  };

  /** The stocks in the stream's snapshot, whatever the change set number. */
  const stocksOf = (app: TestApp): unknown =>
    [...app.parts.market.service.all().values()]
      .map(({ indicators: _own, htf: _higher, ...stock }) => stock)
      .sort((a, b) => (a.code < b.code ? -1 : 1));

  async function readAll(app: TestApp) {
    return {
      auction: await answer(app, 'auction?symbol=BHP'),
      events: await answer(app, 'day-events?symbol=BHP'),
      bars: await answer(app, 'bars?symbol=BHP&tf=1'),
      stocks: stocksOf(app),
    };
  }

  type Answers = Awaited<ReturnType<typeof readAll>>;
  const auctionTimes = ({ auction }: Answers): number[] =>
    (auction as { columns: { time: number[] } }).columns.time;

  test('a market after a jump answers as if it was played to that time, forward and back', async () => {
    const played = await start();
    playTo(played, EARLY);
    const early = await readAll(played);
    playTo(played, LATE);
    const late = await readAll(played);
    // The answers are not empty and not equal.
    expect(auctionTimes(early).length).toBeGreaterThan(2);
    expect(auctionTimes(late).length).toBeGreaterThan(auctionTimes(early).length);
    expect((late.events as { statuses: unknown[] }).statuses.length).toBeGreaterThan(1);
    expect((late.events as { auctions: unknown[] }).auctions).toMatchObject([{ kind: 'open' }]);

    const jumped = await start();
    await jump(jumped, LATE);
    expect(await readAll(jumped)).toEqual(late);
    await jump(jumped, EARLY);
    expect(await readAll(jumped)).toEqual(early);
    playTo(jumped, LATE);
    expect(await readAll(jumped)).toEqual(late);
  });
});

describe('the bars of a replay', () => {
  const MINUTE = 60_000;
  const at = (hour: number, minute: number): number => fromSydney('2026-01-19', hour, minute);
  const FROM = at(10, 5);

  /** BHP starts at 40 with 1,000,000 shares; each minute from 10:06 to 10:40 it trades 100 more, a cent higher. */
  function recorded(): RecordedParts {
    const base = { ...emptyStock('BHP'), name: 'BHP', status: 'Open' as const, close: 39, volume: 1_000_000 };
    const stocks: Stock[] = [{ ...base, open: 38, last: 40, high: 44, low: 30 }];
    const events: RecordedEvent[] = [];
    const minutes: MinuteBar[] = [];
    for (let step = 1; step <= 35; step += 1) {
      const time = FROM + step * MINUTE;
      const last = 40 + step / 100;
      const [quoteTime, volume] = [time, 1_000_000 + step * 100];
      events.push({ time, kind: 'stocks', updates: [{ code: 'BHP', last, volume, quoteTime }] });
      minutes.push({ time, open: last, high: last, low: last, close: last, volume: 100 });
    }
    return {
      bases: [{ time: FROM, stocks, facts: {}, releases: [], events: [] }],
      events,
      minutes: new Map([['BHP', minutes]]),
    };
  }

  let running: TestApp | null = null;
  afterEach(async () => {
    await running?.parts.feed.stop();
    running?.close();
    running = null;
  });

  async function start(): Promise<TestApp> {
    const app = createTestApp({
      env: { BELLBIRD_FEED: 'replay', BELLBIRD_REPLAY_FILE: 'any' },
      // As in a recording: the minutes that started at a time or earlier.
      market: (deps) => {
        const recording = memoryRecording(recorded());
        const minutes = (code: string, before: number) => recording.minutes(code, before + 1);
        return createReplay({ ...deps, recording: { ...recording, minutes }, speed: 1 });
      },
    });
    running = app;
    await app.parts.values.start();
    await app.parts.feed.start();
    app.tick.run();
    return app;
  }

  async function jump(app: TestApp, time: number): Promise<void> {
    const { status } = await app.request('POST', '/api/replay/jump', { as: 'admin', body: { time } });
    expect(status).toBe(200);
    app.tick.run();
  }

  const barsAt = async (app: TestApp, tf = '1'): Promise<BarsAnswer> =>
    (await app.request('GET', `/api/data/bars?symbol=BHP&tf=${tf}`)).json as BarsAnswer;

  test('end at the current time, forward and back, and start with the recording', async () => {
    const app = await start();
    for (const minute of [12, 30, 9, 21]) {
      await jump(app, at(10, minute));
      const { bars, quote, knownSince } = await barsAt(app);
      expect([bars.time.at(0), bars.time.at(-1), bars.time.length]).toEqual([
        at(10, 6),
        at(10, minute),
        minute - 5,
      ]);
      // Shares and range from before the recording are in none of its minutes.
      expect([bars.volume.at(-1), bars.high.at(-1), bars.low.at(-1)]).toEqual([
        100,
        bars.close.at(-1),
        bars.close.at(-1),
      ]);
      expect(quote).toMatchObject({ last: bars.close.at(-1), volume: 1_000_000 + (minute - 5) * 100 });
      expect(knownSince).toBe(FROM);
    }
  });

  test('leave nothing behind that a later replay would read', async () => {
    const app = await start();
    await jump(app, at(10, 31));
    await jump(app, at(10, 11));
    app.parts.values.stop();
    const written = app.db.select({ key: facts.key }).from(facts).all();
    expect(written.filter(({ key }) => key.startsWith('seen_times_'))).toEqual([]);
    expect(app.db.select().from(segments).all()).toEqual([]);
    expect(app.db.select().from(dailyBars).all()).toEqual([]);
  });
});
