import { describe, expect, test } from 'bun:test';
import { vwapPath } from '../../../src/market/bars/rules/vwap.ts';
import { fromSydney } from '../../../src/market/rules/sydneyTime.ts';
import { barsOf, joinedBars } from '../../support/chartBars.ts';

const MINUTE = 60_000;
const MONDAY = fromSydney('2026-01-19', 10, 0);
const TUESDAY = fromSydney('2026-01-20', 10, 0);
const known = { unknown: [], hasMore: false, knownSince: MONDAY - 3 * 3_600_000 };

describe('the average price of a session', () => {
  test('weighs typical prices by shares and begins anew each day', () => {
    const bars = joinedBars(barsOf(MONDAY, MINUTE, [10, 20]), barsOf(TUESDAY, MINUTE, [30, 40]));
    bars.volume = [100, 300, 100, 100];
    bars.high[1] = 23;
    bars.low[1] = 17;
    const path = vwapPath({ bars, ...known }, '1', null);
    expect(path?.time).toEqual(bars.time);
    expect(path?.price).toEqual([10, 17.5, 30, 35]);
  });

  test('ends with what the market says of today', () => {
    const bars = barsOf(MONDAY, MINUTE, [10, 20]);
    expect(vwapPath({ bars, ...known }, '5', 14.9)?.price).toEqual([10, 14.9]);
  });

  test('is not drawn of a session whose beginning is not there', () => {
    const bars = joinedBars(barsOf(MONDAY + 60 * MINUTE, MINUTE, [10]), barsOf(TUESDAY, MINUTE, [30]));
    expect(vwapPath({ bars, ...known, hasMore: true }, '1', null)?.time).toEqual([TUESDAY]);
    expect(vwapPath({ bars, ...known, knownSince: MONDAY + 30 * MINUTE }, '1', null)?.time).toEqual([
      TUESDAY,
    ]);
  });

  test('is not drawn from where a part of its session is not known', () => {
    const bars = barsOf(MONDAY, MINUTE, [10, 20, 30, 40]);
    bars.time = [MONDAY, MONDAY + MINUTE, MONDAY + 30 * MINUTE, MONDAY + 31 * MINUTE];
    const unknown = [{ from: MONDAY + 5 * MINUTE, until: MONDAY + 25 * MINUTE }];
    const path = vwapPath({ bars, ...known, unknown }, '1', 99);
    expect(path?.time).toEqual([MONDAY, MONDAY + MINUTE]);
    expect(path?.price).toEqual([10, 15]);
  });

  test('is no matter of days', () => {
    expect(vwapPath({ bars: barsOf(MONDAY, MINUTE, [1]), ...known }, 'D', 1)).toBeNull();
  });
});
