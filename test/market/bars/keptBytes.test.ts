import { describe, expect, test } from 'bun:test';
import { NO_ADJUSTMENTS } from '../../../src/market/adjustments/index.ts';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import type { StockUpdate } from '../../../src/market/rules/stock.ts';
import { savedAuctions } from '../../../src/market/auctions/savedAuctions.ts';
import { BarStore } from '../../../src/market/bars/store.ts';
import { SavedMinutes } from '../../../src/market/bars/savedMinutes.ts';
import { sessionStore } from '../../../src/market/sessionMemory.ts';
import { createMarket } from '../../../src/market/market.ts';
import { writeIndex } from '../../../src/market/recording/blocks.ts';
import { Recorder, recorded } from '../../../src/market/recording/recorder.ts';
import { TAPE_TABLES } from '../../../src/subjects/scanners/rules/tape/tapeTables.ts';
import { readTape, TapeWriter } from '../../../src/subjects/scanners/server/tape/pack/codec.ts';
import { createLog } from '../../../src/lib/log.ts';
import { openMemoryDb } from '../../support/memoryDb.ts';
import { givenHistory } from '../../support/givenHistory.ts';
import { TEN } from '../../support/recordedMarket.ts';

/** What an earlier version of this program wrote of the same, as base64: a data folder of that version opens. */
const EARLIER: Readonly<Record<string, string>> = await Bun.file(
  join(import.meta.dir, '../../fixtures/keptBytes.json'),
).json();

const earlier = (name: string): Uint8Array => new Uint8Array(Buffer.from(EARLIER[name] ?? '', 'base64'));
const asText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const inflated = (bytes: Uint8Array): string => inflateRawSync(bytes).toString('utf8');

const log = createLog(() => {});
const DATE = '2026-01-19';
const SOURCE = 'hand';

const FRAMES = [
  { minute: 29_480_700, bhp: [50.601, 51.2, 12_345, null], added: [] },
  { minute: 29_480_701, bhp: [50.602, 51.2, 12_399, 0.0005], added: ['A2M', 'Ünï'] },
  { minute: 29_480_705, bhp: null, added: ['A2M'] },
] as const;

function tape(): Uint8Array {
  const writer = new TapeWriter();
  for (const { minute, bhp, added } of FRAMES) {
    const rows = [
      ...(bhp === null ? [] : [{ code: 'BHP', values: bhp }]),
      ...added.map((code, at) => ({ code, values: [at / 3, -7.5, 2 ** 51, 1e9, 3.25, 0] })),
    ];
    writer.add({ minute, tables: new Map(TAPE_TABLES.map((table) => [table, rows])) });
  }
  return writer.written();
}

/** All blocks that a recorder makes of a few ticks, as they are before they are compressed. */
async function recording(): Promise<Uint8Array> {
  let now = TEN;
  const market = createMarket({ clock: { now: () => now }, days: 'independent' });
  const one = (code: string) => {
    const stock = market.get(code);
    if (!stock) throw new Error(`${code} is not listed.`);
    // The version that wrote the fixture knew no traded value without a VWAP.
    return recorded({ ...stock, value: null }, market.statedQuoteTime(code), market.quoteTime(code));
  };
  const blocks: Uint8Array[] = [];
  const recorder = new Recorder(
    {
      file: {
        add: (kind, from, until, raw) => {
          blocks.push(Buffer.from(`${kind} ${from} ${until}\n`), raw.slice());
        },
        failure: () => null,
        end: async () => {},
      },
      stopwatch: { monotonic: () => now - TEN },
      stocks: () => [...market.all().keys()].map(one),
      releases: () => [],
      events: () => [],
    },
    TEN,
  );
  const tick = (ms: number, updates: readonly StockUpdate[], removed: readonly string[] = []) => {
    now += ms;
    market.apply(updates);
    market.remove(removed);
    const changes = market.flush();
    if (changes) recorder.stocks(now, Object.keys(changes.upsert).map(one), changes.delete);
  };
  tick(1, [{ code: 'BHP', name: 'BHP Group', last: 44.5, close: 44, volume: 10, quoteTime: now - 250 }]);
  tick(40_000, [
    { code: 'BHP', last: 44.51, volume: 500 },
    { code: '360', last: 1 / 3, volume: 0.5 },
  ]);
  tick(400_000, [{ code: 'BHP', last: 44.49, volume: 90_000, status: 'Halted', buy_surplus: -1.5 }]);
  tick(90_000, [{ code: 'XRO', last: 0.0005, match_price: 150, match_vol: 9e12 }], ['360']);
  recorder.other(now, { kind: 'withdrawn', ids: ['a'] });
  await recorder.end();
  return Buffer.concat(blocks);
}

const index = (): Uint8Array =>
  writeIndex([
    { kind: 'base', offset: 300, from: TEN, until: TEN },
    { kind: 'events', offset: 70_000, from: TEN, until: TEN + 123_456 },
    { kind: 'minutes', offset: 5_000_000_000, from: TEN + 1, until: TEN + 300_000 },
  ]);

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

describe('what an earlier version wrote', () => {
  test('the tape: the same bytes, and the same minutes of them', () => {
    expect(asText(tape())).toBe(EARLIER['tape'] ?? '');
    const frames = [...readTape(earlier('tape'))].map(({ minute, rows }) => ({
      minute,
      codes: rows('intraDaySmall').codes,
    }));
    expect(frames.map(({ minute }) => minute)).toEqual(FRAMES.map(({ minute }) => minute));
  });

  test('a recording: the same bytes in each block, and in its index', async () => {
    expect(asText(await recording())).toBe(EARLIER['recording'] ?? '');
    expect(asText(index())).toBe(EARLIER['index'] ?? '');
  });

  test('auctions and events of a day', () => {
    const db = openMemoryDb();
    const saved = savedAuctions(db, SOURCE, log);
    saved.append(DATE, AUCTIONS);
    const row = db.$client.query<{ changes: Uint8Array }, []>('SELECT changes FROM auction_segments').get();
    expect(inflated(row?.changes ?? new Uint8Array())).toBe(inflated(earlier('auctions')));
    db.$client.run('UPDATE auction_segments SET changes = ?', [earlier('auctions')]);
    expect([...saved.load(DATE, DATE)]).toEqual([AUCTIONS]);
  });

  test('minute bars', async () => {
    const db = openMemoryDb();
    const bars = barStore();
    for (const row of BARS) bars.ensure('BHP').minutes.put(row);
    new SavedMinutes(db, SOURCE, log, NO_ADJUSTMENTS).save(bars, DATE);
    const row = db.$client.query<{ bars: Uint8Array }, []>('SELECT bars FROM minute_segments').get();
    expect(inflated(row?.bars ?? new Uint8Array())).toBe(inflated(earlier('minutes')));
    db.$client.run('UPDATE minute_segments SET bars = ?', [earlier('minutes')]);
    const read = barStore();
    await new SavedMinutes(db, SOURCE, log, NO_ADJUSTMENTS).load(read, DATE);
    expect([0, 1].map((at) => read.ensure('BHP').minutes.at(at))).toEqual(BARS);
  });

  test('the session before', () => {
    const db = openMemoryDb();
    const store = sessionStore(db, SOURCE);
    store.save({ date: DATE, stocks: SESSION });
    const row = db.$client.query<{ stocks: Uint8Array }, []>('SELECT stocks FROM last_sessions').get();
    expect(inflated(row?.stocks ?? new Uint8Array())).toBe(inflated(earlier('session')));
    db.$client.run('UPDATE last_sessions SET stocks = ?', [earlier('session')]);
    expect(store.read()).toEqual({ date: DATE, stocks: SESSION });
  });
});
