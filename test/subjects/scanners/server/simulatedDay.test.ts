import { expect, test } from 'bun:test';
import {
  MAX_DAY_BYTES,
  MINUTE_MS,
  stepOf,
  tapeHours,
} from '../../../../src/subjects/scanners/rules/tape/tape.ts';
import {
  inRankOrder,
  TAPE_TABLES,
  tapeRows,
  tapeValues,
} from '../../../../src/subjects/scanners/rules/tape/tapeTables.ts';
import { tapeInMemory } from '../../../support/tapeInMemory.ts';
import { TapeReading } from '../../../../src/subjects/scanners/server/tape/reading.ts';
import { TapeRecorder } from '../../../../src/subjects/scanners/server/tape/recorder.ts';
import { tapeStore } from '../../../../src/subjects/scanners/server/tape/store.ts';
import { finish } from '../../../../src/platform/http/readQueue.ts';
import { createLog } from '../../../../src/lib/log.ts';
import { createMarket } from '../../../../src/market/market.ts';
import { Exchange } from '../../../../src/sources/quotes/simulator/exchange.ts';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';

const DATE = '2026-11-20';

test('half an hour around the open is read back as the membership rules had it, to the last digit', () => {
  let now = fromSydney(DATE, 9, 50);
  const clock = { now: () => now };
  const exchange = new Exchange({ seed: 7 });
  const market = createMarket({ clock });
  const log = createLog(() => {});
  const store = tapeStore(tapeInMemory(), 'simulator');
  const source = { clock, ignoreStatus: () => false, health: () => ({ healthy: true }) };
  const recorder = new TapeRecorder({ market, source, store, log });
  const reading = new TapeReading({ store, open: () => recorder.open(), log });
  const expected: [number, string, unknown][] = [];
  for (let minute = 0; minute < 30; minute += 1) {
    market.apply(exchange.advanceTo(now));
    recorder.onTick();
    for (const table of TAPE_TABLES) {
      const rows = tapeRows(table, market.all().values(), false).map((stock) => ({
        code: stock.code,
        values: tapeValues(table, stock),
      }));
      expected.push([now / MINUTE_MS, table, inRankOrder(table, rows)]);
    }
    now += MINUTE_MS;
  }
  recorder.save();
  for (const table of TAPE_TABLES) {
    const own = expected.filter(([, of]) => of === table);
    // From memory and from disk: the first twenty minutes are a row of their own.
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

test('a day that gets ahead of its bytes is thinned, and one that does not is not', () => {
  const hours = tapeHours(DATE);
  if (!hours) throw new Error('The market trades that day.');
  expect(stepOf(0, hours, hours.from)).toBe(1);
  expect(stepOf(MAX_DAY_BYTES * 0.5, hours, hours.from)).toBe(5);
  expect(stepOf(MAX_DAY_BYTES * 0.5, hours, (hours.from + hours.to) / 2)).toBe(1);
  expect(stepOf(MAX_DAY_BYTES * 1.1, hours, hours.to)).toBe(5);
});
