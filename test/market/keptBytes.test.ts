import { describe, expect, test } from 'bun:test';
import { NO_ADJUSTMENTS } from '#market/splits.ts';
import { join } from 'node:path';
import { savedAuctions } from '#market/auctions/memory.ts';
import { BarStore } from '#market/bars/store.ts';
import { SavedMinutes } from '#market/bars/persist.ts';
import { openRecording } from '#market/recording/open.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { createLog } from '#lib/log.ts';
import { unpackJson } from '#lib/pack.ts';
import { openMemoryDb } from '../support/memoryDb.ts';
import { givenHistory } from '../support/givenHistory.ts';
import { TEN } from '../support/recordedMarket.ts';

/** What an earlier version wrote for the same content, as base64: its data folder can still be read. */
const EARLIER: Readonly<Record<string, string>> = await Bun.file(
  join(import.meta.dir, '../fixtures/keptBytes.json'),
).json();

const earlier = (name: string): Uint8Array => new Uint8Array(Buffer.from(EARLIER[name] ?? '', 'base64'));
/** Data written now has the same content as an earlier version’s. */
const expectSame = (row: { packed: Uint8Array } | null, name: string): void =>
  expect(unpackJson(row?.packed ?? new Uint8Array())).toEqual(unpackJson(earlier(name)));

const log = createLog(() => {});
const DATE = '2026-01-19';
const SOURCE = 'hand';

const AUCTIONS = {
  at: TEN,
  points: new Map([
    [
      'BHP',
      [
        { time: TEN - 5000, price: 44.5, volume: 1200, surplus: -300 },
        { time: TEN - 1, price: null, volume: null, surplus: null },
      ],
    ],
  ]),
  events: new Map([
    [
      'BHP',
      {
        statuses: [{ time: TEN, status: 'Open' }],
        auctions: [{ time: TEN, kind: 'open' as const, price: 44.5, volume: null }],
        volumeBefore: 77,
      },
    ],
  ]),
};

const SESSION = [{ code: 'BHP', name: 'BHP Group', last: 44.5, quoteTime: TEN, trend: null }];
const BARS = [
  { key: 100, open: 1, high: 2.5, low: 0.5, close: 2, volume: 1000 },
  { key: 101, open: 2, high: 2, low: 2, close: 2, volume: 7 },
];

const barStore = () =>
  new BarStore({
    clock: { now: () => TEN },
    history: givenHistory({ isDeep: false, daily: () => [], minutes: () => [] }),
    minutes: true,
  });

describe('data of an earlier version', () => {
  test('a recording can be read', () => {
    const recording = openRecording(join(import.meta.dir, '../fixtures/recordings/2026-01-19.bellbird'));
    const at = (hour: number) =>
      recording.baseAt(fromSydney(DATE, hour, 0)).stocks.find(({ code }) => code === 'CBA');
    expect(at(9)).toMatchObject({ status: 'Pre Open', last: null, volume: null, close: 154.3 });
    expect(at(17)).toMatchObject({ open: 154.48, high: 154.56, low: 152.92, last: 153.26, volume: 730_767 });
    expect(recording.baseAt(recording.until).releases).toHaveLength(30);
    expect([...recording.events(recording.from, recording.until)]).toHaveLength(36);
    recording.close();
  });

  test('auctions and events of a day can be read', () => {
    const db = openMemoryDb();
    const saved = savedAuctions(db, SOURCE, log);
    saved.append(DATE, AUCTIONS);
    expectSame(db.$client.query<{ packed: Uint8Array }, []>('SELECT packed FROM segments').get(), 'auctions');
    db.$client.run('UPDATE segments SET packed = ?', [earlier('auctions')]);
    expect([...saved.load(DATE, DATE)]).toEqual([AUCTIONS]);
  });

  test('minute bars can be read', async () => {
    const db = openMemoryDb();
    const bars = barStore();
    for (const row of BARS) bars.ensure('BHP').minutes.put(row);
    new SavedMinutes(db, SOURCE, log, NO_ADJUSTMENTS).save(bars, DATE);
    expectSame(db.$client.query<{ packed: Uint8Array }, []>('SELECT packed FROM segments').get(), 'minutes');
    db.$client.run('UPDATE segments SET packed = ?', [earlier('minutes')]);
    const read = barStore();
    await new SavedMinutes(db, SOURCE, log, NO_ADJUSTMENTS).load(read, DATE);
    expect([0, 1].map((at) => read.ensure('BHP').minutes.at(at))).toEqual(BARS);
  });

  test('the session before can be read', () => {
    expect(unpackJson(earlier('session'))).toEqual(SESSION);
  });
});
