import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import fc from 'fast-check';
import type { StockUpdate } from '../../../src/market/rules/stock.ts';
import { openRecording } from '../../../src/market/recording/open.ts';
import type { RecordedEvent } from '../../../src/market/recording/types.ts';
import { asRecorded, player, recordedMarket, TEN } from '../../support/recordedMarket.ts';
import { tempFolders } from '../../support/tempFolder.ts';

const folder = tempFolders();
const newFile = (): string => join(folder(), 'day.bellbird');

/** Numbers as sources send them: prices on steps, figures with many digits, tiny and huge ones, null. */
const price = fc.oneof(
  fc.integer({ min: 1, max: 90_000 }).map((mils) => mils / 1000),
  fc.constantFrom(0.0005, 1 / 3, 1e-7, 123_456.789_012, null),
);
const amount = fc.oneof(fc.nat({ max: 5_000_000 }), fc.constantFrom(0, 0.5, 12.345, 9e12, null));
const surplus = fc.oneof(fc.integer({ min: -1e6, max: 1e6 }), fc.constantFrom(-1.5, null));
const code = fc.constantFrom('BHP', 'CBA', 'A2M', 'XRO', '360');

const update = fc.record(
  {
    code,
    last: price,
    close: price,
    volume: amount,
    value: amount,
    vwap: fc.integer({ min: 1, max: 90_000 }).map((tenths) => tenths / 10_000),
    match_price: price,
    match_vol: amount,
    buy_surplus: surplus,
    relativeVolume: fc.nat({ max: 90_000 }).map((mils) => mils / 1000),
    name: fc.string({ maxLength: 10 }),
    status: fc.constantFrom('Open' as const, 'Halted' as const, 'Pre Open' as const),
    age: fc.integer({ min: 0, max: 30_000 }),
  },
  { requiredKeys: ['code'] },
);

const step = fc.record({
  ms: fc.integer({ min: 1, max: 240_000 }),
  updates: fc.array(update, { maxLength: 4 }),
  removed: fc.option(fc.tuple(code), { freq: 6, nil: [] as string[] }),
});

type Step = { ms: number; updates: (StockUpdate & { age?: number })[]; removed: string[] };

async function recordSteps(steps: readonly Step[]) {
  const stage = await recordedMarket({ path: newFile() });
  stage.tick(1, [{ code: 'BHP', last: 44.5, volume: 10 }]);
  const states = [{ time: stage.now(), stocks: asRecorded(stage.market.all().values()) }];
  for (const { ms, updates, removed } of steps) {
    const time = stage.now() + ms;
    const timed = updates.map(({ age, ...one }) =>
      age === undefined ? one : { ...one, quoteTime: time - age },
    );
    stage.tick(ms, timed, removed);
    states.push({ time: stage.now(), stocks: asRecorded(stage.market.all().values()) });
  }
  await stage.recorder.end();
  expect(stage.recorder.failure()).toBeNull();
  return { ...stage, states };
}

describe('a recording', () => {
  test('what was written is what is read: at every moment the state that the Market had', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { path, states } = await recordSteps(steps as Step[]);
        const recording = openRecording(path);
        expect(recording.isCutOff).toBe(false);
        for (const { time, stocks } of states) {
          const base = recording.baseAt(time);
          expect(base.time).toBe(time);
          expect(asRecorded(base.stocks)).toEqual(stocks);
        }
        recording.close();
      }),
      { numRuns: 40 },
    );
  });

  test('played from any moment, the Market comes to the state of any later one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 2, maxLength: 10 }),
        fc.nat(),
        fc.nat(),
        async (steps, one, other) => {
          const { path, states } = await recordSteps(steps as Step[]);
          const recording = openRecording(path);
          const [a, b] = [one % states.length, other % states.length].sort((x, y) => x - y);
          const from = states[a ?? 0]?.time ?? TEN;
          const until = states[b ?? 0];
          const { market, play } = player(recording.baseAt(from));
          play(recording.events(from, until?.time ?? TEN));
          const played = asRecorded(market.all().values()).map(({ preOpen: _preOpen, ...stock }) => stock);
          expect(played).toEqual((until?.stocks ?? []).map(({ preOpen: _preOpen, ...stock }) => stock));
          recording.close();
        },
      ),
      { numRuns: 40 },
    );
  });

  test('keeps the time of each tick and of each quote', async () => {
    const stage = await recordedMarket({ path: newFile() });
    stage.tick(1000, [{ code: 'BHP', last: 44.5, volume: 100, quoteTime: TEN + 437 }]);
    stage.tick(250, [{ code: 'BHP', last: 44.51, volume: 150, quoteTime: TEN + 1201 }]);
    await stage.recorder.end();
    const recording = openRecording(stage.path);
    const events = [...recording.events(TEN, recording.until)] as (RecordedEvent & { kind: 'stocks' })[];
    expect(events.map(({ time }) => time - TEN)).toEqual([1000, 1250]);
    expect(events.map(({ updates }) => updates[0]?.quoteTime)).toEqual([TEN + 437, TEN + 1201]);
    expect(events[1]?.updates).toEqual([
      { code: 'BHP', last: 44.51, volume: 150, value: 6677, quoteTime: TEN + 1201 },
    ]);
    expect(recording.baseAt(TEN + 1300).facts?.['BHP']?.newestStated).toBe(TEN + 1201);
    recording.close();
  });

  test('keeps announcements and the calendar, with what was withdrawn', async () => {
    const release = (id: string) => ({
      ...{ id, code: 'BHP', headline: 'Quarterly report', url: null, document: null },
      ...{ announcementTypes: ['Periodic report'], isPriceSensitive: true, time: TEN },
    });
    const stage = await recordedMarket({ path: newFile(), releases: [release('1')] });
    stage.tick(1000, [{ code: 'BHP', last: 44.5 }]);
    stage.other({ kind: 'announcements', releases: [release('2')] });
    stage.tick(1000, [{ code: 'BHP', last: 44.6 }]);
    stage.other({ kind: 'withdrawn', ids: ['1'] });
    await stage.recorder.end();
    const recording = openRecording(stage.path);
    expect(recording.baseAt(TEN).releases).toEqual([release('1')]);
    expect(recording.baseAt(TEN + 1000).releases).toEqual([release('1'), release('2')]);
    expect(recording.baseAt(recording.until).releases).toEqual([release('2')]);
    expect([...recording.events(TEN, recording.until)].map(({ kind }) => kind)).toEqual([
      ...['stocks', 'announcements', 'stocks', 'withdrawn'],
    ] as never);
    recording.close();
  });

  test('gives the minutes that were traded, of the one under way what traded until then', async () => {
    const stage = await recordedMarket({ path: newFile() });
    let volume = 0;
    const prices = [10, 11, 9, 10.5];
    for (let second = 0; second < 800; second += 1) {
      volume += 10;
      stage.tick(1000, [{ code: 'BHP', last: prices[second % 4] ?? 10, volume }]);
    }
    await stage.recorder.end();
    const recording = openRecording(stage.path);
    const minutes = recording.minutes('BHP', recording.until);
    expect(minutes.map(({ time }) => (time - TEN) / 60_000)).toEqual(
      Array.from({ length: 14 }, (_, at) => at),
    );
    // The first record of a stock is no trade: what it states was traded before.
    expect(minutes.reduce((sum, bar) => sum + bar.volume, 0)).toBe(volume - 10);
    expect(minutes[3]).toEqual({ time: TEN + 180_000, open: 10.5, high: 11, low: 9, close: 9, volume: 600 });
    const part = recording.minutes('BHP', TEN + 190_000).at(-1);
    expect(part?.time).toBe(TEN + 180_000);
    expect(part?.volume).toBe(110);
    expect(recording.minutes('NONE', recording.until)).toEqual([]);
    recording.close();
  });

  test('going back and forth gives what going straight on gives', async () => {
    const stage = await recordedMarket({ path: newFile() });
    for (let second = 0; second < 900; second += 1)
      stage.tick(1000, [{ code: 'BHP', last: 10 + (second % 7) / 100, volume: second * 3 }]);
    await stage.recorder.end();
    const straight = openRecording(stage.path);
    const all = [...straight.events(TEN, straight.until)];
    const jumping = openRecording(stage.path);
    for (const from of [800, 10, 430, 431, 0, 299, 300, 301]) {
      const [after, until] = [TEN + from * 1000, TEN + (from + 60) * 1000];
      expect([...jumping.events(after, until)]).toEqual(
        all.filter(({ time }) => time > after && time <= until),
      );
    }
    straight.close();
    jumping.close();
  });
});
