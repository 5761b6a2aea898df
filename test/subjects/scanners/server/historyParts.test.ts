import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { moveEarlierHistory } from '#subjects/scanners/server/history/index.ts';
import { dayFiles, folderOf } from '#lib/dayFiles.ts';
import { HistoryStore } from '#subjects/scanners/server/history/store.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { MAX_DAY_BYTES, stepOf, historyHours } from '#subjects/scanners/rules/history.ts';
import { MINUTE_MS } from '#lib/units.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import {
  inRankOrder,
  HISTORY_TABLES,
  historyRows,
  type HistoryTable,
  historyValues,
} from '#market/scanners/rules/historyTables.ts';
import { DecodedSegments, HistoryReading } from '#subjects/scanners/server/history/reading.ts';
import { HistoryRecorder } from '#subjects/scanners/server/history/recorder.ts';
import { finish } from '#platform/http/readQueue.ts';
import { createLog, type LogLine } from '#lib/log.ts';
import type { MarketSource } from '#market/sources/quotes.ts';
import { appOf, standIn } from '#support/appOf.ts';
import { HistoryWriter } from '#subjects/scanners/server/history/codec.ts';
import { createMarket } from '#market/market.ts';
import { Exchange } from '#sources/quotes/simulator/exchange.ts';
import { historyInMemory } from '#support/historyInMemory.ts';

describe('files', () => {
  const DATE = '2026-11-18';
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const texts = (parts: readonly Uint8Array[] | undefined): string[] =>
    (parts ?? []).map((part) => new TextDecoder().decode(part));

  let base = '';
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'bellbird-tape-'));
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  const open = (source = 'hand') => new HistoryStore(dayFiles(base, '.tape'), source);
  const file = (source = 'hand'): string => join(base, folderOf(source), `${DATE}.tape`);

  /** Three parts of ten minutes; the second continues the first. */
  function filled() {
    const store = open();
    store.save(DATE, { first: 100, until: 110, goesOnFrom: null, minutes: bytes('one') });
    store.save(DATE, { first: 110, until: 120, goesOnFrom: 100, minutes: bytes('two') });
    store.save(DATE, { first: 120, until: 130, goesOnFrom: null, minutes: bytes('three') });
    return store;
  }

  describe('a day of scanner history in its file', () => {
    test('is read as it was written, a part together with those that it continues', () => {
      filled();
      const store = open();
      expect(store.spans(DATE)).toEqual([
        { first: 100, until: 110 },
        { first: 110, until: 120 },
        { first: 120, until: 130 },
      ]);
      expect(texts(store.at(DATE, 115)?.parts)).toEqual(['one', 'two']);
      expect(texts(store.at(DATE, 105)?.parts)).toEqual(['one']);
      expect(texts(store.at(DATE, 999)?.parts)).toEqual(['three']);
      expect(store.at(DATE, 99)).toBeNull();
      expect(store.sizeOf(DATE)).toBe(11);
      expect(store.dates()).toEqual([DATE]);
    });

    test('is only appended to, and a cut removes the dropped parts from the file', () => {
      const store = filled();
      const before = readFileSync(file());
      store.save(DATE, { first: 130, until: 131, goesOnFrom: null, minutes: bytes('four') });
      expect(readFileSync(file()).subarray(0, before.length)).toEqual(before);
      for (let time = 0; time < 50; time += 1) {
        store.cut(DATE, 115);
        store.save(DATE, { first: 115, until: 116, goesOnFrom: null, minutes: bytes('again') });
      }
      expect(statSync(file()).size).toBeLessThan(before.length + 100);
      expect(open().spans(DATE)).toEqual([
        { first: 100, until: 110 },
        { first: 110, until: 115 },
        { first: 115, until: 116 },
      ]);
      expect(texts(open().at(DATE, 115)?.parts)).toEqual(['again']);
    });

    test('loses only the last record to any power cut, and the next one replaces it', () => {
      filled();
      const whole = readFileSync(file());
      for (let length = 0; length <= whole.length; length += 1) {
        writeFileSync(file(), whole.subarray(0, length));
        const store = open();
        const kept = store.spans(DATE).length;
        store.save(DATE, { first: 200, until: 201, goesOnFrom: null, minutes: bytes('after') });
        expect(open().spans(DATE)).toHaveLength(kept + 1);
        expect(texts(open().at(DATE, 200)?.parts)).toEqual(['after']);
      }
      writeFileSync(file(), whole);
      truncateSync(file(), whole.length - 2);
      appendFileSync(file(), 'zz');
      expect(open().spans(DATE)).toHaveLength(2);
    });
  });

  test('the name of a source leads to no other folder, for any characters', () => {
    for (const name of ['..', '../../etc', 'a/b', '', '\ud800', 'x'.repeat(500), 'replay-a-2026-11-18']) {
      open(name).save(DATE, { first: 1, until: 2, goesOnFrom: null, minutes: bytes(name) });
      expect(open(name).dates()).toEqual([DATE]);
    }
    expect(readdirSync(base)).toHaveLength(7);
    expect(readdirSync(join(base, '..')).filter((name) => name.endsWith('.tape'))).toEqual([]);
  });

  test('keeps ten days of each source, whichever source runs', () => {
    for (const source of ['one', 'two'])
      for (let day = 10; day < 25; day += 1)
        open(source).save(`2026-11-${day}`, { first: 1, until: 2, goesOnFrom: null, minutes: bytes('x') });
    expect(open('three').prune(10)).toBe(10);
    expect(open('one').dates().at(-1)).toBe('2026-11-15');
    expect(open('two').dates()).toHaveLength(10);
  });

  test('history that an earlier version stored in the database is moved to files once', async () => {
    const db = openMemoryDb();
    const row =
      'INSERT INTO tape_segments (source, date, first, goes_on_from, until, minutes) VALUES (?, ?, ?, ?, ?, ?)';
    db.$client.run(row, ['hand', DATE, 100, null, 110, bytes('one')]);
    db.$client.run(row, ['hand', DATE, 110, 100, 120, bytes('two')]);
    db.$client.run(row, ['other', '2026-11-17', 5, null, 6, bytes('x')]);
    expect(await moveEarlierHistory(db, dayFiles(base, '.tape'))).toBe(2);
    expect(texts(open().at(DATE, 115)?.parts)).toEqual(['one', 'two']);
    expect(open('other').dates()).toEqual(['2026-11-17']);
    expect(db.$client.query('SELECT count(*) AS left FROM tape_segments').get()).toEqual({ left: 0 });
    expect(await moveEarlierHistory(db, dayFiles(base, '.tape'))).toBe(0);
  });
});

const TABLE: HistoryTable = 'intraDaySmall';

/** The bytes of a segment of this many minutes. */
function written(minutes: number, last: number): Uint8Array {
  const writer = new HistoryWriter();
  for (let minute = 1; minute <= minutes; minute += 1) {
    const rows = [{ code: 'ABC', values: [last, null, 0.1234] }];
    writer.add({ minute, tables: new Map(HISTORY_TABLES.map((table) => [table, rows])) });
  }
  return writer.written().slice();
}

test('a truncated segment gives its earlier minutes, with a log line', () => {
  const lines: LogLine[] = [];
  const decoded = new DecodedSegments(createLog((line) => lines.push(line)));
  const whole = written(10, 1);
  const minutes = finish(
    decoded.minutes([whole.subarray(0, whole.length - 3)], { isPacked: false, first: 7 }),
  );
  expect(minutes.map(({ minute }) => minute)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(minutes[3]?.row(TABLE, 0).values.slice(0, 3)).toEqual([1, null, 0.1234]);
  expect(lines).toHaveLength(1);
});

describe('a simulated day', () => {
  const DATE = '2026-11-20';

  test('half an hour around the open is read exactly as the membership rules gave it', () => {
    let now = fromSydney(DATE, 9, 50);
    const clock = { now: () => now };
    const exchange = new Exchange({ seed: 7 });
    const market = createMarket({ clock });
    const log = createLog(() => {});
    const store = new HistoryStore(historyInMemory(), 'simulator');
    const source = standIn<MarketSource>({
      clock: standIn(clock),
      ignoreStatus: () => false,
      health: () => ({ healthy: true, problem: null, lastSuccess: null, measuredLagMs: null }),
    });
    const recorder = new HistoryRecorder(appOf({ market: standIn(market), source, log }), store);
    const reading = new HistoryReading(store, () => recorder.open(), log);
    const expected: [number, string, unknown][] = [];
    for (let minute = 0; minute < 30; minute += 1) {
      market.apply(exchange.advanceTo(now));
      recorder.onTick();
      for (const table of HISTORY_TABLES) {
        const rows = historyRows(table, market.all().values(), false).map((stock) => ({
          code: stock.code,
          values: historyValues(table, stock),
        }));
        expected.push([now / MINUTE_MS, table, inRankOrder(table, rows)]);
      }
      now += MINUTE_MS;
    }
    recorder.save();
    for (const table of HISTORY_TABLES) {
      const own = expected.filter(([, of]) => of === table);
      // From memory and from disk: the first twenty minutes are a separate series.
      for (const [minute, , rows] of [own[0], own[7], own[19], own[20], own[29]].flatMap((one) =>
        one ? [one] : [],
      )) {
        const found = finish(reading.at(DATE, table, minute));
        expect(found?.minute).toBe(minute);
        expect(inRankOrder(table, found?.rows ?? [])).toEqual(rows as ReturnType<typeof inRankOrder>);
      }
    }
    expect(expected.some(([, table, rows]) => table === 'intraDaySmall' && (rows as []).length > 50)).toBe(
      true,
    );
    expect(store.sizeOf(DATE)).toBeLessThan(MAX_DAY_BYTES / 10);
  }, 120_000);

  test('a day over its size budget is thinned, and others are not', () => {
    const hours = historyHours(DATE);
    if (!hours) throw new Error('The market trades that day.');
    expect(stepOf(0, hours, hours.from)).toBe(1);
    expect(stepOf(MAX_DAY_BYTES * 0.5, hours, hours.from)).toBe(5);
    expect(stepOf(MAX_DAY_BYTES * 0.5, hours, (hours.from + hours.to) / 2)).toBe(1);
    expect(stepOf(MAX_DAY_BYTES * 1.1, hours, hours.to)).toBe(5);
  });
});
