import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { BarsAnswer, DayLinesAnswer } from '../../../../src/market/bars/rules/bars.ts';
import { dailyBars, facts, minuteSegments } from '../../../../src/platform/db/schema.ts';
import { emptyStock, type Stock } from '../../../../src/market/rules/stock.ts';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';
import type { RecordedEvent, RecordedMinute } from '../../../../src/market/recording/types.ts';
import { createReplay } from '../../../../src/sources/quotes/replay/index.ts';
import { memoryRecording, type RecordedParts } from '../../../support/memoryRecording.ts';
import { createTestApp, type TestApp } from '../../../support/testApp.ts';

// The machine may be busy with other things.
setDefaultTimeout(30_000);

const MINUTE = 60_000;
const at = (hour: number, minute: number): number => fromSydney('2026-01-19', hour, minute);
const FROM = at(10, 5);

/** BHP begins the recording at 40 with 1,000,000 shares; each minute from 10:06 to 10:40 it trades 100 more, a cent higher. */
function recorded(): RecordedParts {
  const base = { ...emptyStock('BHP'), name: 'BHP', status: 'Open' as const, close: 39, volume: 1_000_000 };
  const stocks: Stock[] = [{ ...base, open: 38, last: 40, high: 44, low: 30 }];
  const events: RecordedEvent[] = [];
  const minutes: RecordedMinute[] = [];
  for (let step = 1; step <= 35; step += 1) {
    const time = FROM + step * MINUTE;
    const last = 40 + step / 100;
    const [quoteTime, volume] = [time, 1_000_000 + step * 100];
    events.push({ time, kind: 'stocks', updates: [{ code: 'BHP', last, volume, quoteTime }] });
    minutes.push({ time, open: last, high: last, low: last, close: last, volume: 100 });
  }
  return {
    bases: [{ time: FROM, stocks, facts: {}, preOpen: {}, releases: [], events: [] }],
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
    // As recordings do: of minutes those that began at a moment or before.
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
const lineAt = async (app: TestApp): Promise<DayLinesAnswer> =>
  (await app.request('GET', '/api/data/day-lines?symbols=BHP')).json as DayLinesAnswer;

describe('the bars of a replay', () => {
  test('are those until its moment, ahead and back, from the beginning of the recording', async () => {
    const app = await start();
    for (const minute of [12, 30, 9, 21]) {
      await jump(app, at(10, minute));
      const { bars, quote, knownSince } = await barsAt(app);
      expect([bars.time.at(0), bars.time.at(-1), bars.time.length]).toEqual([
        at(10, 6),
        at(10, minute),
        minute - 5,
      ]);
      // The shares and the range of before the recording are in no minute of it.
      expect([bars.volume.at(-1), bars.high.at(-1), bars.low.at(-1)]).toEqual([
        100,
        bars.close.at(-1),
        bars.close.at(-1),
      ]);
      expect(quote).toMatchObject({ last: bars.close.at(-1), volume: 1_000_000 + (minute - 5) * 100 });
      expect(knownSince).toBe(FROM);
    }
  });

  test('of five minutes and of the day go back with it', async () => {
    const app = await start();
    await jump(app, at(10, 31));
    expect((await barsAt(app, '5')).bars.volume).toEqual([400, 500, 500, 500, 500, 200]);
    expect((await barsAt(app, 'D')).bars).toMatchObject({ open: [38], high: [44], close: [40.26] });
    await jump(app, at(10, 11));
    expect((await barsAt(app, '5')).bars.volume).toEqual([400, 200]);
    const { bars, knownSince } = await barsAt(app, 'D');
    expect(bars).toMatchObject({ close: [40.06], volume: [1_000_600] });
    expect(knownSince).toBe(Date.UTC(2026, 0, 19));
  });

  test('and the lines of its day do too; what is before the recording is a gap', async () => {
    const app = await start();
    await jump(app, at(10, 31));
    expect((await lineAt(app)).lines['BHP']?.closes).toHaveLength(7);
    await jump(app, at(10, 11));
    const { lines, unknown } = await lineAt(app);
    expect(lines['BHP']?.closes).toEqual([null, 40.04, 40.06]);
    expect(unknown).toEqual([{ from: at(10, 0), until: FROM }]);
    await jump(app, at(10, 16));
    expect((await lineAt(app)).lines['BHP']?.closes).toEqual([null, 40.04, 40.09, 40.11]);
  });

  test('leave nothing behind that a later replay would take for its own', async () => {
    const app = await start();
    await jump(app, at(10, 31));
    await jump(app, at(10, 11));
    app.parts.values.stop();
    const written = app.db.select({ key: facts.key }).from(facts).all();
    expect(written.filter(({ key }) => key.startsWith('seen_times_'))).toEqual([]);
    expect(app.db.select().from(minuteSegments).all()).toEqual([]);
    expect(app.db.select().from(dailyBars).all()).toEqual([]);
  });
});
