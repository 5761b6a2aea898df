import { describe, expect, test } from 'bun:test';
import { firstOpened, openingAt, openingText } from '../../../src/market/rules/opening.ts';
import type { Stock } from '../../../src/market/rules/stock.ts';
import { fromSydney } from '../../../src/market/rules/sydneyTime.ts';
import { aStock } from '../../support/aStock.ts';

const FRIDAY = '2026-11-20';
const at = (time: string, date = FRIDAY): number => {
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number);
  return fromSydney(date, hour, minute, second);
};
const textAt = (now: number, openedAt: number | null = null) =>
  openingText(
    openingAt(now, () => openedAt),
    now,
  );

describe('what is said of the opening', () => {
  const cases: [string, number, string][] = [
    ['12 minutes before the pre-open', at('06:48'), 'The pre-open begins in 12 min'],
    ['half a minute before it', at('06:59:30'), 'The pre-open begins in 1 min'],
    ['in the night', at('01:55'), 'The pre-open begins in 5 h 05 min'],
    ['on an evening', at('19:30', '2026-11-19'), 'The pre-open begins in 11 h 30 min'],
    ['as the pre-open begins', at('07:00'), 'Opens in 3 h 00 min'],
    ['an hour before the open', at('08:59:45'), 'Opens in 1 h 00 min'],
    ['within the hour', at('08:59:46'), 'Opens in 59:59'],
    ['four minutes before it', at('09:55:33'), 'Opens in 4:12'],
    ['while the auction runs', at('09:59:42'), 'Opens in 0:03'],
    ['on a Friday evening', at('20:00'), 'The pre-open begins on Monday 23 November at 07:00'],
    ['at a weekend', at('12:00', '2026-11-21'), 'The pre-open begins on Monday 23 November at 07:00'],
    ['before Easter', at('20:00', '2026-04-02'), 'The pre-open begins on Tuesday 7 April at 07:00'],
  ];
  test.each(cases)('%s', (_, now, text) => {
    expect(textAt(now)).toBe(text);
  });

  test('after the open when it was, as far as the market told it', () => {
    for (const now of [at('09:59:45'), at('12:00'), at('16:10:30'), at('18:59:59')]) {
      expect(textAt(now, at('09:59:52'))).toBe('The market opened at 09:59:52');
      expect(textAt(now)).toBe('The market has opened');
    }
  });

  test('before the open nobody is asked when it was', () => {
    const asked = () => {
      throw new Error('There is nothing to look for yet.');
    };
    expect(openingAt(at('09:59:44'), asked)).toEqual({ kind: 'preOpen', opensAt: at('09:59:45') });
    expect(openingAt(at('05:00'), asked)).toEqual({ kind: 'beforePreOpen', preOpenAt: at('07:00') });
  });
});

describe('when the market opened', () => {
  const opened = (time: string, change: Partial<Stock> = {}): Stock =>
    aStock({
      preOpen: {
        snapshot: {
          capturedAt: new Date(at(time)).toISOString(),
          indicativeChangePercent: 1,
          match_price: 1,
          match_vol: 1,
          match_value: 1,
          buy_surplus: 0,
        },
      },
      ...change,
    });

  test('is when its first stock left the auction', () => {
    expect(firstOpened([opened('10:00:04'), opened('09:59:51'), aStock()], FRIDAY)).toBe(at('09:59:51'));
  });

  test('is not before trading begins, though the auction may have matched a stock sooner', () => {
    expect(firstOpened([opened('09:59:10')], FRIDAY)).toBe(at('09:59:45'));
  });

  test('is unknown without a stock that told it on that day, or when the first was seen too late', () => {
    expect(firstOpened([], FRIDAY)).toBeNull();
    expect(firstOpened([aStock()], FRIDAY)).toBeNull();
    expect(firstOpened([opened('10:00', { status: 'Pre Open' })], FRIDAY)).toBeNull();
    expect(firstOpened([opened('10:30')], FRIDAY)).toBeNull();
    expect(firstOpened([opened('10:00')], '2026-11-23')).toBeNull();
    expect(firstOpened([opened('10:00')], '2026-11-21')).toBeNull();
  });
});
