import { describe, expect, test } from 'bun:test';
import { feedDelay, isStandingStill, quoteLag } from '../../../src/market/rules/quoteLag.ts';
import { phaseAt } from '../../../src/market/rules/sessionClock.ts';
import { fromSydney } from '../../../src/market/rules/sydneyTime.ts';

const minutes = (count: number): number => count * 60_000;
const at = (hour: number, minute = 0, date = '2026-11-20'): number => fromSydney(date, hour, minute);
const lagAt = (quote: number | null, now: number): number | null => quoteLag(quote, phaseAt(now), now);

describe('the lag of the newest quote', () => {
  test.each([
    ['fresh, in the open', at(11) - 2000, at(11), 2000],
    ['two hours old, in the open', at(10, 5), at(12, 5), minutes(120)],
    ['of yesterday, ten minutes after the open', at(16, 10, '2026-11-19'), at(10, 10), null],
    ['of yesterday, an hour after the open', at(16, 10, '2026-11-19'), at(11), minutes(18 * 60 + 50)],
    ['fresh, before the open', at(9, 30) - 2000, at(9, 30), 2000],
    ['old, before the open', at(7, 5), at(9, 30), null],
    ['of the closing auction, in the evening', at(16, 10), at(20), null],
    ['of Friday, on a Saturday', at(16, 10), at(12, 0, '2026-11-21'), null],
    ['a little in the future', at(11) + 5000, at(11), 0],
    ['never stated', null, at(11), null],
  ])('%s', (_, quote, now, lag) => {
    expect(lagAt(quote, now)).toBe(lag);
  });
});

describe('what the strip says of it', () => {
  const live = { declaredMinutes: 0, unmeasuredMinutes: 0 };
  test.each([
    [null, 'Delay not measured yet', 0],
    [minutes(2.9), 'Live', 0],
    [minutes(5), 'Delayed 5 min', 5],
    [minutes(21), 'Delayed 20 min', 20],
    [minutes(31), 'Delayed 31 min', 31],
    [minutes(120), 'Prices 2 h old', 120],
    [minutes(3 * 1440), 'Prices 3 days old', 4320],
  ])('of a feed that claims to be live, measured %p: %s', (lagMs, label, delay) => {
    expect(feedDelay({ lagMs, ...live })).toEqual({ label, minutes: delay });
  });
});

test('a feed stands still when its newest quote is far older than any usual delay, in the open only', () => {
  expect(isStandingStill(minutes(36), at(12))).toBe(true);
  expect(isStandingStill(minutes(34), at(12))).toBe(false);
  expect(isStandingStill(null, at(12))).toBe(false);
  expect(isStandingStill(minutes(120), at(17))).toBe(false);
});
