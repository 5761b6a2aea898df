import { describe, expect, test } from 'bun:test';
import { dayText, extendDayLine, slotOf } from '../../../src/market/bars/rules/dayLine.ts';
import { emptyStock } from '../../../src/market/rules/stock.ts';
import { fromSydney } from '../../../src/market/rules/sydneyTime.ts';
import { dayOf, keyOf } from '../../../src/market/rules/localTime.ts';

const from = fromSydney('2026-11-18', 10, 0);
const SLOTS = { from, slotMinutes: 5 };
const LINE = { previousClose: 1, closes: [1.1] };
const at = (minutes: number) => from + minutes * 60_000;

describe('the line of a day', () => {
  test('slots are five minutes from 10:00 on; the auctions belong to the first and the last', () => {
    const key = (hour: number, minute: number) => keyOf(dayOf('2026-11-18'), hour * 60 + minute);
    expect([key(9, 59), key(10, 4), key(10, 5), key(16, 10), key(17, 0)].map(slotOf)).toEqual([
      0, 0, 1, 74, 77,
    ]);
  });

  test('goes on in its slot, or in a later one with those between left open', () => {
    const shown = { last: 1.2, volume: 100 };
    expect(extendDayLine(LINE, shown, SLOTS, at(3)).closes).toEqual([1.2]);
    expect(extendDayLine(LINE, shown, SLOTS, at(16)).closes).toEqual([1.1, null, null, 1.2]);
    expect(LINE.closes).toEqual([1.1]);
  });

  test('stays as it is for what is not new, not of today, or older', () => {
    const long = { previousClose: 1, closes: [1.1, 1.2] };
    expect(extendDayLine(LINE, { last: 1.1, volume: 100 }, SLOTS, at(3))).toBe(LINE);
    expect(extendDayLine(LINE, { last: 1.3, volume: 100 }, SLOTS, at(-2))).toBe(LINE);
    expect(extendDayLine(LINE, { last: 1.3, volume: 0 }, SLOTS, at(3))).toBe(LINE);
    expect(extendDayLine(LINE, { last: null, volume: null }, SLOTS, at(3))).toBe(LINE);
    expect(extendDayLine(long, { last: 1.3, volume: 100 }, SLOTS, at(3))).toBe(long);
  });

  test('never grows beyond its day', () => {
    expect(extendDayLine(LINE, { last: 2, volume: 1 }, SLOTS, at(60 * 24 * 30)).closes).toHaveLength(78);
  });

  test('is said in words', () => {
    const stock = { ...emptyStock('BHP'), last: 1.021, low: 0.99, high: 1.05 };
    expect(dayText({ ...stock, change_percent: 2.1 })).toBe('Up 2.1 % on the day, low 0.990, high 1.050');
    expect(dayText({ ...stock, change_percent: -0.44 })).toBe('Down 0.4 % on the day, low 0.990, high 1.050');
    expect(dayText({ ...stock, change_percent: 0 })).toBe('Unchanged on the day, low 0.990, high 1.050');
    expect(dayText(emptyStock('BHP'))).toBe('No trade today');
  });
});
