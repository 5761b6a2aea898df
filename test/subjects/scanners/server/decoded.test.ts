import { expect, test } from 'bun:test';
import { MINUTE_MS } from '../../../../src/subjects/scanners/rules/tape/tape.ts';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';
import {
  TAPE_TABLES,
  tapeRows,
  type TapeTable,
} from '../../../../src/subjects/scanners/rules/tape/tapeTables.ts';
import { DecodedSegments } from '../../../../src/subjects/scanners/server/tape/decodedSegments.ts';
import { TapeReading } from '../../../../src/subjects/scanners/server/tape/reading.ts';
import { TapeRecorder } from '../../../../src/subjects/scanners/server/tape/recorder.ts';
import { tapeStore } from '../../../../src/subjects/scanners/server/tape/store.ts';
import { finish, type Steps } from '../../../../src/platform/http/readQueue.ts';
import { createLog, type LogLine } from '../../../../src/lib/log.ts';
import { TapeWriter } from '../../../../src/subjects/scanners/server/tape/pack/codec.ts';
import { createMarket } from '../../../../src/market/market.ts';
import { Exchange } from '../../../../src/sources/quotes/simulator/exchange.ts';
import { tapeInMemory } from '../../../support/tapeInMemory.ts';

const DATE = '2026-11-20';
const TABLE: TapeTable = 'intraDaySmall';

/** Does the work. @returns its result, and in how many steps it was done */
function measure<T>(steps: Steps<T>): { value: T; count: number } {
  for (let count = 1; ; count += 1) {
    const step = steps.next();
    if (step.done === true) return { value: step.value, count };
  }
}

/** Forty minutes of the simulated market a quarter of an hour after its open, on disk. */
function recorded() {
  let now = fromSydney(DATE, 10, 15);
  const first = now / MINUTE_MS;
  const clock = { now: () => now };
  const exchange = new Exchange({ seed: 7 });
  const market = createMarket({ clock });
  const log = createLog(() => {});
  const store = tapeStore(tapeInMemory(), 'simulator');
  const source = { clock, ignoreStatus: () => false, health: () => ({ healthy: true }) };
  const recorder = new TapeRecorder({ market, source, store, log });
  const members: string[][] = [];
  for (let minute = 0; minute < 40; minute += 1) {
    market.apply(exchange.advanceTo(now));
    recorder.onTick();
    members.push(tapeRows(TABLE, market.all().values(), false).map(({ code }) => code));
    now += MINUTE_MS;
  }
  recorder.save();
  const reading = new TapeReading({ store, open: () => recorder.open(), log });
  return { reading, members, first };
}

test('changes are read a minute a step, and the second reader finds the minutes decoded', () => {
  const { reading, members, first } = recorded();
  const last = first + members.length - 1;
  // Over the border of two segments; right after the open there are more changes than are told.
  const since = 28;
  const expected = members.flatMap((codes, index) => {
    const before = members[index - 1];
    if (!before || index <= since) return [];
    return [
      ...codes.filter((code) => !before.includes(code)),
      ...before.filter((code) => !codes.includes(code)),
    ];
  });
  expect(expected.length).toBeGreaterThan(20);
  expect(expected.length).toBeLessThan(200);
  const cold = measure(reading.changes(DATE, TABLE, first + since, last));
  expect(cold.value.changes.map(({ row }) => row.code).toSorted()).toEqual(expected.toSorted());
  // Each of the forty minutes of both segments is decoded in a step of its own, and those since then are compared so.
  expect(cold.count).toBeGreaterThan(40 + members.length - since - 1);
  const held = reading.held();
  expect(held).toBeGreaterThan(100_000);
  const warm = measure(reading.changes(DATE, 'intraDayLargeCap', first + since + 3, last - 3));
  expect(warm.count).toBeLessThan(members.length + 5);
  expect(reading.held()).toBe(held);
}, 120_000);

/** The bytes of a segment of this many minutes. */
function written(minutes: number, last: number): Uint8Array {
  const writer = new TapeWriter();
  for (let minute = 1; minute <= minutes; minute += 1) {
    const rows = [{ code: 'ABC', values: [last, null, 0.1234] }];
    writer.add({ minute, tables: new Map(TAPE_TABLES.map((table) => [table, rows])) });
  }
  return writer.written().slice();
}

test('of bytes that are cut off the minutes before are read, and the log says it', () => {
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
