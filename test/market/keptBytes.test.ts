import { describe, expect, test } from 'bun:test';
import { NO_ADJUSTMENTS } from '#market/splits.ts';
import { join } from 'node:path';
import { savedAuctions } from '#market/auctions/memory.ts';
import { BarStore } from '#market/bars/store.ts';
import { SavedMinutes } from '#market/bars/persist.ts';
import { openRecording } from '#market/recording/open.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { HISTORY_TABLES } from '#market/scanners/rules/historyTables.ts';
import { readHistory, HistoryWriter } from '#subjects/scanners/server/history/codec.ts';
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
const asText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
/** Data written now has the same content as an earlier version’s. */
const expectSame = (row: { packed: Uint8Array } | null, name: string): void =>
  expect(unpackJson(row?.packed ?? new Uint8Array())).toEqual(unpackJson(earlier(name)));

const log = createLog(() => {});
const DATE = '2026-01-19';
const SOURCE = 'hand';

const FRAMES = [
  { minute: 29_480_700, bhp: [50.601, 51.2, 12_345, null], added: [] },
  { minute: 29_480_701, bhp: [50.602, 51.2, 12_399, 0.0005], added: ['A2M', 'Ünï'] },
  { minute: 29_480_705, bhp: null, added: ['A2M'] },
] as const;

function queue(): Uint8Array {
  const writer = new HistoryWriter();
  for (const { minute, bhp, added } of FRAMES) {
    const rows = [
      ...(bhp === null ? [] : [{ code: 'BHP', values: bhp }]),
      ...added.map((code, at) => ({ code, values: [at / 3, -7.5, 2 ** 51, 1e9, 3.25, 0] })),
    ];
    writer.add({ minute, tables: new Map(HISTORY_TABLES.map((table) => [table, rows])) });
  }
  return writer.written();
}

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
  test('scanner history has the same bytes and minutes', () => {
    expect(asText(queue())).toBe(EARLIER['tape'] ?? '');
    const frames = [...readHistory(earlier('tape'))].map(({ minute, rows }) => ({
      minute,
      codes: rows('intraDaySmall').codes,
    }));
    expect(frames.map(({ minute }) => minute)).toEqual(FRAMES.map(({ minute }) => minute));
  });

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
